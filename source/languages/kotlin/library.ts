/** What every value has. */
const ANY =
  'toString() String; hashCode() Int; equals(Any) Boolean; <R> let(fn(self) R) R; also(fn(self)) self; apply(fn(self)) self; ' +
  '<R> run(fn(self) R) R; takeIf(fn(self) Boolean) self; takeUnless(fn(self) Boolean) self; <R> use(fn(self) R) R; <B> to(B) Pair<self, B>';

/** What can be gone through. */
const ITERABLE =
  'iterator() Iterator<T>; forEach(fn(T)); <R> map(fn(T) R) List<R>; <R> mapNotNull(fn(T) R) List<R>; ' +
  '<R> flatMap(fn(T) ?) List<?>; filter(fn(T) Boolean) List<T>; filterNot(fn(T) Boolean) List<T>; filterNotNull() List<T>; ' +
  '<R> filterIsInstance() List<R>; first() T; first(fn(T) Boolean) T; firstOrNull() T; firstOrNull(fn(T) Boolean) T; last() T; ' +
  'last(fn(T) Boolean) T; lastOrNull() T; single() T; singleOrNull() T; find(fn(T) Boolean) T; any(fn(T) Boolean) Boolean; any() Boolean; ' +
  'all(fn(T) Boolean) Boolean; none(fn(T) Boolean) Boolean; none() Boolean; count() Int; count(fn(T) Boolean) Int; toList() List<T>; ' +
  'toMutableList() MutableList<T>; toSet() Set<T>; toMutableSet() MutableSet<T>; sorted() List<T>; sortedBy(fn(T) ?) List<T>; ' +
  'sortedByDescending(fn(T) ?) List<T>; sortedWith(?) List<T>; distinct() List<T>; distinctBy(fn(T) ?) List<T>; reversed() List<T>; ' +
  'take(Int) List<T>; drop(Int) List<T>; dropLast(Int) List<T>; takeLast(Int) List<T>; takeWhile(fn(T) Boolean) List<T>; ' +
  'dropWhile(fn(T) Boolean) List<T>; plus(?) List<T>; minus(?) List<T>; <R> fold(R, fn(R, T) R) R; reduce(fn(T, T) T) T; ' +
  '<K> groupBy(fn(T) K) Map<K, List<T>>; <K> associateBy(fn(T) K) Map<K, T>; <V> associateWith(fn(T) V) Map<T, V>; associate(fn(T) ?) Map<?, ?>; ' +
  '<R> zip(Iterable<R>) List<Pair<T, R>>; withIndex() Iterable<IndexedValue<T>>; <R> mapIndexed(fn(Int, T) R) List<R>; ' +
  'forEachIndexed(fn(Int, T)); joinToString(...?) String; sumOf(fn(T) ?) ?; maxOf(fn(T) ?) ?; minOf(fn(T) ?) ?; maxByOrNull(fn(T) ?) T; ' +
  'minByOrNull(fn(T) ?) T; contains(T) Boolean; partition(fn(T) Boolean) Pair<List<T>, List<T>>; chunked(Int) List<List<T>>; ' +
  'onEach(fn(T)) self; asSequence() Sequence<T>; isNotEmpty() Boolean; isEmpty() Boolean; isNullOrEmpty() Boolean; ifEmpty(?) self; size Int; ' +
  'getOrNull(Int) T; getOrElse(Int, fn(Int) T) T; get(Int) T; indexOf(T) Int; indexOfFirst(fn(T) Boolean) Int; elementAt(Int) T; indices IntRange; lastIndex Int';

const BITS = 'and($&) $&; or($&) $&; xor($&) $&; inv() $&; shl(Int) $&; shr(Int) $&; ushr(Int) $&';
const NUMBER =
  'toInt() Int; toLong() Long; toDouble() Double; toFloat() Float; toByte() Byte; toShort() Short; toChar() Char; coerceAtLeast(self) self; coerceAtMost(self) self; coerceIn(self, self) self';

