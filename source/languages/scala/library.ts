import { LIBRARY as JVM } from '../java/library.js';

/** Names of types of `scala` where other packages have some of the same name. */
const SHORT =
  /(?<![\w.])(?:Iterable|Iterator|List|Seq|IndexedSeq|Vector|Set|Map|Array|Option|Either|Range|Int|Boolean|Char|Byte)\b(?!\$)/g;
const full = (text: string) => text.replace(SHORT, 'scala.$&');

/** What every value has. */
const ANY =
  'toString() String; hashCode() Int; equals(Any) Boolean; getClass() Class<?>; `##`() Int; isInstanceOf() Boolean; ' +
  '<R> asInstanceOf() R; copy(...?) self; `->`(?) (self, ?); ensuring(?) self; formatted(String) String; ' +
  'productIterator() Iterator<Any>; productArity() Int; productElement(Int) Any; productPrefix() String; canEqual(Any) Boolean; ' +
  'synchronized(?) ?; wait(); notify(); notifyAll()';

/** What collections have; `C` stands for the one itself. */
const SEQ =
  'iterator() Iterator<T>; foreach(fn(T) ?); <R> map(fn(T) R) C<R>; <R> flatMap(fn(T) Iterable<R>) C<R>; filter(fn(T) Boolean) self; ' +
  'filterNot(fn(T) Boolean) self; withFilter(fn(T) Boolean) self; <R> collect(fn(T) R) C<R>; <R> collectFirst(fn(T) R) Option<R>; head() T; ' +
  'headOption() Option<T>; last() T; lastOption() Option<T>; tail() self; init() self; find(fn(T) Boolean) Option<T>; exists(fn(T) Boolean) Boolean; ' +
  'forall(fn(T) Boolean) Boolean; count(fn(T) Boolean) Int; size() Int; length() Int; isEmpty() Boolean; nonEmpty() Boolean; ' +
  'mkString() String; mkString(String) String; mkString(String, String, String) String; <B> foldLeft(B) fn(fn(B, T) B) B; <B> foldRight(B) fn(fn(T, B) B) B; ' +
  '<B> fold(B) fn(fn(B, B) B) B; <B> `/:`(B) fn(fn(B, T) B) B; reduce(fn(T, T) T) T; reduceLeft(fn(T, T) T) T; reduceRight(fn(T, T) T) T; reduceOption(fn(T, T) T) Option<T>; ' +
  'reduceLeftOption(fn(T, T) T) Option<T>; <K> groupBy(fn(T) K) Map<K, self>; partition(fn(T) Boolean) (self, self); span(fn(T) Boolean) (self, self); splitAt(Int) (self, self); ' +
  'take(Int) self; drop(Int) self; takeRight(Int) self; dropRight(Int) self; takeWhile(fn(T) Boolean) self; dropWhile(fn(T) Boolean) self; slice(Int, Int) self; ' +
  'reverse() self; distinct() self; sorted() self; sortBy(fn(T) ?) self; sortWith(fn(T, T) Boolean) self; sum() T; product() T; min() T; max() T; minBy(fn(T) ?) T; maxBy(fn(T) ?) T; ' +
  'minOption() Option<T>; maxOption() Option<T>; toList() List<T>; toSeq() Seq<T>; toVector() Vector<T>; toSet() Set<T>; toArray() Array<T>; toMap() Map<?, ?>; toIndexedSeq() IndexedSeq<T>; ' +
  'toIterator() Iterator<T>; toBuffer() scala.collection.mutable.Buffer<T>; to(?) ?; zipWithIndex() C<(T, Int)>; <B> zip(Iterable<B>) C<(T, B)>; <A, B> unzip() (C<A>, C<B>); contains(?) Boolean; indexOf(?) Int; ' +
  'indexWhere(fn(T) Boolean) Int; lastIndexOf(?) Int; apply(Int) T; lift() fn(Int) Option<T>; isDefinedAt(Int) Boolean; indices() Range; updated(Int, T) self; `:+`(T) self; `+:`(T) self; `++`(?) self; `:++`(?) self; `++:`(?) self; ' +
  'concat(?) self; appended(T) self; prepended(T) self; padTo(Int, T) self; patch(Int, ?, Int) self; diff(?) self; intersect(?) self; union(?) self; flatten() C<?>; <B> scanLeft(B) fn(fn(B, T) B) C<B>; grouped(Int) Iterator<self>; ' +
  'sliding(Int) Iterator<self>; sliding(Int, Int) Iterator<self>; transpose() C<?>; view() self; force() self; par() self; seq() self; tails() Iterator<self>; inits() Iterator<self>; permutations() Iterator<self>; combinations(Int) Iterator<self>; ' +
  'startsWith(?) Boolean; endsWith(?) Boolean; sameElements(?) Boolean; corresponds(?) fn(?) Boolean; knownSize() Int; hasDefiniteSize() Boolean; copyToArray(...?) Int; addString(...?) ?; ' +
  'tapEach(fn(T) ?) self; <K> keyBy(fn(T) K) Map<K, T>; <K, B> groupMap(fn(T) K) fn(fn(T) B) Map<K, C<B>>; <B> distinctBy(fn(T) B) self; <A, B> partitionMap(fn(T) ?) (C<A>, C<B>); reverseIterator() Iterator<T>; asJava() ?';
