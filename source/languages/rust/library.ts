/** What an iterator has besides `next`. */
const ITERATOR =
  'next() Option<T>; <U> map(fn(T) U) Iterator<U>; filter(fn(T) bool) Iterator<T>; <U> filter_map(fn(T) Option<U>) Iterator<U>; ' +
  '<U> flat_map(fn(T) ?) Iterator<?>; flatten() Iterator<?>; enumerate() Iterator<(usize, T)>; <U> zip(Iterator<U>) Iterator<(T, U)>; ' +
  'chain(?) Iterator<T>; rev() Iterator<T>; skip(usize) Iterator<T>; take(usize) Iterator<T>; step_by(usize) Iterator<T>; ' +
  'skip_while(fn(T) bool) Iterator<T>; take_while(fn(T) bool) Iterator<T>; <U> map_while(fn(T) Option<U>) Iterator<U>; ' +
  'peekable() Peekable<T>; inspect(fn(T)) Iterator<T>; cloned() Iterator<T>; copied() Iterator<T>; cycle() Iterator<T>; fuse() Iterator<T>; ' +
  'by_ref() Iterator<T>; <C> collect() C; <B> fold(B, fn(B, T) B) B; reduce(fn(T, T) T) Option<T>; count() usize; last() Option<T>; ' +
  'nth(usize) Option<T>; all(fn(T) bool) bool; any(fn(T) bool) bool; find(fn(T) bool) Option<T>; <U> find_map(fn(T) Option<U>) Option<U>; ' +
  'position(fn(T) bool) Option<usize>; rposition(fn(T) bool) Option<usize>; max() Option<T>; min() Option<T>; max_by_key(fn(T) ?) Option<T>; ' +
  'min_by_key(fn(T) ?) Option<T>; max_by(fn(T, T) ?) Option<T>; min_by(fn(T, T) ?) Option<T>; for_each(fn(T)); sum() T; product() T; ' +
  'next_back() Option<T>; partition(fn(T) bool) ?; unzip() ?; len() usize; try_for_each(fn(T) ?) ?; ' +
  'scan(?, fn(?, T) ?) Iterator<?>; size_hint() (usize, Option<usize>)';

const SLICE =
  'iter() Iterator<T>; iter_mut() Iterator<T>; into_iter() Iterator<T>; len() usize; is_empty() bool; first() Option<T>; ' +
  'last() Option<T>; first_mut() Option<T>; last_mut() Option<T>; get(usize) Option<T>; get_mut(usize) Option<T>; ' +
  'get_unchecked(usize) T; get_unchecked_mut(usize) T; contains(T) bool; index(usize) T; to_vec() Vec<T>; windows(usize) Iterator<[]T>; ' +
  'chunks(usize) Iterator<[]T>; chunks_exact(usize) Iterator<[]T>; split_at(usize) ([]T, []T); split_first() Option<(T, []T)>; ' +
  'split_last() Option<(T, []T)>; swap(usize, usize); sort(); sort_by(fn(T, T) Ordering); sort_by_key(fn(T) ?); sort_unstable(); ' +
  'sort_unstable_by(fn(T, T) Ordering); sort_unstable_by_key(fn(T) ?); reverse(); binary_search(T) Result<usize, usize>; ' +
  'binary_search_by(fn(T) Ordering) Result<usize, usize>; binary_search_by_key(?, fn(T) ?) Result<usize, usize>; ' +
  'starts_with(?) bool; ends_with(?) bool; concat() ?; join(?) String; copy_from_slice([]T); clone_from_slice([]T); fill(T); ' +
  'as_slice() []T; as_mut_slice() []T; as_ref() []T; as_mut() []T; as_ptr() ?; split(fn(T) bool) Iterator<[]T>';