/** What Kotlin's library gives, as far as much used chains lead through it: see `source/link/library.ts`. */
export const LIBRARY = `
package kotlin
type Any: ${ANY}
type Nothing
type Unit
type Boolean: not() Boolean
${'Byte Short Float Double'.replace(/\S+/g, `type $& extends Number, Comparable<$&>\n`)}
${'Int Long'.replace(/\S+/g, `type $& extends Number, Comparable<$&>: ${BITS}\n`)}
type Number: ${NUMBER}
type Char extends Comparable<Char>: code Int; isDigit() Boolean; isLetter() Boolean; isWhitespace() Boolean; isUpperCase() Boolean; uppercaseChar() Char; lowercaseChar() Char; digitToInt() Int
interface Comparable<T>: compareTo(T) Int
interface CharSequence: length Int; get(Int) Char; subSequence(Int, Int) CharSequence
type String extends CharSequence, Comparable<String>: substring(Int) String; substring(Int, Int) String; substringBefore(?) String; substringAfter(?) String; substringBeforeLast(?) String; substringAfterLast(?) String; trim() String; trimIndent() String; trimMargin() String; trimStart() String; trimEnd() String; split(...?) List<String>; lines() List<String>; lineSequence() Sequence<String>; replace(?, ?) String; replaceFirst(?, ?) String; uppercase() String; lowercase() String; startsWith(?) Boolean; endsWith(?) Boolean; contains(?) Boolean; isEmpty() Boolean; isNotEmpty() Boolean; isBlank() Boolean; isNotBlank() Boolean; isNullOrEmpty() Boolean; isNullOrBlank() Boolean; toInt() Int; toLong() Long; toDouble() Double; toIntOrNull() Int; toLongOrNull() Long; toRegex() Regex; toByteArray() ByteArray; encodeToByteArray() ByteArray; toCharArray() CharArray; format(...?) String; indexOf(?) Int; lastIndexOf(?) Int; removePrefix(?) String; removeSuffix(?) String; padStart(...?) String; padEnd(...?) String; repeat(Int) String; reversed() String; first() Char; last() Char; drop(Int) String; take(Int) String; filter(fn(Char) Boolean) String; <R> map(fn(Char) R) List<R>; forEach(fn(Char)); ifEmpty(?) String; orEmpty() String; plus(?) String
interface Function
type Pair<A, B>: first A; second B; component1() A; component2() B; toList() List<A>
type Triple<A, B, C>: first A; second B; third C
interface Lazy<T>: value T; isInitialized() Boolean
type Result<T>: isSuccess Boolean; isFailure Boolean; getOrNull() T; getOrThrow() T; getOrElse(fn(?) T) T; exceptionOrNull() Throwable; onSuccess(fn(T)) Result<T>; onFailure(fn(Throwable)) Result<T>; <R> map(fn(T) R) Result<R>
type Throwable: message String; cause Throwable; printStackTrace(); stackTraceToString() String; addSuppressed(Throwable)
${'Exception Error'.replace(/\S+/g, 'type $& extends Throwable\n')}${'RuntimeException IllegalArgumentException IllegalStateException NullPointerException IndexOutOfBoundsException UnsupportedOperationException ClassCastException ArithmeticException NumberFormatException NoSuchElementException ConcurrentModificationException'.replace(/\S+/g, 'type $& extends Exception\n')}type AssertionError extends Error
type Enum<E> extends Comparable<E>: name String; ordinal Int; values() Array<E>; valueOf(String) E; entries List<E>
type Array<T> extends kotlin.collections.Iterable<T>: set(Int, T); copyOf() Array<T>; copyOfRange(Int, Int) Array<T>; clone() Array<T>; fill(T)
${'Byte Short Int Long Char Boolean Float Double'
  .split(' ')
  .map(
    (name) =>
      `type ${name}Array extends kotlin.collections.Iterable<${name}>: set(Int, ${name}); copyOf() ${name}Array; copyOfRange(Int, Int) ${name}Array; copyInto(${name}Array) ${name}Array; clone() ${name}Array; fill(${name}); decodeToString() String; concatToString() String\n`,
  )
  .join('')}
${'Override Deprecated Suppress JvmStatic JvmField JvmName JvmOverloads Throws OptIn'.replace(/\S+/g, 'interface $&\n')}
func <T> lazy(fn() T) T
func <T> lazy(?, fn() T) T
func <T> arrayOf(...T) Array<T>
func byteArrayOf(...?) ByteArray
func intArrayOf(...?) IntArray
func <T> requireNotNull(T) T
func <T> requireNotNull(T, ?) T
func <T> checkNotNull(T) T
func <T> checkNotNull(T, ?) T
func require(Boolean)
func require(Boolean, ?)
func check(Boolean)
func check(Boolean, ?)
func error(?) Nothing
func TODO() Nothing
func TODO(?) Nothing
func <R> run(fn() R) R
func <T, R> with(T, fn(T) R) R
func repeat(Int, fn(Int))
func <R> runCatching(fn() R) Result<R>
func <T> synchronized(?, fn() T) T
package kotlin.io
func println()
func println(?)
func print(?)
func readLine() String
package kotlin.collections
interface Iterator<T>: hasNext() Boolean; next() T
interface MutableIterator<T> extends Iterator<T>: remove()
interface Iterable<T>: ${ITERABLE}
interface Collection<T> extends Iterable<T>: containsAll(?) Boolean
interface MutableCollection<T> extends Collection<T>: add(T) Boolean; addAll(?) Boolean; remove(T) Boolean; removeAll(?) Boolean; removeIf(?) Boolean; retainAll(?) Boolean; clear(); plusAssign(?); minusAssign(?)
interface List<T> extends Collection<T>: subList(Int, Int) List<T>; lastIndexOf(T) Int; listIterator() Iterator<T>; asReversed() List<T>
interface MutableList<T> extends List<T>, MutableCollection<T>: set(Int, T) T; removeAt(Int) T; add(Int, T); removeFirst() T; removeLast() T; sort(); sortBy(fn(T) ?); removeFirstOrNull() T; removeLastOrNull() T
type ArrayList<T> extends MutableList<T>
type ArrayDeque<T> extends MutableList<T>: addFirst(T); addLast(T)
interface Set<T> extends Collection<T>
interface MutableSet<T> extends Set<T>, MutableCollection<T>
type HashSet<T> extends MutableSet<T>
type LinkedHashSet<T> extends MutableSet<T>
interface Map<K, V>: get(K) V; getValue(K) V; getOrDefault(K, V) V; getOrElse(K, fn() V) V; containsKey(K) Boolean; containsValue(V) Boolean; contains(K) Boolean; keys Set<K>; values Collection<V>; entries Set<Map.Entry<K, V>>; size Int; isEmpty() Boolean; isNotEmpty() Boolean; forEach(fn(Map.Entry<K, V>)); <R> map(fn(Map.Entry<K, V>) R) List<R>; filter(fn(Map.Entry<K, V>) Boolean) Map<K, V>; filterKeys(fn(K) Boolean) Map<K, V>; filterValues(fn(V) Boolean) Map<K, V>; <R> mapValues(fn(Map.Entry<K, V>) R) Map<K, R>; <R> mapKeys(fn(Map.Entry<K, V>) R) Map<R, V>; toMutableMap() MutableMap<K, V>; toMap() Map<K, V>; toList() List<Pair<K, V>>; plus(?) Map<K, V>; iterator() Iterator<Map.Entry<K, V>>; any(fn(Map.Entry<K, V>) Boolean) Boolean; all(fn(Map.Entry<K, V>) Boolean) Boolean
interface Map.Entry<K, V>: key K; value V; component1() K; component2() V
interface MutableMap<K, V> extends Map<K, V>: put(K, V) V; set(K, V); remove(K) V; getOrPut(K, fn() V) V; putAll(?); clear(); putIfAbsent(K, V) V; computeIfAbsent(K, fn(K) V) V
type HashMap<K, V> extends MutableMap<K, V>
type LinkedHashMap<K, V> extends MutableMap<K, V>
type IndexedValue<T>: index Int; value T; component1() Int; component2() T
func <T> listOf(...T) List<T>
func <T> listOfNotNull(...T) List<T>
func <T> emptyList() List<T>
func <T> mutableListOf(...T) MutableList<T>
func <T> arrayListOf(...T) ArrayList<T>
func <T> setOf(...T) Set<T>
func <T> emptySet() Set<T>
func <T> mutableSetOf(...T) MutableSet<T>
func <T> hashSetOf(...T) HashSet<T>
func <T> linkedSetOf(...T) LinkedHashSet<T>
func <K, V> mapOf(...Pair<K, V>) Map<K, V>
func <K, V> emptyMap() Map<K, V>
func <K, V> mutableMapOf(...Pair<K, V>) MutableMap<K, V>
func <K, V> hashMapOf(...Pair<K, V>) HashMap<K, V>
func <K, V> linkedMapOf(...Pair<K, V>) LinkedHashMap<K, V>
func <T> buildList(fn(MutableList<T>)) List<T>
package kotlin.sequences
interface Sequence<T> extends kotlin.collections.Iterable<T>
func <T> sequenceOf(...T) Sequence<T>
func <T> sequence(?) Sequence<T>
func <T> generateSequence(?, ?) Sequence<T>
package kotlin.text
type Regex: matches(?) Boolean; find(?) MatchResult; findAll(?) Sequence<MatchResult>; replace(?, ?) String; containsMatchIn(?) Boolean; matchEntire(?) MatchResult; split(?) List<String>; pattern String
interface MatchResult: value String; groupValues List<String>; groups ?; range IntRange; next() MatchResult; destructured ?
type StringBuilder extends CharSequence: append(?) StringBuilder; append(?, ?, ?) StringBuilder; appendLine(?) StringBuilder; appendLine() StringBuilder; insert(Int, ?) StringBuilder; toString() String; setLength(Int); reverse() StringBuilder; clear() StringBuilder; deleteCharAt(Int) StringBuilder
func buildString(fn(StringBuilder)) String
package kotlin.ranges
type IntRange extends kotlin.collections.Iterable<Int>: first Int; last Int; step(Int) IntRange
`;