const of = (name: string) => full(SEQ).replace(/\bC</g, `${name}<`);

const OPTION =
  'get() T; getOrElse(T) T; orElse(?) Option<T>; isEmpty() Boolean; isDefined() Boolean; nonEmpty() Boolean; <R> map(fn(T) R) Option<R>; <R> flatMap(fn(T) Option<R>) Option<R>; ' +
  'filter(fn(T) Boolean) Option<T>; filterNot(fn(T) Boolean) Option<T>; withFilter(fn(T) Boolean) Option<T>; foreach(fn(T) ?); exists(fn(T) Boolean) Boolean; forall(fn(T) Boolean) Boolean; contains(?) Boolean; ' +
  '<R> collect(fn(T) R) Option<R>; <R> fold(R) fn(fn(T) R) R; toList() List<T>; toSeq() Seq<T>; iterator() Iterator<T>; orNull() T; toRight(?) Either<?, T>; toLeft(?) Either<T, ?>; <B> zip(Option<B>) Option<(T, B)>; flatten() Option<?>; size() Int; head() T; tapEach(fn(T) ?) self; toSet() Set<T>; toVector() Vector<T>; knownSize() Int';

const MAP =
  'get(K) Option<V>; getOrElse(K, V) V; apply(K) V; contains(K) Boolean; keys() Iterable<K>; values() Iterable<V>; keySet() Set<K>; keysIterator() Iterator<K>; valuesIterator() Iterator<V>; iterator() Iterator<(K, V)>; ' +
  '`+`(?) self; `-`(K) self; `++`(?) self; `--`(?) self; updated(K, V) self; removed(K) self; foreach(fn((K, V)) ?); filter(fn((K, V)) Boolean) self; filterNot(fn((K, V)) Boolean) self; withFilter(fn((K, V)) Boolean) self; ' +
  'find(fn((K, V)) Boolean) Option<(K, V)>; exists(fn((K, V)) Boolean) Boolean; forall(fn((K, V)) Boolean) Boolean; count(fn((K, V)) Boolean) Int; <R> map(fn((K, V)) R) Iterable<R>; <R> flatMap(fn((K, V)) Iterable<R>) Iterable<R>; <R> collect(fn((K, V)) R) Iterable<R>; <R> collectFirst(fn((K, V)) R) Option<R>; ' +
  '<W> mapValues(fn(V) W) Map<K, W>; <W> transform(fn(K, V) W) Map<K, W>; filterKeys(fn(K) Boolean) self; toList() List<(K, V)>; toSeq() Seq<(K, V)>; toVector() Vector<(K, V)>; toArray() Array<(K, V)>; toMap() Map<K, V>; toSet() Set<(K, V)>; view() self; head() (K, V); headOption() Option<(K, V)>; last() (K, V); size() Int; isEmpty() Boolean; nonEmpty() Boolean; ' +
  'partition(fn((K, V)) Boolean) (self, self); <B> foldLeft(B) fn(fn(B, (K, V)) B) B; <G> groupBy(fn((K, V)) G) Map<G, self>; mkString(...String) String; withDefaultValue(V) self; isDefinedAt(K) Boolean; tail() self; take(Int) self; drop(Int) self; maxBy(fn((K, V)) ?) (K, V); minBy(fn((K, V)) ?) (K, V); lift() fn(K) Option<V>; sameElements(?) Boolean; keySet() Set<K>; concat(?) self; removedAll(?) self; asJava() ?; sortBy(fn((K, V)) ?) ?; zipWithIndex() Iterable<((K, V), Int)>';