const STR =
  'len() usize; is_empty() bool; as_str() str; as_bytes() []u8; chars() Iterator<char>; char_indices() Iterator<(usize, char)>; ' +
  'bytes() Iterator<u8>; lines() Iterator<str>; split(?) Iterator<str>; splitn(usize, ?) Iterator<str>; rsplit(?) Iterator<str>; ' +
  'split_whitespace() Iterator<str>; split_at(usize) (str, str); split_once(?) Option<(str, str)>; rsplit_once(?) Option<(str, str)>; ' +
  'trim() str; trim_start() str; trim_end() str; trim_matches(?) str; trim_start_matches(?) str; trim_end_matches(?) str; ' +
  'strip_prefix(?) Option<str>; strip_suffix(?) Option<str>; to_string() String; to_owned() String; to_lowercase() String; ' +
  'to_uppercase() String; to_ascii_lowercase() String; to_ascii_uppercase() String; replace(?, ?) String; repeat(usize) String; ' +
  'starts_with(?) bool; ends_with(?) bool; contains(?) bool; find(?) Option<usize>; rfind(?) Option<usize>; <F> parse() Result<F, ?>; ' +
  'get(?) Option<str>; is_char_boundary(usize) bool; eq_ignore_ascii_case(str) bool; as_ref() ?; into_boxed_str() Box<str>; into_string() String';

