/** Types that add nothing that chains lead through to what they derive from. */
function behind(base: string, names: string): string {
  return names.replace(/\S+/g, `type $& extends ${base}\n`);
}

const STREAM = (of: string, own: string, also: string) =>
  `distinct() ${own}; sorted() ${own}; limit(long) ${own}; skip(long) ${own}; filter(${of}Predicate) ${own}; ` +
  `boxed() Stream<?>; count() long; sum() ?; parallel() ${own}; sequential() ${own}; ${also}`;

/** What Java's library gives, as far as much used chains and overloads lead through it: see `source/link/library.ts`. */
export const LIBRARY = `
package java.lang
type Object: getClass() Class<?>; toString() String; hashCode() int; equals(Object) boolean; clone() Object; notify(); notifyAll(); wait(); finalize()
interface Comparable<T>: compareTo(T) int
interface CharSequence: length() int; charAt(int) char; subSequence(int, int) CharSequence; isEmpty() boolean; chars() IntStream
interface Appendable: append(CharSequence) Appendable; append(char) Appendable; append(CharSequence, int, int) Appendable
interface AutoCloseable: close()
interface Cloneable
interface Runnable: run()
interface Iterable<T>: iterator() Iterator<T>; default forEach(Consumer<T>); default spliterator() Spliterator<T>
type String extends CharSequence, Comparable<String>, Serializable: trim() String; strip() String; substring(int) String; substring(int, int) String; toLowerCase() String; toUpperCase() String; toLowerCase(Locale) String; toUpperCase(Locale) String; replace(CharSequence, CharSequence) String; replace(char, char) String; replaceAll(String, String) String; replaceFirst(String, String) String; concat(String) String; intern() String; repeat(int) String; split(String) []String; split(String, int) []String; toCharArray() []char; getBytes() []byte; getBytes(Charset) []byte; getBytes(String) []byte; lines() Stream<String>; indexOf(String) int; indexOf(int) int; lastIndexOf(String) int; contains(CharSequence) boolean; startsWith(String) boolean; endsWith(String) boolean; equalsIgnoreCase(String) boolean; compareTo(String) int; matches(String) boolean; codePointAt(int) int; formatted(...Object) String; format(String, ...Object) String; valueOf(Object) String; join(CharSequence, ...?) String; isBlank() boolean
type AbstractStringBuilder extends CharSequence: capacity() int; setLength(int); indexOf(String) int; setCharAt(int, char); substring(int) String; substring(int, int) String
type StringBuilder extends AbstractStringBuilder, Comparable<StringBuilder>, Appendable, Serializable: append(?) StringBuilder; append(?, int, int) StringBuilder; insert(int, ?) StringBuilder; reverse() StringBuilder; delete(int, int) StringBuilder; deleteCharAt(int) StringBuilder; replace(int, int, String) StringBuilder; appendCodePoint(int) StringBuilder
type StringBuffer extends AbstractStringBuilder, Comparable<StringBuffer>, Appendable, Serializable: append(?) StringBuffer; append(?, int, int) StringBuffer; insert(int, ?) StringBuffer; reverse() StringBuffer; delete(int, int) StringBuffer; deleteCharAt(int) StringBuffer; replace(int, int, String) StringBuffer
type Number extends Serializable: intValue() int; longValue() long; doubleValue() double; floatValue() float; shortValue() short; byteValue() byte
type Integer extends Number, Comparable<Integer>: valueOf(?) Integer; parseInt(String) int; parseInt(String, int) int; MAX_VALUE int; MIN_VALUE int; compare(int, int) int; toString(int) String; toHexString(int) String; max(int, int) int; min(int, int) int; bitCount(int) int
type Long extends Number, Comparable<Long>: valueOf(?) Long; parseLong(String) long; MAX_VALUE long; MIN_VALUE long; compare(long, long) int; toString(long) String; toHexString(long) String
type Short extends Number, Comparable<Short>: valueOf(?) Short; parseShort(String) short; MAX_VALUE short; MIN_VALUE short
type Byte extends Number, Comparable<Byte>: valueOf(?) Byte; parseByte(String) byte; MAX_VALUE byte; MIN_VALUE byte
type Double extends Number, Comparable<Double>: valueOf(?) Double; parseDouble(String) double; isNaN() boolean; isInfinite() boolean; isNaN(double) boolean; isInfinite(double) boolean; MAX_VALUE double; MIN_VALUE double; NaN double; POSITIVE_INFINITY double; NEGATIVE_INFINITY double; compare(double, double) int; doubleToLongBits(double) long
type Float extends Number, Comparable<Float>: valueOf(?) Float; parseFloat(String) float; isNaN() boolean; isInfinite() boolean; isNaN(float) boolean; isInfinite(float) boolean; MAX_VALUE float; MIN_VALUE float; NaN float; POSITIVE_INFINITY float; NEGATIVE_INFINITY float; compare(float, float) int; floatToIntBits(float) int
type Boolean extends Comparable<Boolean>, Serializable: valueOf(?) Boolean; TRUE Boolean; FALSE Boolean; booleanValue() boolean; parseBoolean(String) boolean; toString(boolean) String
type Character extends Comparable<Character>, Serializable: valueOf(char) Character; charValue() char; isDigit(?) boolean; isLetter(?) boolean; isWhitespace(?) boolean; isUpperCase(?) boolean; toUpperCase(char) char; toLowerCase(char) char; toString(char) String; toChars(int) []char
type Enum<E> extends Comparable<E>, Serializable: name() String; ordinal() int; getDeclaringClass() Class<E>; compareTo(E) int; values() []E; valueOf(String) E; <T> valueOf(Class<T>, String) T
type Record
type Class<T> extends Type, GenericDeclaration, AnnotatedElement, Serializable: getName() String; getSimpleName() String; getTypeName() String; getCanonicalName() String; getPackage() Package; getSuperclass() Class<?>; getGenericSuperclass() Type; getInterfaces() []Class<?>; getGenericInterfaces() []Type; getComponentType() Class<?>; getEnclosingClass() Class<?>; getDeclaringClass() Class<?>; getFields() []Field; getDeclaredFields() []Field; getField(String) Field; getDeclaredField(String) Field; getMethods() []Method; getDeclaredMethods() []Method; getMethod(String, ...Class<?>) Method; getDeclaredMethod(String, ...Class<?>) Method; getConstructor(...Class<?>) Constructor<T>; getDeclaredConstructor(...Class<?>) Constructor<T>; getDeclaredConstructors() []Constructor<?>; getConstructors() []Constructor<?>; newInstance() T; cast(Object) T; <U> asSubclass(Class<U>) Class<U>; isInstance(Object) boolean; isArray() boolean; isPrimitive() boolean; isEnum() boolean; isInterface() boolean; isAssignableFrom(Class<?>) boolean; getEnumConstants() []T; getModifiers() int; getClassLoader() ClassLoader; getResourceAsStream(String) InputStream; getResource(String) URL; forName(String) Class<?>; desiredAssertionStatus() boolean
type Throwable extends Serializable: getMessage() String; getLocalizedMessage() String; getCause() Throwable; initCause(Throwable) Throwable; printStackTrace(); printStackTrace(?); getStackTrace() []StackTraceElement; addSuppressed(Throwable); getSuppressed() []Throwable
type StackTraceElement: getClassName() String; getMethodName() String; getLineNumber() int; getFileName() String
type Thread extends Runnable: start(); join(); interrupt(); getName() String; currentThread() Thread; getContextClassLoader() ClassLoader; getId() long; getThreadGroup() ThreadGroup; getStackTrace() []StackTraceElement; isAlive() boolean
type ThreadLocal<T>: get() T; set(T); remove(); <S> withInitial(Supplier<S>) ThreadLocal<S>
type ClassLoader: loadClass(String) Class<?>; getResourceAsStream(String) InputStream; getResource(String) URL
type System: out PrintStream; err PrintStream; in InputStream; currentTimeMillis() long; nanoTime() long; getProperty(String) String; getProperty(String, String) String; getenv(String) String; lineSeparator() String; identityHashCode(Object) int
type Math: abs(?) ?; sqrt(double) double; pow(double, double) double; floor(double) double; ceil(double) double; round(double) long; random() double
type Package: getName() String
type Void
type Array$<E> extends Cloneable, Serializable: length int; clone() []E; getClass() Class<?>
${'Override Deprecated SuppressWarnings FunctionalInterface SafeVarargs'.replace(/\S+/g, 'interface $&\n')}${behind('Throwable', 'Exception Error')}
${behind('Exception', 'RuntimeException ReflectiveOperationException CloneNotSupportedException InterruptedException')}
${behind('ReflectiveOperationException', 'ClassNotFoundException NoSuchFieldException NoSuchMethodException IllegalAccessException InstantiationException')}
${behind('RuntimeException', 'IllegalArgumentException IllegalStateException NullPointerException IndexOutOfBoundsException UnsupportedOperationException ClassCastException ArithmeticException SecurityException NegativeArraySizeException')}
${behind('IllegalArgumentException', 'NumberFormatException')}
${behind('IndexOutOfBoundsException', 'ArrayIndexOutOfBoundsException StringIndexOutOfBoundsException')}
${behind('Error', 'AssertionError LinkageError VirtualMachineError')}
${behind('VirtualMachineError', 'OutOfMemoryError StackOverflowError InternalError')}
package java.lang.reflect
interface Type: default getTypeName() String
interface AnnotatedElement: <T> getAnnotation(Class<T>) T; isAnnotationPresent(Class<?>) boolean; getAnnotations() []Annotation; getDeclaredAnnotations() []Annotation
interface GenericDeclaration extends AnnotatedElement: getTypeParameters() []TypeVariable<?>
interface Member: getName() String; getModifiers() int; getDeclaringClass() Class<?>; isSynthetic() boolean
interface ParameterizedType extends Type: getRawType() Type; getOwnerType() Type; getActualTypeArguments() []Type
interface GenericArrayType extends Type: getGenericComponentType() Type
interface WildcardType extends Type: getUpperBounds() []Type; getLowerBounds() []Type
interface TypeVariable<D> extends Type, AnnotatedElement: getBounds() []Type; getGenericDeclaration() D; getName() String
type AccessibleObject extends AnnotatedElement: setAccessible(boolean); isAccessible() boolean
type Field extends AccessibleObject, Member: getType() Class<?>; getGenericType() Type; get(Object) Object; set(Object, Object)
type Executable extends AccessibleObject, Member, GenericDeclaration: getParameterTypes() []Class<?>; getGenericParameterTypes() []Type; getParameterCount() int; isVarArgs() boolean
type Method extends Executable: getReturnType() Class<?>; getGenericReturnType() Type; invoke(Object, ...Object) Object
type Constructor<T> extends Executable: newInstance(...Object) T
interface InvocationHandler: invoke(Object, Method, []Object) Object
${behind('ReflectiveOperationException', 'InvocationTargetException')}
package java.util
interface Iterator<E>: hasNext() boolean; next() E; default remove()
interface ListIterator<E> extends Iterator<E>: hasPrevious() boolean; previous() E; set(E); add(E)
interface Enumeration<E>: hasMoreElements() boolean; nextElement() E
interface Collection<E> extends Iterable<E>: size() int; isEmpty() boolean; contains(Object) boolean; add(E) boolean; remove(Object) boolean; addAll(Collection<E>) boolean; clear(); toArray() []Object; <T> toArray([]T) []T; stream() Stream<E>; parallelStream() Stream<E>; removeIf(Predicate<E>) boolean; containsAll(Collection<?>) boolean
interface List<E> extends Collection<E>: get(int) E; set(int, E) E; add(int, E); remove(int) E; indexOf(Object) int; subList(int, int) List<E>; listIterator() ListIterator<E>; listIterator(int) ListIterator<E>; sort(Comparator<E>); <T> of(...T) List<T>; <T> copyOf(Collection<T>) List<T>; getFirst() E; getLast() E
interface Set<E> extends Collection<E>: <T> of(...T) Set<T>; <T> copyOf(Collection<T>) Set<T>
interface SortedSet<E> extends Set<E>: first() E; last() E; headSet(E) SortedSet<E>; tailSet(E) SortedSet<E>
interface Queue<E> extends Collection<E>: offer(E) boolean; poll() E; peek() E; element() E; remove() E
interface Deque<E> extends Queue<E>: push(E); pop() E; addFirst(E); addLast(E); getFirst() E; getLast() E; peekFirst() E; peekLast() E; pollFirst() E; pollLast() E; removeFirst() E; removeLast() E; descendingIterator() Iterator<E>
interface Map<K, V>: get(Object) V; put(K, V) V; remove(Object) V; getOrDefault(Object, V) V; putIfAbsent(K, V) V; containsKey(Object) boolean; containsValue(Object) boolean; size() int; isEmpty() boolean; keySet() Set<K>; values() Collection<V>; entrySet() Set<Map.Entry<K, V>>; putAll(Map<K, V>); clear(); computeIfAbsent(K, Function<K, V>) V; computeIfPresent(K, BiFunction<K, V, V>) V; compute(K, BiFunction<K, V, V>) V; merge(K, V, BiFunction<V, V, V>) V; forEach(BiConsumer<K, V>)
interface Map.Entry<K, V>: getKey() K; getValue() V; setValue(V) V
interface SortedMap<K, V> extends Map<K, V>: firstKey() K; lastKey() K; headMap(K) SortedMap<K, V>; tailMap(K) SortedMap<K, V>
interface NavigableMap<K, V> extends SortedMap<K, V>: firstEntry() Map.Entry<K, V>; lastEntry() Map.Entry<K, V>; floorEntry(K) Map.Entry<K, V>; ceilingEntry(K) Map.Entry<K, V>
interface Comparator<T>: compare(T, T) int; default reversed() Comparator<T>; default thenComparing(?) Comparator<T>; default <T, U> comparing(Function<T, U>) Comparator<T>
type AbstractCollection<E> extends Collection<E>
type AbstractList<E> extends AbstractCollection<E>, List<E>: modCount int
type AbstractSet<E> extends AbstractCollection<E>, Set<E>
type AbstractMap<K, V> extends Map<K, V>
type AbstractMap.SimpleEntry<K, V> extends Map.Entry<K, V>
type ArrayList<E> extends AbstractList<E>, RandomAccess, Serializable: ensureCapacity(int); trimToSize()
type LinkedList<E> extends AbstractList<E>, Deque<E>, Serializable
type Vector<E> extends AbstractList<E>, RandomAccess, Serializable: elementAt(int) E; elements() Enumeration<E>; firstElement() E; lastElement() E
type Stack<E> extends Vector<E>: push(E) E; pop() E; peek() E; empty() boolean
type ArrayDeque<E> extends AbstractCollection<E>, Deque<E>
type PriorityQueue<E> extends AbstractCollection<E>, Queue<E>
type HashSet<E> extends AbstractSet<E>, Serializable
type LinkedHashSet<E> extends HashSet<E>
type TreeSet<E> extends AbstractSet<E>, SortedSet<E>
type EnumSet<E> extends AbstractSet<E>: <T> of(T, ...T) EnumSet<T>; <T> allOf(Class<T>) EnumSet<T>; <T> noneOf(Class<T>) EnumSet<T>
type HashMap<K, V> extends AbstractMap<K, V>, Serializable
type LinkedHashMap<K, V> extends HashMap<K, V>
type TreeMap<K, V> extends AbstractMap<K, V>, NavigableMap<K, V>, Serializable
type WeakHashMap<K, V> extends AbstractMap<K, V>
type EnumMap<K, V> extends AbstractMap<K, V>, Serializable
type Hashtable<K, V> extends Map<K, V>, Serializable
type Properties extends Hashtable<Object, Object>: getProperty(String) String; getProperty(String, String) String; setProperty(String, String) Object; stringPropertyNames() Set<String>; load(?)
interface RandomAccess
type BitSet extends Serializable: set(int); get(int) boolean; cardinality() int; length() int
type Optional<T>: get() T; orElse(T) T; orElseGet(Supplier<T>) T; orElseThrow() T; orElseThrow(?) T; isPresent() boolean; isEmpty() boolean; ifPresent(Consumer<T>); filter(Predicate<T>) Optional<T>; <U> map(Function<T, U>) Optional<U>; <U> flatMap(Function<T, Optional<U>>) Optional<U>; <S> of(S) Optional<S>; <S> ofNullable(S) Optional<S>; empty() Optional<?>; stream() Stream<T>
type Arrays: <T> asList(...T) List<T>; <T> stream([]T) Stream<T>; <T> copyOf([]T, int) []T; <T> copyOfRange([]T, int, int) []T; toString(?) String; hashCode(?) int; equals(?, ?) boolean; fill(?, ?); sort(?)
type Collections: <T> unmodifiableList(List<T>) List<T>; <T> unmodifiableSet(Set<T>) Set<T>; <T> unmodifiableCollection(Collection<T>) Collection<T>; <K, V> unmodifiableMap(Map<K, V>) Map<K, V>; <T> singletonList(T) List<T>; <T> singleton(T) Set<T>; <K, V> singletonMap(K, V) Map<K, V>; <T> emptyList() List<T>; <T> emptySet() Set<T>; <K, V> emptyMap() Map<K, V>; <T> synchronizedList(List<T>) List<T>; <K, V> synchronizedMap(Map<K, V>) Map<K, V>; <T> enumeration(Collection<T>) Enumeration<T>; <T> max(Collection<T>) T; <T> min(Collection<T>) T
type Objects: <T> requireNonNull(T) T; <T> requireNonNull(T, ?) T; <T> requireNonNullElse(T, T) T; toString(Object) String; toString(Object, String) String; hash(...Object) int; hashCode(Object) int; equals(Object, Object) boolean; isNull(Object) boolean; nonNull(Object) boolean
type Locale extends Serializable: getDefault() Locale; ROOT Locale; US Locale; ENGLISH Locale; UK Locale; GERMANY Locale; FRANCE Locale; getLanguage() String; getCountry() String; getVariant() String; toLanguageTag() String; forLanguageTag(String) Locale
type Date extends Comparable<Date>, Serializable: getTime() long; setTime(long); toInstant() Instant; before(Date) boolean; after(Date) boolean
type Calendar extends Comparable<Calendar>, Serializable: getInstance() Calendar; getInstance(?) Calendar; getInstance(?, ?) Calendar; getTime() Date; setTime(Date); get(int) int; set(int, int); getTimeZone() TimeZone; setTimeZone(TimeZone); getTimeInMillis() long; add(int, int)
type GregorianCalendar extends Calendar
type TimeZone extends Serializable: getTimeZone(String) TimeZone; getDefault() TimeZone; getAvailableIDs() []String; getID() String; getRawOffset() int; getOffset(long) int
type UUID extends Comparable<UUID>, Serializable: randomUUID() UUID; fromString(String) UUID
type Random extends Serializable: nextInt() int; nextInt(int) int; nextLong() long; nextDouble() double; nextFloat() float; nextBoolean() boolean; nextBytes([]byte)
type Scanner extends Iterator<String>: nextLine() String; nextInt() int; hasNextLine() boolean
type StringTokenizer: nextToken() String; hasMoreTokens() boolean; countTokens() int
type Currency extends Serializable: getInstance(?) Currency; getCurrencyCode() String
type StringJoiner: add(CharSequence) StringJoiner
${behind('RuntimeException', 'NoSuchElementException ConcurrentModificationException EmptyStackException MissingResourceException')}
package java.util.function
interface Function<T, R>: apply(T) R; default <V> andThen(Function<R, V>) Function<T, V>; default <V> compose(Function<V, T>) Function<V, R>; default <S> identity() Function<S, S>
interface BiFunction<T, U, R>: apply(T, U) R; default <V> andThen(Function<R, V>) BiFunction<T, U, V>
interface UnaryOperator<T> extends Function<T, T>
interface BinaryOperator<T> extends BiFunction<T, T, T>
interface Supplier<T>: get() T
interface Consumer<T>: accept(T); default andThen(Consumer<T>) Consumer<T>
interface BiConsumer<T, U>: accept(T, U); default andThen(BiConsumer<T, U>) BiConsumer<T, U>
interface Predicate<T>: test(T) boolean; default and(Predicate<T>) Predicate<T>; default or(Predicate<T>) Predicate<T>; default negate() Predicate<T>
interface BiPredicate<T, U>: test(T, U) boolean
${['Int', 'Long', 'Double']
  .map((name) => {
    const type = name.toLowerCase();
    return `interface ${name}Function<R>: apply(${type}) R