const OPERATORS = '`+` `-` `*` `/` `%` `&` `|` `^`'
  .split(' ')
  .map((name) => `${name}(?) self`)
  .join('; ');
const COMPARING = '`<` `>` `<=` `>=`'
  .split(' ')
  .map((name) => `${name}(?) Boolean`)
  .join('; ');
const NUMBER =
  `${OPERATORS}; ${COMPARING}; \`<<\`(?) self; \`>>\`(?) self; \`>>>\`(?) self; toInt() Int; toLong() Long; toDouble() Double; toFloat() Float; toByte() Byte; toShort() Short; ` +
  'toChar() Char; abs() self; max(?) self; min(?) self; to(?) Range; until(?) Range; compare(?) Int; signum() Int; isWhole() Boolean; toHexString() String; toBinaryString() String; round() Long; ceil() self; floor() self; isNaN() Boolean; isInfinity() Boolean';

const STRING =
  'length() Int; charAt(Int) Char; substring(Int) String; substring(Int, Int) String; trim() String; strip() String; toLowerCase() String; toUpperCase() String; split(?) Array<String>; split(?, ?) Array<String>; replace(?, ?) String; replaceAll(?, ?) String; replaceFirst(?, ?) String; ' +
  'startsWith(?) Boolean; startsWith(?, ?) Boolean; endsWith(?) Boolean; contains(?) Boolean; indexOf(?) Int; indexOf(?, ?) Int; lastIndexOf(?) Int; lastIndexOf(?, ?) Int; isEmpty() Boolean; nonEmpty() Boolean; equalsIgnoreCase(?) Boolean; compareTo(String) Int; compareToIgnoreCase(String) Int; concat(?) String; matches(String) Boolean; ' +
  'getBytes() Array<Byte>; getBytes(?) Array<Byte>; getChars(?, ?, ?, ?); toCharArray() Array<Char>; intern() String; codePointAt(Int) Int; subSequence(Int, Int) CharSequence; repeat(Int) String; isBlank() Boolean; format(...?) String; `+`(?) String; `*`(Int) String; toInt() Int; toLong() Long; toDouble() Double; toFloat() Float; toBoolean() Boolean; toByte() Byte; toShort() Short; ' +
  'toIntOption() Option<Int>; toLongOption() Option<Long>; toDoubleOption() Option<Double>; toBooleanOption() Option<Boolean>; stripMargin() String; stripMargin(Char) String; stripPrefix(String) String; stripSuffix(String) String; stripLineEnd() String; linesIterator() Iterator<String>; lines() Iterator<String>; linesWithSeparators() Iterator<String>; r() scala.util.matching.Regex; capitalize() String; reverse() String; apply(Int) Char; ' +
  'foreach(fn(Char) ?); <R> map(fn(Char) R) IndexedSeq<R>; flatMap(fn(Char) ?) String; filter(fn(Char) Boolean) String; filterNot(fn(Char) Boolean) String; exists(fn(Char) Boolean) Boolean; forall(fn(Char) Boolean) Boolean; find(fn(Char) Boolean) Option<Char>; count(fn(Char) Boolean) Int; take(Int) String; drop(Int) String; takeRight(Int) String; dropRight(Int) String; takeWhile(fn(Char) Boolean) String; dropWhile(fn(Char) Boolean) String; ' +
  'head() Char; headOption() Option<Char>; last() Char; lastOption() Option<Char>; tail() String; init() String; toList() List<Char>; toSeq() Seq<Char>; toSet() Set<Char>; toArray() Array<Char>; toVector() Vector<Char>; iterator() Iterator<Char>; mkString(...String) String; zipWithIndex() IndexedSeq<(Char, Int)>; indices() Range; size() Int; slice(Int, Int) String; span(fn(Char) Boolean) (String, String); partition(fn(Char) Boolean) (String, String); splitAt(Int) (String, String); padTo(Int, Char) String; indexWhere(fn(Char) Boolean) Int; `++`(?) String; `:+`(?) String; `+:`(?) String; grouped(Int) Iterator<String>; sliding(Int) Iterator<String>; sorted() String; distinct() String; <B> foldLeft(B) fn(fn(B, Char) B) B; `<`(?) Boolean; `>`(?) Boolean; `<=`(?) Boolean; `>=`(?) Boolean; compare(?) Int; stripTrailing() String; chars() ?; codePoints() ?; regionMatches(...?) Boolean; formatLocal(...?) String; updated(Int, Char) String; patch(...?) String; nonBlank() Boolean; isDefinedAt(Int) Boolean; unapplySeq(?) ?; collect(fn(Char) ?) ?; diff(?) String; translateEscapes() String';