/** What Rust's library gives, as far as much used chains lead through it: see `source/link/library.ts`. */
export const LIBRARY = `
type str: ${STR}; from_utf8([]u8) Result<str, ?>; into() ?
type char: is_alphabetic() bool; is_numeric() bool; is_alphanumeric() bool; is_whitespace() bool; is_ascii() bool; is_digit(u32) bool; to_digit(u32) Option<u32>; len_utf8() usize; to_ascii_lowercase() char; to_ascii_uppercase() char; from_u32(u32) Option<char>; to_string() String; is_ascii_alphanumeric() bool; is_ascii_digit() bool; is_ascii_punctuation() bool; is_ascii_whitespace() bool
${'u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize'.replace(/\S+/g, 'type $&: MAX $&; MIN $&; BITS u32; checked_add($&) Option<$&>; checked_sub($&) Option<$&>; checked_mul($&) Option<$&>; wrapping_add($&) $&; wrapping_sub($&) $&; wrapping_mul($&) $&; saturating_add($&) $&; saturating_sub($&) $&; min($&) $&; max($&) $&; abs() $&; pow(u32) $&; count_ones() u32; leading_zeros() u32; trailing_zeros() u32; to_string() String; clone() $&; is_ascii() bool; is_ascii_whitespace() bool; is_ascii_digit() bool; is_ascii_alphanumeric() bool; is_ascii_punctuation() bool; is_ascii_alphabetic() bool; from_str_radix(str, u32) Result<$&, ?>; cmp($&) Ordering\n')}
${'f32 f64'.replace(/\S+/g, 'type $&: abs() $&; sqrt() $&; powi(i32) $&; powf($&) $&; floor() $&; ceil() $&; round() $&; min($&) $&; max($&) $&; to_string() String; clone() $&\n')}
type bool: then(fn() ?) Option<?>; then_some(?) Option<?>; to_string() String; clone() bool
package std.prelude
func <T> Some(T) Option<T>
func <T> Ok(T) Result<T, ?>
func <E> Err(E) Result<?, E>
func <T> drop(T)
var None Option<?>
interface Clone<T>: clone() T; clone_from(T)
interface Copy
interface Send
interface Sync
interface Sized
interface Drop: drop()
interface Fn
interface FnMut
interface FnOnce
interface Default<T>: default default() T
interface PartialEq: eq(?) bool; ne(?) bool
interface Eq
interface Hash: hash(?)
interface Debug: fmt(?) ?
interface PartialOrd: partial_cmp(?) Option<Ordering>
interface Ord: cmp(?) Ordering
interface ToString: to_string() String
interface ToOwned: to_owned() ?
interface Into<T>: into() T
interface From<T>: from(T) ?
interface TryFrom<T>: try_from(T) ?
interface TryInto<T>: try_into() Result<T, ?>
interface AsRef<T>: as_ref() T
interface AsMut<T>: as_mut() T
interface Extend<T>: extend(?)
interface FromIterator<T>: from_iter(?) ?
interface IntoIterator<T>: into_iter() Iterator<T>
interface Iterator<T>: ${ITERATOR}
interface DoubleEndedIterator<T> extends Iterator<T>
interface ExactSizeIterator<T> extends Iterator<T>
package std.option
type Option<T>: Some(T) Option<T>; None Option<T>; is_some() bool; is_none() bool; is_some_and(fn(T) bool) bool; unwrap() T; expect(str) T; unwrap_or(T) T; unwrap_or_else(fn() T) T; unwrap_or_default() T; <U> map(fn(T) U) Option<U>; <U> map_or(U, fn(T) U) U; <U> map_or_else(fn() U, fn(T) U) U; <U> and_then(fn(T) Option<U>) Option<U>; <U> and(Option<U>) Option<U>; or(Option<T>) Option<T>; or_else(fn() Option<T>) Option<T>; filter(fn(T) bool) Option<T>; ok_or(?) Result<T, ?>; <E> ok_or_else(fn() E) Result<T, E>; as_ref() Option<T>; as_mut() Option<T>; as_deref() Option<T>; as_deref_mut() Option<T>; take() Option<T>; replace(T) Option<T>; insert(T) T; get_or_insert(T) T; get_or_insert_with(fn() T) T; cloned() Option<T>; copied() Option<T>; iter() Iterator<T>; into_iter() Iterator<T>; <U> zip(Option<U>) Option<(T, U)>; clone() Option<T>; xor(Option<T>) Option<T>; transpose() ?; flatten() T; inspect(fn(T)) Option<T>
package std.result
type Result<T, E>: Ok(T) Result<T, E>; Err(E) Result<T, E>; is_ok() bool; is_err() bool; unwrap() T; expect(str) T; unwrap_err() E; expect_err(str) E; unwrap_or(T) T; unwrap_or_else(fn(E) T) T; unwrap_or_default() T; <U> map(fn(T) U) Result<U, E>; <F> map_err(fn(E) F) Result<T, F>; <U> map_or(U, fn(T) U) U; <U> and_then(fn(T) Result<U, E>) Result<U, E>; or_else(fn(E) ?) Result<T, ?>; ok() Option<T>; err() Option<E>; as_ref() Result<T, E>; as_mut() Result<T, E>; iter() Iterator<T>; into_iter() Iterator<T>; clone() Result<T, E>; is_ok_and(fn(T) bool) bool; is_err_and(fn(E) bool) bool; inspect_err(fn(E)) Result<T, E>
package std.iter
type Peekable<T> extends Iterator<T>: peek() Option<T>; peek_mut() Option<T>; next_if(fn(T) bool) Option<T>; next_if_eq(?) Option<T>
func <T> once(T) Iterator<T>
func <T> repeat(T) Iterator<T>
func <T> from_fn(fn() Option<T>) Iterator<T>
func <T> successors(Option<T>, fn(T) Option<T>) Iterator<T>
func empty() Iterator<?>
func <A, B> zip(Iterator<A>, Iterator<B>) Iterator<(A, B)>
package std.vec
type Vec<T>: ${SLICE}; new() Vec<T>; with_capacity(usize) Vec<T>; push(T); pop() Option<T>; insert(usize, T); remove(usize) T; swap_remove(usize) T; truncate(usize); clear(); append(Vec<T>); extend(?); extend_from_slice([]T); drain(?) Iterator<T>; retain(fn(T) bool); dedup(); resize(usize, T); reserve(usize); capacity() usize; split_off(usize) Vec<T>; into_boxed_slice() Box<[]T>; clone() Vec<T>; leak() []T; from(?) Vec<?>
package std.string
type String extends str: new() String; with_capacity(usize) String; push(char); push_str(str); pop() Option<char>; clear(); truncate(usize); insert(usize, char); insert_str(usize, str); remove(usize) char; from(?) String; from_utf8(Vec<u8>) Result<String, ?>; from_utf8_lossy([]u8) Cow<str>; into_bytes() Vec<u8>; capacity() usize; reserve(usize); as_mut_str() str; clone() String; drain(?) Iterator<char>; extend(?)
package std.boxed
type Box<T> extends T: new(T) Box<T>; from(T) Box<T>; pin(T) Pin<T>; leak(Box<T>) T; into_inner(Box<T>) T; into_raw(Box<T>) ?; clone() Box<T>
package std.pin
type Pin<T> extends T: new(T) Pin<T>; as_mut() Pin<T>; get_mut() T
package std.rc
type Rc<T> extends T: new(T) Rc<T>; from(T) Rc<T>; clone() Rc<T>; clone(Rc<T>) Rc<T>; downgrade(Rc<T>) Weak<T>; ptr_eq(Rc<T>, Rc<T>) bool; strong_count(Rc<T>) usize; get_mut(Rc<T>) Option<T>; make_mut(Rc<T>) T; try_unwrap(Rc<T>) Result<T, ?>
type Weak<T>: upgrade() Option<Rc<T>>; new() Weak<T>; clone() Weak<T>
package std.sync
type Arc<T> extends T: new(T) Arc<T>; from(T) Arc<T>; clone() Arc<T>; clone(Arc<T>) Arc<T>; downgrade(Arc<T>) sync.Weak<T>; ptr_eq(Arc<T>, Arc<T>) bool; strong_count(Arc<T>) usize; get_mut(Arc<T>) Option<T>; make_mut(Arc<T>) T; try_unwrap(Arc<T>) Result<T, ?>
type Mutex<T>: new(T) Mutex<T>; lock() Result<MutexGuard<T>, ?>; try_lock() Result<MutexGuard<T>, ?>; into_inner() Result<T, ?>; get_mut() Result<T, ?>
type RwLock<T>: new(T) RwLock<T>; read() Result<MutexGuard<T>, ?>; write() Result<MutexGuard<T>, ?>; into_inner() Result<T, ?>; get_mut() Result<T, ?>
type MutexGuard<T> extends T
type OnceLock<T>: new() OnceLock<T>; get() Option<T>; get_or_init(fn() T) T; set(T) Result<?, T>
type LazyLock<T> extends T: new(fn() T) LazyLock<T>
package std.cell
type Cell<T>: new(T) Cell<T>; get() T; set(T); replace(T) T; take() T; into_inner() T
type RefCell<T>: new(T) RefCell<T>; borrow() Ref<T>; borrow_mut() Ref<T>; try_borrow() Result<Ref<T>, ?>; try_borrow_mut() Result<Ref<T>, ?>; into_inner() T; replace(T) T; take() T
type Ref<T> extends T
type OnceCell<T>: new() OnceCell<T>; get() Option<T>; get_or_init(fn() T) T; set(T) Result<?, T>
type UnsafeCell<T>: new(T) UnsafeCell<T>; get() T
package std.borrow
type Cow<T> extends T: Borrowed(T) Cow<T>; Owned(?) Cow<T>; into_owned() ?; to_mut() ?; clone() Cow<T>; is_borrowed() bool
interface Borrow<T>: borrow() T
package std.collections
type HashMap<K, V>: ${'new() $; with_capacity(usize) $; get(K) Option<V>; get_mut(K) Option<V>; insert(K, V) Option<V>; remove(K) Option<V>; remove_entry(K) Option<(K, V)>; contains_key(K) bool; entry(K) Entry<K, V>; keys() Iterator<K>; values() Iterator<V>; values_mut() Iterator<V>; into_keys() Iterator<K>; into_values() Iterator<V>; iter() Iterator<(K, V)>; iter_mut() Iterator<(K, V)>; into_iter() Iterator<(K, V)>; drain() Iterator<(K, V)>; len() usize; is_empty() bool; clear(); index(K) V; extend(?); retain(fn(K, V) bool); clone() $; get_key_value(K) Option<(K, V)>'.replaceAll('$', 'HashMap<K, V>')}
type BTreeMap<K, V>: ${'new() $; get(K) Option<V>; get_mut(K) Option<V>; insert(K, V) Option<V>; remove(K) Option<V>; contains_key(K) bool; entry(K) Entry<K, V>; keys() Iterator<K>; values() Iterator<V>; values_mut() Iterator<V>; into_keys() Iterator<K>; into_values() Iterator<V>; iter() Iterator<(K, V)>; iter_mut() Iterator<(K, V)>; into_iter() Iterator<(K, V)>; range(?) Iterator<(K, V)>; first_key_value() Option<(K, V)>; last_key_value() Option<(K, V)>; pop_first() Option<(K, V)>; pop_last() Option<(K, V)>; len() usize; is_empty() bool; clear(); index(K) V; extend(?); retain(fn(K, V) bool); clone() $'.replaceAll('$', 'BTreeMap<K, V>')}
type Entry<K, V>: or_insert(V) V; or_insert_with(fn() V) V; or_default() V; and_modify(fn(V)) Entry<K, V>; key() K; Occupied(OccupiedEntry<K, V>) Entry<K, V>; Vacant(VacantEntry<K, V>) Entry<K, V>
type OccupiedEntry<K, V>: get() V; get_mut() V; into_mut() V; insert(V) V; remove() V; key() K
type VacantEntry<K, V>: insert(V) V; key() K; into_key() K
type HashSet<T>: new() HashSet<T>; with_capacity(usize) HashSet<T>; insert(T) bool; remove(T) bool; contains(T) bool; iter() Iterator<T>; into_iter() Iterator<T>; drain() Iterator<T>; len() usize; is_empty() bool; clear(); extend(?); union(HashSet<T>) Iterator<T>; intersection(HashSet<T>) Iterator<T>; difference(HashSet<T>) Iterator<T>; is_subset(HashSet<T>) bool; get(T) Option<T>; take(T) Option<T>; retain(fn(T) bool); clone() HashSet<T>
type BTreeSet<T>: new() BTreeSet<T>; insert(T) bool; remove(T) bool; contains(T) bool; iter() Iterator<T>; into_iter() Iterator<T>; range(?) Iterator<T>; len() usize; is_empty() bool; clear(); extend(?); first() Option<T>; last() Option<T>; pop_first() Option<T>; pop_last() Option<T>; clone() BTreeSet<T>
type VecDeque<T>: new() VecDeque<T>; with_capacity(usize) VecDeque<T>; push_back(T); push_front(T); pop_back() Option<T>; pop_front() Option<T>; front() Option<T>; back() Option<T>; front_mut() Option<T>; back_mut() Option<T>; get(usize) Option<T>; iter() Iterator<T>; iter_mut() Iterator<T>; into_iter() Iterator<T>; len() usize; is_empty() bool; clear(); extend(?); index(usize) T; drain(?) Iterator<T>; make_contiguous() []T; clone() VecDeque<T>
type BinaryHeap<T>: new() BinaryHeap<T>; push(T); pop() Option<T>; peek() Option<T>; len() usize; is_empty() bool; into_iter() Iterator<T>; iter() Iterator<T>; into_sorted_vec() Vec<T>
package std.ops
interface Deref<T> extends T: deref() T
interface DerefMut: deref_mut() ?
interface Index<T>: index(?) T
interface IndexMut<T>: index_mut(?) T
type Range<T> extends Iterator<T>: start T; end T; contains(T) bool; is_empty() bool; clone() Range<T>; rev() Iterator<T>
package std.cmp
type Ordering: Less Ordering; Greater Ordering; Equal Ordering; then(Ordering) Ordering; then_with(fn() Ordering) Ordering; reverse() Ordering; is_eq() bool
type Reverse<T>
func <T> min(T, T) T
func <T> max(T, T) T
package std.mem
func <T> replace(T, T) T
func <T> take(T) T
func <T> swap(T, T)
func <T> size_of() usize
package std.fmt
type Formatter: write_str(str) Result<?, ?>; write_fmt(?) Result<?, ?>; debug_struct(str) DebugStruct; debug_tuple(str) DebugStruct; debug_list() DebugStruct; debug_map() DebugStruct; pad(str) Result<?, ?>; alternate() bool; width() Option<usize>
type DebugStruct: field(?, ?) DebugStruct; entry(?, ?) DebugStruct; entries(?) DebugStruct; finish() Result<?, ?>
type Error
interface Display: fmt(Formatter) ?; to_string() String
package std.io
type Error: new(?, ?) Error; other(?) Error; kind() ErrorKind; last_os_error() Error; from(?) Error; to_string() String
type ErrorKind
interface Read: read([]u8) Result<usize, std.io.Error>; read_to_end(Vec<u8>) Result<usize, std.io.Error>; read_to_string(String) Result<usize, std.io.Error>; read_exact([]u8) Result<?, std.io.Error>; bytes() Iterator<?>; by_ref() ?
interface BufRead extends Read: lines() Iterator<Result<String, std.io.Error>>; read_line(String) Result<usize, std.io.Error>; read_until(u8, Vec<u8>) Result<usize, std.io.Error>; split(u8) Iterator<Result<Vec<u8>, std.io.Error>>
interface Write: write([]u8) Result<usize, std.io.Error>; write_all([]u8) Result<?, std.io.Error>; flush() Result<?, std.io.Error>; write_fmt(?) Result<?, std.io.Error>; by_ref() ?
type BufReader<R> extends BufRead: new(R) BufReader<R>; with_capacity(usize, R) BufReader<R>; get_ref() R; get_mut() R; into_inner() R
type BufWriter<W> extends Write: new(W) BufWriter<W>; with_capacity(usize, W) BufWriter<W>; get_ref() W; get_mut() W; into_inner() Result<W, ?>
type Cursor<T> extends BufRead, Write: new(T) Cursor<T>; into_inner() T; get_ref() T; position() u64
type Stdin extends Read: lock() BufReader<?>; lines() Iterator<Result<String, std.io.Error>>; read_line(String) Result<usize, std.io.Error>
type Stdout extends Write: lock() Stdout
func stdin() Stdin
func stdout() Stdout
func stderr() Stdout
package std.fs
type File extends std.io.Read, std.io.Write: open(?) Result<File, std.io.Error>; create(?) Result<File, std.io.Error>; metadata() Result<Metadata, std.io.Error>; sync_all() Result<?, std.io.Error>; try_clone() Result<File, std.io.Error>
type Metadata: len() u64; is_dir() bool; is_file() bool; modified() Result<SystemTime, std.io.Error>
type DirEntry: path() PathBuf; file_name() OsString; metadata() Result<Metadata, std.io.Error>; file_type() Result<?, std.io.Error>
func read(?) Result<Vec<u8>, std.io.Error>
func read_to_string(?) Result<String, std.io.Error>
func write(?, ?) Result<?, std.io.Error>
func read_dir(?) Result<Iterator<Result<DirEntry, std.io.Error>>, std.io.Error>
func metadata(?) Result<Metadata, std.io.Error>
func canonicalize(?) Result<PathBuf, std.io.Error>
func create_dir_all(?) Result<?, std.io.Error>
package std.path
type Path: new(?) Path; join(?) PathBuf; parent() Option<Path>; file_name() Option<OsStr>; file_stem() Option<OsStr>; extension() Option<OsStr>; to_path_buf() PathBuf; to_str() Option<str>; to_string_lossy() Cow<str>; display() ?; exists() bool; is_dir() bool; is_file() bool; is_absolute() bool; components() Iterator<Component>; strip_prefix(?) Result<Path, ?>; starts_with(?) bool; ends_with(?) bool; with_extension(?) PathBuf; with_file_name(?) PathBuf; as_os_str() OsStr; ancestors() Iterator<Path>; metadata() Result<std.fs.Metadata, std.io.Error>; canonicalize() Result<PathBuf, std.io.Error>; iter() Iterator<OsStr>
type PathBuf extends Path: new() PathBuf; from(?) PathBuf; push(?); pop() bool; as_path() Path; set_extension(?) bool; set_file_name(?); into_os_string() OsString; clone() PathBuf
type Component: Normal(OsStr) Component; as_os_str() OsStr
package std.ffi
type OsStr: to_str() Option<str>; to_string_lossy() Cow<str>; to_os_string() OsString; len() usize; is_empty() bool; new(?) OsStr
type OsString extends OsStr: new() OsString; from(?) OsString; into_string() Result<String, OsString>; push(?); clone() OsString; as_os_str() OsStr
package std.env
func args() Iterator<String>
func args_os() Iterator<OsString>
func var(?) Result<String, ?>
func var_os(?) Option<OsString>
func current_dir() Result<PathBuf, std.io.Error>
package std.time
type Duration: from_secs(u64) Duration; from_millis(u64) Duration; as_secs() u64; as_millis() u128; as_secs_f64() f64; clone() Duration
type Instant: now() Instant; elapsed() Duration; duration_since(Instant) Duration
type SystemTime: now() SystemTime; duration_since(SystemTime) Result<Duration, ?>
package std.thread
func <T> spawn(fn() T) JoinHandle<T>
func <T> scope(fn(Scope) T) T
type Scope: <T> spawn(fn() T) JoinHandle<T>
type JoinHandle<T>: join() Result<T, ?>
package std.process
type Command: new(?) Command; arg(?) Command; args(?) Command; env(?, ?) Command; current_dir(?) Command; output() Result<Output, std.io.Error>; status() Result<ExitStatus, std.io.Error>; spawn() Result<Child, std.io.Error>; stdout(?) Command; stderr(?) Command; stdin(?) Command
type Output: status ExitStatus; stdout Vec<u8>; stderr Vec<u8>
type ExitStatus: success() bool; code() Option<i32>
type Child: wait() Result<ExitStatus, std.io.Error>; kill() Result<?, std.io.Error>; wait_with_output() Result<Output, std.io.Error>
func exit(i32)
package std.future
interface Future<T>: poll(?) ?
`;