interface ${name}Predicate: test(${type}) boolean
interface ${name}Consumer: accept(${type})
interface ${name}Supplier: getAs${name}() ${type}
interface ${name}UnaryOperator: applyAs${name}(${type}) ${type}
interface ${name}BinaryOperator: applyAs${name}(${type}, ${type}) ${type}
interface To${name}Function<T>: applyAs${name}(T) ${type}
interface To${name}BiFunction<T, U>: applyAs${name}(T, U) ${type}`;
  })
  .join('\n')}
interface BooleanSupplier: getAsBoolean() boolean
package java.util.stream
type Stream<T>: filter(Predicate<T>) Stream<T>; <R> map(Function<T, R>) Stream<R>; mapToInt(ToIntFunction<T>) IntStream; mapToLong(ToLongFunction<T>) LongStream; mapToDouble(ToDoubleFunction<T>) DoubleStream; <R> flatMap(Function<T, Stream<R>>) Stream<R>; distinct() Stream<T>; sorted() Stream<T>; sorted(Comparator<T>) Stream<T>; peek(Consumer<T>) Stream<T>; limit(long) Stream<T>; skip(long) Stream<T>; forEach(Consumer<T>); forEachOrdered(Consumer<T>); toArray() []Object; <A> toArray(IntFunction<[]A>) []A; reduce(T, BinaryOperator<T>) T; reduce(BinaryOperator<T>) Optional<T>; <R, A> collect(Collector<T, A, R>) R; min(Comparator<T>) Optional<T>; max(Comparator<T>) Optional<T>; count() long; anyMatch(Predicate<T>) boolean; allMatch(Predicate<T>) boolean; noneMatch(Predicate<T>) boolean; findFirst() Optional<T>; findAny() Optional<T>; toList() List<T>; iterator() Iterator<T>; <S> of(...S) Stream<S>; <S> concat(Stream<S>, Stream<S>) Stream<S>; empty() Stream<?>; parallel() Stream<T>; sequential() Stream<T>
type IntStream: ${STREAM('Int', 'IntStream', 'range(int, int) IntStream; rangeClosed(int, int) IntStream; of(...int) IntStream; map(IntUnaryOperator) IntStream; <R> mapToObj(IntFunction<R>) Stream<R>; forEach(IntConsumer); toArray() []int; anyMatch(IntPredicate) boolean; allMatch(IntPredicate) boolean; noneMatch(IntPredicate) boolean')}
type LongStream: ${STREAM('Long', 'LongStream', 'map(LongUnaryOperator) LongStream; <R> mapToObj(LongFunction<R>) Stream<R>; forEach(LongConsumer); toArray() []long')}
type DoubleStream: ${STREAM('Double', 'DoubleStream', 'map(DoubleUnaryOperator) DoubleStream; <R> mapToObj(DoubleFunction<R>) Stream<R>; forEach(DoubleConsumer); toArray() []double')}
interface Collector<T, A, R>: supplier() Supplier<A>; combiner() BinaryOperator<A>
type Collectors: <T> toList() Collector<T, ?, List<T>>; <T> toSet() Collector<T, ?, Set<T>>; joining() Collector<?, ?, String>; joining(CharSequence) Collector<?, ?, String>; joining(CharSequence, CharSequence, CharSequence) Collector<?, ?, String>; <T, K> groupingBy(Function<T, K>) Collector<T, ?, Map<K, List<T>>>; <T, K, U> toMap(Function<T, K>, Function<T, U>) Collector<T, ?, Map<K, U>>
package java.util.concurrent
interface Callable<V>: call() V
interface Executor: execute(Runnable)
interface ExecutorService extends Executor: <T> submit(Callable<T>) Future<T>; submit(Runnable) Future<?>; shutdown(); shutdownNow() List<Runnable>; <T> invokeAll(Collection<Callable<T>>) List<Future<T>>; awaitTermination(long, TimeUnit) boolean
interface ScheduledExecutorService extends ExecutorService
interface Future<V>: get() V; get(long, TimeUnit) V; cancel(boolean) boolean; isDone() boolean; isCancelled() boolean
interface ConcurrentMap<K, V> extends Map<K, V>
type ConcurrentHashMap<K, V> extends AbstractMap<K, V>, ConcurrentMap<K, V>, Serializable
type CopyOnWriteArrayList<E> extends List<E>, RandomAccess
type CompletableFuture<T> extends Future<T>: join() T; complete(T) boolean
type FutureTask<V> extends Future<V>, Runnable
type Executors: newFixedThreadPool(?) ExecutorService; newCachedThreadPool() ExecutorService; newSingleThreadExecutor() ExecutorService
type TimeUnit extends Enum<TimeUnit>: toMillis(long) long; toNanos(long) long; SECONDS TimeUnit; MILLISECONDS TimeUnit; NANOSECONDS TimeUnit
type CountDownLatch: countDown(); await(); getCount() long
${behind('Exception', 'ExecutionException TimeoutException')}
package java.util.concurrent.atomic
type AtomicInteger extends Number: get() int; set(int); incrementAndGet() int; getAndIncrement() int; addAndGet(int) int; decrementAndGet() int; compareAndSet(int, int) boolean
type AtomicLong extends Number: get() long; set(long); incrementAndGet() long; getAndIncrement() long; addAndGet(long) long; compareAndSet(long, long) boolean
type AtomicBoolean extends Serializable: get() boolean; set(boolean); compareAndSet(boolean, boolean) boolean; getAndSet(boolean) boolean
type AtomicReference<V> extends Serializable: get() V; set(V); getAndSet(V) V; compareAndSet(V, V) boolean; updateAndGet(UnaryOperator<V>) V
type AtomicIntegerArray extends Serializable: get(int) int; length() int
type AtomicLongArray extends Serializable: get(int) long; length() int
package java.util.concurrent.locks
interface Lock: lock(); unlock(); tryLock() boolean
interface ReadWriteLock: readLock() Lock; writeLock() Lock
type ReentrantLock extends Lock
type ReentrantReadWriteLock extends ReadWriteLock
package java.util.regex
type Pattern extends Serializable: compile(String) Pattern; compile(String, int) Pattern; matcher(CharSequence) Matcher; pattern() String; quote(String) String; split(CharSequence) []String; matches(String, CharSequence) boolean
type Matcher: find() boolean; matches() boolean; lookingAt() boolean; group() String; group(?) String; start() int; end() int; groupCount() int; replaceAll(String) String; appendReplacement(?, String) Matcher
package java.io
interface Serializable
interface Closeable extends AutoCloseable
interface Flushable: flush()
type Reader extends Closeable: read() int; read([]char) int; read([]char, int, int) int; ready() boolean
type BufferedReader extends Reader: readLine() String; lines() Stream<String>
type Writer extends Closeable, Flushable, Appendable: write(?); write(?, int, int); append(?) Writer
type InputStream extends Closeable: read() int; read([]byte) int; read([]byte, int, int) int; readAllBytes() []byte; available() int
type OutputStream extends Closeable, Flushable: write(?); write([]byte, int, int)
type ByteArrayOutputStream extends OutputStream: toByteArray() []byte; size() int
type PrintStream extends OutputStream, Appendable: println(); println(?); print(?); printf(String, ...Object) PrintStream; format(String, ...Object) PrintStream
type StringWriter extends Writer: getBuffer() StringBuffer
type PrintWriter extends Writer: println(); println(?); print(?); printf(String, ...Object) PrintWriter
type ObjectInputStream extends InputStream: readObject() Object; defaultReadObject()
type ObjectOutputStream extends OutputStream: writeObject(Object); defaultWriteObject()
type File extends Comparable<File>, Serializable: getName() String; getPath() String; getParentFile() File; getAbsoluteFile() File; getAbsolutePath() String; toPath() Path; listFiles() []File; exists() boolean; isDirectory() boolean; length() long; toURI() URI
${behind('Reader', 'StringReader InputStreamReader CharArrayReader')}${behind('InputStreamReader', 'FileReader')}
${behind('Writer', 'OutputStreamWriter BufferedWriter CharArrayWriter')}${behind('OutputStreamWriter', 'FileWriter')}
${behind('InputStream', 'FileInputStream ByteArrayInputStream BufferedInputStream')}
${behind('OutputStream', 'FileOutputStream BufferedOutputStream')}
${behind('Exception', 'IOException')}
${behind('IOException', 'FileNotFoundException EOFException UnsupportedEncodingException ObjectStreamException')}
${behind('ObjectStreamException', 'NotSerializableException InvalidObjectException')}
${behind('RuntimeException', 'UncheckedIOException')}
package java.nio
type CharBuffer extends CharSequence, Comparable<CharBuffer>, Appendable: wrap(?) CharBuffer; wrap(?, int, int) CharBuffer; allocate(int) CharBuffer; array() []char; flip() CharBuffer; put(?) CharBuffer
type ByteBuffer extends Comparable<ByteBuffer>: wrap(?) ByteBuffer; allocate(int) ByteBuffer; array() []byte; flip() ByteBuffer; put(?) ByteBuffer
package java.nio.charset
type Charset extends Comparable<Charset>: defaultCharset() Charset; forName(String) Charset; name() String; displayName() String
type StandardCharsets: UTF_8 Charset; US_ASCII Charset; ISO_8859_1 Charset; UTF_16 Charset
package java.nio.file
interface Path extends Comparable<Path>, Iterable<Path>: resolve(?) Path; getParent() Path; getFileName() Path; toFile() File; toAbsolutePath() Path; normalize() Path; relativize(Path) Path; toUri() URI; startsWith(?) boolean
type Paths: get(?, ...String) Path
type Files: readAllLines(Path) List<String>; lines(Path) Stream<String>; walk(Path, ...?) Stream<Path>; list(Path) Stream<Path>; readString(Path) String; readAllBytes(Path) []byte; newInputStream(Path, ...?) InputStream; newOutputStream(Path, ...?) OutputStream; newBufferedReader(Path, ...?) BufferedReader; exists(Path, ...?) boolean; isDirectory(Path, ...?) boolean; createDirectories(Path, ...?) Path
package java.math
type BigInteger extends Number, Comparable<BigInteger>: ${'add subtract multiply divide mod pow shiftLeft shiftRight and or gcd'
  .split(' ')
  .map((name) => `${name}(?) BigInteger`)
  .join('; ')}; negate() BigInteger; valueOf(long) BigInteger; ZERO BigInteger; ONE BigInteger; TEN BigInteger
type BigDecimal extends Number, Comparable<BigDecimal>: add(?) BigDecimal; subtract(?) BigDecimal; multiply(?) BigDecimal; divide(?) BigDecimal; divide(?, ?, ?) BigDecimal; setScale(?, ?) BigDecimal; negate() BigDecimal; toBigInteger() BigInteger; valueOf(?) BigDecimal; stripTrailingZeros() BigDecimal; toPlainString() String; ZERO BigDecimal; ONE BigDecimal
package java.net
type URI extends Comparable<URI>, Serializable: create(String) URI; toURL() URL; getPath() String; getHost() String; toASCIIString() String
type URL extends Serializable: openStream() InputStream; openConnection() URLConnection; toURI() URI; getPath() String; toExternalForm() String; getFile() String
type InetAddress extends Serializable: getByName(String) InetAddress; getHostAddress() String; getLocalHost() InetAddress
package java.security
interface Principal: getName() String
type MessageDigest: getInstance(String) MessageDigest; digest() []byte; digest([]byte) []byte; update(?)
type SecureRandom extends java.util.Random
package java.text
type Format extends Serializable: format(Object) String; parseObject(String) Object
type DateFormat extends Format: SHORT int; MEDIUM int; LONG int; FULL int; DEFAULT int; parse(String) Date; format(Date) String; setTimeZone(TimeZone); getTimeZone() TimeZone; getDateInstance(...?) DateFormat; getDateTimeInstance(...?) DateFormat
type SimpleDateFormat extends DateFormat: toPattern() String
type NumberFormat extends Format: getInstance(...?) NumberFormat; format(?) String; parse(String) Number
type ParsePosition: getIndex() int; setIndex(int); getErrorIndex() int
type FieldPosition: getBeginIndex() int; getEndIndex() int
${behind('Exception', 'ParseException')}
package java.time
type Instant extends Comparable<Instant>, Serializable: now() Instant; toEpochMilli() long; ofEpochMilli(long) Instant
type Duration extends Comparable<Duration>, Serializable: ZERO Duration; ofMillis(long) Duration; ofSeconds(long) Duration; toMillis() long; toNanos() long; between(?, ?) Duration; plus(?) Duration
type LocalDate extends Comparable<LocalDate>, Serializable: now() LocalDate; of(?, int, int) LocalDate; parse(?) LocalDate; plusDays(long) LocalDate; minusDays(long) LocalDate; isBefore(?) boolean; isAfter(?) boolean
type LocalDateTime extends Serializable: now() LocalDateTime; of(...?) LocalDateTime; parse(?) LocalDateTime; toLocalDate() LocalDate; plusDays(long) LocalDateTime
type ZonedDateTime extends Serializable: now() ZonedDateTime; toInstant() Instant; toLocalDate() LocalDate
`;