/** What stands beside a collection. */
const beside = (name: string) =>
  `type ${name}$: <T> apply(...T) ${name}<T>; <T> empty() ${name}<T>; <T> fill(Int) fn(T) ${name}<T>; <T> tabulate(Int) fn(fn(Int) T) ${name}<T>; <T> from(Iterable<T>) ${name}<T>; <T> newBuilder() scala.collection.mutable.Builder<T, ${name}<T>>; range(...Int) ${name}<Int>; <T> concat(...Iterable<T>) ${name}<T>; <T> unapplySeq(?) ${name}<T>; <T> iterate(T, Int) fn(fn(T) T) ${name}<T>\n`;
const besideMap = (name: string) =>
  `type ${name}$: <K, V> apply(...(K, V)) ${name}<K, V>; <K, V> empty() ${name}<K, V>; <K, V> from(Iterable<(K, V)>) ${name}<K, V>; newBuilder() ?\n`;

const IMMUTABLE = 'Iterable Traversable Seq IndexedSeq LinearSeq List Vector Stream LazyList Queue';
const sequences = IMMUTABLE.split(' ')
  .map((name) => {
    const base =
      name === 'Iterable'
        ? ''
        : name === 'Seq' || name === 'Traversable'
          ? ' extends Iterable<T>'
          : ' extends Seq<T>';
    const own =
      name === 'List'
        ? '; `::`(T) List<T>; `:::`(?) List<T>; mapConserve(?) List<T>'
        : name === 'Queue'
          ? '; enqueue(T) Queue<T>; dequeue() (T, Queue<T>)'
          : '';
    return `type ${name}<T>${base}: ${of(name)}${own}\n${beside(name)}`;
  })
  .join('');

/** The same names in packages that say where they come from. */
const again = (names: string) =>
  names
    .split(' ')
    .map((name) =>
      name === 'Map' || name === 'SortedMap' || name === 'ListMap' || name === 'HashMap' || name === 'TreeMap'
        ? `type ${name}<K, V> extends scala.Map<K, V>\n${besideMap(name)}`
        : `type ${name}<T> extends scala.${/Set/.test(name) ? 'Set' : name}<T>\n${beside(name)}`,
    )
    .join('');

const BUFFER =
  '`+=`(T) self; `-=`(T) self; `++=`(?) self; append(...T) self; prepend(...T) self; insert(Int, ...T); remove(Int) T; clear(); addOne(T) self; addAll(?) self; `+=:`(T) self; result() self; update(Int, T); toSeq() scala.Seq<T>; trimEnd(Int); appendAll(?) self; mapInPlace(fn(T) T) self; filterInPlace(fn(T) Boolean) self; sizeHint(Int)';
