import type { LinkRules } from '../../link/rules.js';
import { LIBRARY as C_LIBRARY } from '../c/library.js';
import { link as c } from '../c/link.js';

const list = (name: string, more = '') =>
  `type ${name}<T>: begin() *T; end() *T; cbegin() *T; cend() *T; rbegin() *T; rend() *T; front() T; back() T; at(?) T; operator[](?) T; size() size_t; empty() bool; data() *T; find(?) *T; push_back(T); push_front(T); pop_back(); pop_front(); emplace_back(...?) T; insert(...?) *T; erase(...?) *T; clear(); resize(...?); reserve(?); swap(?); top() T; pop(); push(T); emplace(...?) *T; count(?) size_t; lower_bound(?) *T; upper_bound(?) *T${more}`;
const map = (name: string) =>
  `type ${name}<K, V>: begin() *pair<K, V>; end() *pair<K, V>; cbegin() *pair<K, V>; find(?) *pair<K, V>; at(?) V; operator[](?) V; size() size_t; empty() bool; insert(...?) ?; emplace(...?) ?; try_emplace(...?) ?; erase(...?) ?; clear(); count(?) size_t; contains(?) bool; lower_bound(?) *pair<K, V>; upper_bound(?) *pair<K, V>`;
const pointer = (name: string) =>
  `type ${name}<T>: operator->() *T; operator*() T; operator[](?) T; get() *T; reset(...?); release() *T; use_count() long; lock() shared_ptr<T>; has_value() bool; value() T; value_or(?) T; emplace(...?) T`;

const FUNCTIONS =
  'sort stable_sort find_if find_if_not all_of any_of none_of for_each transform accumulate copy copy_n fill fill_n swap ' +
  'min_element max_element unique remove_if reverse distance advance next prev lower_bound upper_bound binary_search ' +
  'to_string stoi stol stoll stoul stoull stod stof getline make_pair make_tuple tie get hash visit invoke bind ref cref ' +
  'isnan isinf isfinite memcpy memmove memset memcmp strlen strcmp strncmp printf snprintf fprintf abs fabs sqrt pow ' +
  'floor ceil log exp numeric_limits equal count count_if iota rotate partition nth_element addressof launder terminate ' +
  'begin end size data exchange atomic_thread_fence this_thread async call_once rethrow_exception current_exception';

/** What is known of the standard library of C++. */
const LIBRARY = `${C_LIBRARY}

package std
func <T> move(T) T
func <T> forward(?) T
func <T> make_unique(...?) unique_ptr<T>
func <T> make_shared(...?) shared_ptr<T>
func <T> static_pointer_cast(?) shared_ptr<T>
func <T> dynamic_pointer_cast(?) shared_ptr<T>
func <T> min(T, T, ...?) T
func <T> max(T, T, ...?) T
${FUNCTIONS.split(' ')
  .map((name) => `func ${name}(...?) ?`)
  .join('\n')}
${'vector list deque array set unordered_set multiset unordered_multiset forward_list queue stack priority_queue initializer_list span valarray'
  .split(' ')
  .map((name) => list(name))
  .join('\n')}
${'map unordered_map multimap unordered_multimap'.split(' ').map(map).join('\n')}
${'unique_ptr shared_ptr weak_ptr optional'.split(' ').map(pointer).join('\n')}
type pair<A, B>: first A; second B; swap(?)
type tuple
type function
type string: begin() *char; end() *char; data() *char; c_str() *char; size() size_t; length() size_t; empty() bool; append(...?) string; push_back(?); pop_back(); substr(...?) string; find(...?) size_t; rfind(...?) size_t; find_first_of(...?) size_t; find_last_of(...?) size_t; find_first_not_of(...?) size_t; compare(...?) int; clear(); resize(...?); reserve(?); assign(...?) string; insert(...?) string; erase(...?) string; replace(...?) string; back() char; front() char; at(?) char; operator[](?) char; swap(?); starts_with(?) bool; ends_with(?) bool; npos size_t; capacity() size_t
type string_view: begin() *char; end() *char; data() *char; size() size_t; length() size_t; empty() bool; substr(...?) string_view; find(...?) size_t; compare(...?) int; operator[](?) char; remove_prefix(?); remove_suffix(?); front() char; back() char
type mutex: lock(); unlock(); try_lock() bool
type recursive_mutex: lock(); unlock(); try_lock() bool
type condition_variable: wait(...?); notify_one(); notify_all(); wait_for(...?) ?
type thread: join(); detach(); joinable() bool; get_id() ?
type lock_guard<M>
type unique_lock<M>: lock(); unlock(); owns_lock() bool
type atomic<T>: load(...?) T; store(...?); exchange(...?) T; fetch_add(...?) T; fetch_sub(...?) T; compare_exchange_strong(...?) bool; compare_exchange_weak(...?) bool
type ostream
type istream
type stringstream: str() string
type ostringstream: str() string
type ifstream: is_open() bool; close(); good() bool
type ofstream: is_open() bool; close()
type exception: what() *char
type runtime_error extends exception: what() *char
type invalid_argument extends exception: what() *char
type out_of_range extends exception: what() *char
type logic_error extends exception: what() *char
type bad_alloc extends exception: what() *char
`;

/** What the linker has to know of C++. */
export const link: LinkRules = {
  ...c,
  membersInScope: true,
  overloads: true,
  converts: true,
  truth: 'bool',
  widening: ['bool', 'char', 'short', 'int', 'long', 'long long', 'float', 'double'],
  iteration: ['begin', 'operator*'],
  library: LIBRARY,
};