const MUTABLE_MAP =
  'update(K, V); put(K, V) Option<V>; remove(K) Option<V>; getOrElseUpdate(K, V) V; `+=`(?) self; `-=`(K) self; `++=`(?) self; `--=`(?) self; clear(); addOne(?) self; addAll(?) self; filterInPlace(?) self; updateWith(K) fn(?) Option<V>; result() self';

/** What Scala's library gives, as far as much used chains lead through it: see `source/link/library.ts`. */
export const LIBRARY = `
package scala
type Any: ${ANY}
type AnyVal
type AnyRef
type Nothing
type Null
type Unit
type Boolean: \`unary_!\`() Boolean; \`&\`(?) Boolean; \`|\`(?) Boolean; \`^\`(?) Boolean; compare(?) Int
${['Double', 'Float extends Double', 'Long extends Float', 'Int extends Long', 'Short extends Int', 'Byte extends Short', 'Char extends Int'].map((name) => `type ${name}: ${NUMBER}${name.startsWith('Char') ? '; isDigit() Boolean; isLetter() Boolean; isLetterOrDigit() Boolean; isWhitespace() Boolean; isUpper() Boolean; isLower() Boolean; toUpper() Char; toLower() Char; asDigit() Int; isControl() Boolean; getNumericValue() Int' : ''}\n`).join('')}
${'Double Float Long Int Short Byte Char Boolean'.replace(/\S+/g, (name) => `type ${name}$: MaxValue ${name}; MinValue ${name}; NaN ${name}; PositiveInfinity ${name}; NegativeInfinity ${name}; MinPositiveValue ${name}; box(?) ?; unbox(?) ${name}\n`)}
type BigInt: ${NUMBER}; pow(Int) BigInt; toByteArray() Array<Byte>; bitLength() Int; gcd(BigInt) BigInt; toString(Int) String
type BigInt$: apply(...?) BigInt
type BigDecimal: ${NUMBER}; setScale(...?) BigDecimal; scale() Int; precision() Int; toBigInt() BigInt
type BigDecimal$: apply(...?) BigDecimal; valueOf(?) BigDecimal
interface Product
interface Serializable
interface Equals
interface Function
interface PartialFunction<A, B>: apply(A) B; isDefinedAt(A) Boolean; lift() fn(A) Option<B>; orElse(?) PartialFunction<A, B>; andThen(?) ?; applyOrElse(A, ?) B
interface Ordered<T>: compare(T) Int; default \`<\`(T) Boolean; default \`>\`(T) Boolean; default \`<=\`(T) Boolean; default \`>=\`(T) Boolean; default compareTo(T) Int
type Option<T>: ${OPTION}
type Option$: <T> apply(T) Option<T>; <T> empty() Option<T>; <T> when(Boolean) fn(T) Option<T>
type Some<T> extends Option<T>: value() T
type Some$: <T> apply(T) Some<T>
type None extends Option<?>
type None$ extends Option<?>
type Either<L, R>: <B> map(fn(R) B) Either<L, B>; <B> flatMap(fn(R) Either<L, B>) Either<L, B>; <A> leftMap(fn(L) A) Either<A, R>; left() LeftProjection<L, R>; right() RightProjection<L, R>; isLeft() Boolean; isRight() Boolean; getOrElse(R) R; orElse(?) Either<L, R>; <B> fold(fn(L) B, fn(R) B) B; foreach(fn(R) ?); toOption() Option<R>; swap() Either<R, L>; filterOrElse(?, ?) Either<L, R>; exists(fn(R) Boolean) Boolean; forall(fn(R) Boolean) Boolean; contains(?) Boolean; toSeq() Seq<R>; toTry() scala.util.Try<R>; merge() R
type LeftProjection<L, R>: get() L; <A> map(fn(L) A) Either<A, R>; toOption() Option<L>; getOrElse(L) L; foreach(fn(L) ?)
type RightProjection<L, R>: get() R; <B> map(fn(R) B) Either<L, B>; <B> flatMap(fn(R) Either<L, B>) Either<L, B>; toOption() Option<R>; getOrElse(R) R; foreach(fn(R) ?)
type Left<L, R> extends Either<L, R>: value() L
type Left$: <L> apply(L) Left<L, ?>
type Right<L, R> extends Either<L, R>: value() R
type Right$: <R> apply(R) Right<?, R>
${sequences}
type Nil extends List<?>
type Nil$ extends List<?>
type Array<T> extends Seq<T>: ${of('Array')}; update(Int, T); clone() Array<T>; length() Int
${beside('Array')}
type Set<T> extends Iterable<T>: ${of('Set').replace('apply(Int) T', 'apply(T) Boolean')}; \`+\`(T) self; \`-\`(T) self; \`--\`(?) self; \`&\`(?) self; \`|\`(?) self; \`&~\`(?) self; subsetOf(?) Boolean; incl(T) self; excl(T) self
${beside('Set')}
type Map<K, V> extends Iterable<(K, V)>: ${MAP}
${besideMap('Map')}
type Iterator<T> extends Iterable<T>: hasNext() Boolean; next() T; buffered() BufferedIterator<T>; nextOption() Option<T>; ${of('Iterator')}; duplicate() (Iterator<T>, Iterator<T>)
type BufferedIterator<T> extends Iterator<T>: headOption() Option<T>
type Iterator$: <T> apply(...T) Iterator<T>; empty() Iterator<?>; <T> continually(T) Iterator<T>; single(?) ?; from(...Int) Iterator<Int>; range(...Int) Iterator<Int>; <T> fill(Int) fn(T) Iterator<T>; <T> tabulate(Int) fn(fn(Int) T) Iterator<T>; <T> iterate(T) fn(fn(T) T) Iterator<T>; <T> unfold(?) fn(?) ?
type Range extends IndexedSeq<Int>: by(Int) Range; start() Int; end() Int; step() Int; inclusive() Range
type Range$: apply(...Int) Range; inclusive(...Int) Range
type StringBuilder extends Seq<Char>: append(?) StringBuilder; \`++=\`(?) StringBuilder; \`+=\`(?) StringBuilder; result() String; clear(); setLength(Int); insert(Int, ?) StringBuilder; appendAll(...?) StringBuilder; deleteCharAt(Int) StringBuilder; length() Int; charAt(Int) Char
type StringContext: s(...?) String; raw(...?) String; parts() Seq<String>
type Symbol: name() String
type Enumeration: Value Enumeration.Value; values() Set<Enumeration.Value>; withName(String) Enumeration.Value; apply(Int) Enumeration.Value; maxId() Int
type Enumeration.Value: id() Int
interface App: default main(?)
type MatchError extends java.lang.RuntimeException
type Console$: println(?); print(?); err() java.io.PrintStream; out() java.io.PrintStream; withOut(?) fn(?) ?; withErr(?) fn(?) ?
${'Throwable Exception Error RuntimeException NullPointerException ClassCastException IndexOutOfBoundsException ArrayIndexOutOfBoundsException StringIndexOutOfBoundsException UnsupportedOperationException IllegalArgumentException NumberFormatException InterruptedException AbstractMethodError'.replace(/\S+/g, 'type $& extends java.lang.$&\n')}
type NoSuchElementException extends java.lang.RuntimeException
${'inline native noinline specialized throws transient unchecked volatile main'.replace(/\S+/g, 'interface $&\n')}
package scala.annotation
${'tailrec switch nowarn implicitNotFound unused varargs targetName'.replace(/\S+/g, 'interface $&\n')}
package scala.reflect
type Enum: ordinal() Int; values() scala.Array<?>; valueOf(String) ?; fromOrdinal(Int) ?
interface ClassTag<T>: runtimeClass() Class<?>
package scala.Predef
func println()
func println(?)
func print(?)
func printf(?, ...?)
func require(Boolean)
func require(Boolean, ?)
func assert(Boolean)
func assert(Boolean, ?)
func assume(Boolean)
func assume(Boolean, ?)
func <T> identity(T) T
func <T> implicitly() T
func <T> summon() T
func <T> locally(T) T
func <T> classOf() Class<T>
func \`???\`() Nothing
type ArrowAssoc
package scala.util
type Try<T>: get() T; getOrElse(T) T; orElse(?) Try<T>; isSuccess() Boolean; isFailure() Boolean; <R> map(fn(T) R) Try<R>; <R> flatMap(fn(T) Try<R>) Try<R>; filter(fn(T) Boolean) Try<T>; withFilter(fn(T) Boolean) Try<T>; foreach(fn(T) ?); recover(?) Try<T>; recoverWith(?) Try<T>; toOption() scala.Option<T>; toEither() scala.Either<Throwable, T>; <R> fold(fn(Throwable) R, fn(T) R) R; failed() Try<Throwable>; <R> collect(fn(T) R) Try<R>; <R> transform(fn(T) Try<R>, fn(Throwable) Try<R>) Try<R>
type Try$: <T> apply(T) Try<T>
type Success<T> extends Try<T>: value() T
type Success$: <T> apply(T) Success<T>
type Failure<T> extends Try<T>: exception() Throwable
type Failure$: apply(Throwable) Failure<?>
type Either<L, R> extends scala.Either<L, R>
type Left<L, R> extends scala.Left<L, R>
type Left$: <L> apply(L) Left<L, ?>
type Right<L, R> extends scala.Right<L, R>
type Right$: <R> apply(R) Right<?, R>
type Random: nextInt() Int; nextInt(...Int) Int; nextDouble() Double; nextLong() Long; nextBoolean() Boolean; nextString(Int) String; <T> shuffle(T) T; alphanumeric() scala.LazyList<Char>
type Random$ extends Random
type Using$: <T, R> apply(T) fn(fn(T) R) Try<R>; <T, R> resource(T) fn(fn(T) R) R
package scala.util.matching
type Regex: findFirstIn(?) scala.Option<String>; findAllIn(?) scala.Iterator<String>; findFirstMatchIn(?) scala.Option<Regex.Match>; findAllMatchIn(?) scala.Iterator<Regex.Match>; replaceAllIn(?, ?) String; replaceFirstIn(?, ?) String; matches(?) Boolean; split(?) scala.Array<String>; unapplySeq(?) scala.Option<scala.List<String>>; pattern() java.util.regex.Pattern; regex() String; unanchored() Regex; findPrefixOf(?) scala.Option<String>
type Regex.Match: group(?) String; matched() String; start() Int; end() Int; before() CharSequence; after() CharSequence; subgroups() scala.List<String>; groupCount() Int
package scala.concurrent
type Future<T>: <R> map(fn(T) R) Future<R>; <R> flatMap(fn(T) Future<R>) Future<R>; foreach(fn(T) ?); filter(fn(T) Boolean) Future<T>; withFilter(fn(T) Boolean) Future<T>; recover(?) Future<T>; recoverWith(?) Future<T>; onComplete(fn(scala.util.Try<T>) ?); <B> zip(Future<B>) Future<(T, B)>; andThen(?) Future<T>; fallbackTo(Future<T>) Future<T>; <R> collect(fn(T) R) Future<R>; <R> transform(fn(scala.util.Try<T>) scala.util.Try<R>) Future<R>; <R> transformWith(fn(scala.util.Try<T>) Future<R>) Future<R>; isCompleted() Boolean; value() scala.Option<scala.util.Try<T>>; failed() Future<Throwable>
type Future$: <T> apply(T) Future<T>; <T> successful(T) Future<T>; failed(?) Future<?>; <T> sequence(scala.Iterable<Future<T>>) Future<scala.List<T>>; traverse(?) fn(?) ?; unit() Future<Unit>; <T> fromTry(scala.util.Try<T>) Future<T>; firstCompletedOf(?) Future<?>
type Promise<T>: future() Future<T>; success(T) Promise<T>; failure(?) Promise<T>; complete(?) Promise<T>; trySuccess(T) Boolean; tryFailure(?) Boolean; tryComplete(?) Boolean; completeWith(?) Promise<T>; isCompleted() Boolean
type Promise$: <T> apply() Promise<T>; <T> successful(T) Promise<T>
type Await$: <T> result(Future<T>, ?) T; ready(?, ?) ?
interface ExecutionContext: execute(?); reportFailure(?)
func <T> blocking(T) T
package scala.collection
${again('Iterable Seq IndexedSeq LinearSeq Set Map SortedMap SortedSet')}
type BufferedIterator<T> extends scala.BufferedIterator<T>
type Iterator<T> extends scala.Iterator<T>
package scala.collection.immutable
${again('Iterable Seq IndexedSeq LinearSeq List Vector Queue Stream LazyList Set Map SortedMap SortedSet ListMap HashMap TreeMap HashSet ListSet TreeSet BitSet')}
type Nil extends scala.List<?>
type Range extends scala.Range
package scala.collection.mutable
type Iterable<T> extends scala.Iterable<T>
${'Buffer ArrayBuffer ListBuffer Seq IndexedSeq Queue Stack ArrayDeque ArrayBuilder ArraySeq UnrolledBuffer'
  .split(' ')
  .map(
    (name) =>
      `type ${name}<T> extends scala.Seq<T>: ${of(name)}; ${BUFFER}; enqueue(...T) self; dequeue() T; push(T) self; pop() T; top() T; front() T\n${beside(name)}`,
  )
  .join('')}
${'Set HashSet LinkedHashSet TreeSet SortedSet BitSet'
  .split(' ')
  .map(
    (name) =>
      `type ${name}<T> extends scala.Set<T>: ${of(name).replace('apply(Int) T', 'apply(T) Boolean')}; ${BUFFER}; add(T) Boolean; remove(T) Boolean; update(T, Boolean)\n${beside(name)}`,
  )
  .join('')}
${'Map HashMap LinkedHashMap TreeMap SortedMap ListMap AnyRefMap LongMap WeakHashMap'
  .split(' ')
  .map((name) => `type ${name}<K, V> extends scala.Map<K, V>: ${MUTABLE_MAP}\n${besideMap(name)}`)
  .join('')}
type Builder<T, C>: \`+=\`(T) self; \`++=\`(?) self; result() C; clear(); sizeHint(Int); addOne(T) self; addAll(?) self
type StringBuilder extends scala.StringBuilder
package scala.math
interface Ordering<T>: compare(T, T) Int; default on(?) Ordering<?>; default reverse() Ordering<T>; default lt(T, T) Boolean; default gt(T, T) Boolean; default max(T, T) T; default min(T, T) T; default equiv(T, T) Boolean; default thenComparing(?) Ordering<T>; default orElseBy(?) Ordering<T>; default by(?) Ordering<?>
type Ordering$: <T> by(?) Ordering<T>; <T> fromLessThan(?) Ordering<T>; <T> apply() Ordering<T>; Int Ordering<Int>; String Ordering<String>
interface Ordered<T> extends scala.Ordered<T>
interface Numeric<T> extends Ordering<T>: plus(T, T) T; times(T, T) T; minus(T, T) T; zero() T; one() T; fromInt(Int) T; toInt(T) Int; toDouble(T) Double
type BigInt extends scala.BigInt
type BigDecimal extends scala.BigDecimal
func max(?, ?) ?
func min(?, ?) ?
func abs(?) ?
func sqrt(?) Double
func pow(?, ?) Double
func floor(?) Double
func ceil(?) Double
func round(?) Long
func random() Double
package scala.io
type Source extends scala.Iterator<Char>: getLines() scala.Iterator<String>; mkString() String; close()
type Source$: fromFile(...?) Source; fromString(String) Source; fromResource(...?) Source; fromURL(...?) Source; fromInputStream(...?) Source; stdin() Source
type StdIn$: readLine(...?) String; readInt() Int
package java.lang
type String extends CharSequence, Comparable<String>: ${full(STRING)}
${JVM.replace(/\ntype String extends [^\n]*/, '')}`;
