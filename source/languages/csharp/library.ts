/** Types that add nothing that chains lead through to what they derive from. */
function behind(base: string, names: string): string {
  return names.replace(/\S+/g, `type $& extends ${base}\n`);
}

/** Types of which no member is listed: what they have is of them. */
function open(names: string): string {
  return names.replace(/\S+/g, 'type $& extends elsewhere.$&\n');
}

const QUERY = (own: string) =>
  `Where(fn(T) bool) ${own}; <R> Select(fn(T) R) IEnumerable\`1<R>; <R> SelectMany(fn(T) IEnumerable\`1<R>) IEnumerable\`1<R>; ` +
  `First() T; First(fn(T) bool) T; FirstOrDefault() T; FirstOrDefault(fn(T) bool) T; Last() T; Last(fn(T) bool) T; LastOrDefault() T; ` +
  `LastOrDefault(fn(T) bool) T; Single() T; Single(fn(T) bool) T; SingleOrDefault() T; SingleOrDefault(fn(T) bool) T; ElementAt(int) T; ` +
  `ElementAtOrDefault(int) T; Any() bool; Any(fn(T) bool) bool; All(fn(T) bool) bool; Count() int; Count(fn(T) bool) int; ` +
  `<K> OrderBy(fn(T) K) IEnumerable\`1<T>; <K> OrderBy(fn(T) K, ?) IEnumerable\`1<T>; <K> OrderByDescending(fn(T) K) IEnumerable\`1<T>; <K> ThenBy(fn(T) K) IEnumerable\`1<T>; ` +
  `<K> ThenByDescending(fn(T) K) IEnumerable\`1<T>; <K> GroupBy(fn(T) K) IEnumerable\`1<IGrouping\`2<K, T>>; Distinct() IEnumerable\`1<T>; ` +
  `Skip(int) IEnumerable\`1<T>; Take(int) IEnumerable\`1<T>; SkipWhile(fn(T) bool) IEnumerable\`1<T>; TakeWhile(fn(T) bool) IEnumerable\`1<T>; ` +
  `Concat(?) IEnumerable\`1<T>; Union(?) IEnumerable\`1<T>; Except(?) IEnumerable\`1<T>; Intersect(?) IEnumerable\`1<T>; Reverse() IEnumerable\`1<T>; ` +
  `<R> Cast() IEnumerable\`1<R>; <R> OfType() IEnumerable\`1<R>; ToList() List\`1<T>; ToArray() []T; <K> ToDictionary(fn(T) K) Dictionary\`2<K, T>; ` +
  `<K, V> ToDictionary(fn(T) K, fn(T) V) Dictionary\`2<K, V>; ToHashSet() HashSet\`1<T>; AsEnumerable() IEnumerable\`1<T>; Contains(T) bool; ` +
  `Min() T; Max() T; <R> Min(fn(T) R) R; <R> Max(fn(T) R) R; Sum(?) ?; Sum() ?; Average(?) ?; <A> Aggregate(A, fn(A, T) A) A; SequenceEqual(?) bool; DefaultIfEmpty() IEnumerable\`1<T>; Append(T) IEnumerable\`1<T>`;

/** Much used types of values. */
export const VALUE_TYPES =
  'int uint long ulong short ushort byte sbyte char bool float double decimal DateTime DateTimeOffset TimeSpan Guid';

const FORMATTED =
  'ToString(string) string; ToString(?, ?) string; CompareTo(?) int; Parse(string) ?; TryParse(string, ?) bool; Parse(string, ?) ?';

/** What .NET's library gives, as far as much used chains and overloads lead through it: see `source/link/library.ts`. */
export const LIBRARY = `
package System
type Object: ToString() string; Equals(object) bool; Equals(object, object) bool; GetHashCode() int; GetType() Type; MemberwiseClone() object; ReferenceEquals(object, object) bool
type ValueType extends Object
interface IDisposable: Dispose()
interface ICloneable: Clone() object
interface IComparable: CompareTo(object) int
interface IComparable\`1<T>: CompareTo(T) int
interface IEquatable\`1<T>: Equals(T) bool
interface IFormattable: ToString(string, IFormatProvider) string
interface IFormatProvider: GetFormat(Type) object
interface IServiceProvider: GetService(Type) object
interface IConvertible
type Array$<T> extends IList\`1<T>, ICloneable: Length int; Rank int; GetLength(int) int; GetValue(?) object; SetValue(?, ?); Clone() object; CopyTo(?, int)
type Array extends IList: Length int; Rank int; Copy(...?); Sort(...?); IndexOf(...?) int; Resize(...?); Reverse(...?); Clear(...?); GetLength(int) int; GetValue(...?) object; SetValue(...?); CreateInstance(...?) Array; GetLowerBound(int) int; GetUpperBound(int) int; <T> Empty() []T; <T> Find([]T, fn(T) bool) T; <T> Exists([]T, fn(T) bool) bool
type String extends IEnumerable\`1<char>, IComparable\`1<string>, IEquatable\`1<string>: Length int; Item char; Empty string; Trim(...?) string; TrimStart(...?) string; TrimEnd(...?) string; Substring(int) string; Substring(int, int) string; ToLower(...?) string; ToUpper(...?) string; ToLowerInvariant() string; ToUpperInvariant() string; Replace(...?) string; Split(...?) []string; IndexOf(...?) int; LastIndexOf(...?) int; IndexOfAny(...?) int; Contains(...?) bool; StartsWith(...?) bool; EndsWith(...?) bool; Insert(int, string) string; Remove(...?) string; PadLeft(...?) string; PadRight(...?) string; ToCharArray(...?) []char; Format(...?) string; Join(...?) string; Concat(...?) string; IsNullOrEmpty(string) bool; IsNullOrWhiteSpace(string) bool; Equals(...?) bool; Compare(...?) int; CompareOrdinal(...?) int; CompareTo(...?) int; CopyTo(...?); Intern(string) string; Create(...?) string
${'Int32 Int64 Int16 Byte SByte UInt16 UInt32 UInt64 Double Single Decimal Char Boolean Guid'.replace(/\S+/g, (name) => `type ${name} extends ValueType, IFormattable, IConvertible: MaxValue ${name}; MinValue ${name}; Empty ${name}; NewGuid() ${name}; IsDigit(...?) bool; IsLetter(...?) bool; IsLetterOrDigit(...?) bool; IsWhiteSpace(...?) bool; IsUpper(...?) bool; IsLower(...?) bool; ToUpper(...?) char; ToLower(...?) char; IsNaN(?) bool; IsInfinity(?) bool; ${FORMATTED}\n`)}
${VALUE_TYPES.replace(/\S+/g, 'type Nullable$$$& extends ValueType: Value $&; HasValue bool; GetValueOrDefault(...?) $&\n')}type Enum extends ValueType: HasFlag(?) bool; Parse(...?) object; TryParse(...?) bool; GetName(...?) string; GetNames(...?) []string; GetValues(...?) Array; IsDefined(...?) bool; ToObject(...?) object; GetUnderlyingType(?) Type
type Delegate extends Object: DynamicInvoke(...?) object; Method MethodInfo; Target object; CreateDelegate(...?) Delegate; Combine(...?) Delegate
type Nullable: GetUnderlyingType(Type) Type
type Exception extends Object: Message string; InnerException Exception; StackTrace string; Source string; HResult int; Data IDictionary; TargetSite MethodBase; GetBaseException() Exception
${behind('Exception', 'SystemException ApplicationException AggregateException')}
${behind('SystemException', 'ArgumentException InvalidOperationException NotSupportedException NotImplementedException FormatException InvalidCastException NullReferenceException IndexOutOfRangeException OverflowException OutOfMemoryException TimeoutException UnauthorizedAccessException TypeLoadException StackOverflowException RankException ArithmeticException OperationCanceledException')}
${behind('ArgumentException', 'ArgumentNullException ArgumentOutOfRangeException')}
${behind('InvalidOperationException', 'ObjectDisposedException')}
type Attribute extends Object: GetCustomAttribute(...?) Attribute; GetCustomAttributes(...?) []Attribute; IsDefined(...?) bool
${behind('Attribute', 'ObsoleteAttribute SerializableAttribute NonSerializedAttribute FlagsAttribute AttributeUsageAttribute CLSCompliantAttribute ThreadStaticAttribute ParamArrayAttribute')}
type DateTime extends ValueType, IFormattable: Now DateTime; UtcNow DateTime; Today DateTime; Date DateTime; Year int; Month int; Day int; Hour int; Minute int; Second int; Millisecond int; Ticks long; Kind DateTimeKind; DayOfWeek DayOfWeek; TimeOfDay TimeSpan; MinValue DateTime; MaxValue DateTime; AddDays(double) DateTime; AddHours(double) DateTime; AddMinutes(double) DateTime; AddSeconds(double) DateTime; AddMilliseconds(double) DateTime; AddMonths(int) DateTime; AddYears(int) DateTime; AddTicks(long) DateTime; Add(TimeSpan) DateTime; Subtract(TimeSpan) DateTime; ToUniversalTime() DateTime; ToLocalTime() DateTime; SpecifyKind(?, ?) DateTime; ToString(...?) string; Parse(...?) DateTime; ParseExact(...?) DateTime; TryParse(...?) bool; TryParseExact(...?) bool; DaysInMonth(int, int) int; CompareTo(?) int
type DateTimeOffset extends ValueType, IFormattable: Now DateTimeOffset; UtcNow DateTimeOffset; Offset TimeSpan; DateTime DateTime; UtcDateTime DateTime; LocalDateTime DateTime; Ticks long; UtcTicks long; ToString(...?) string; ToUniversalTime() DateTimeOffset; ToOffset(?) DateTimeOffset; Add(?) DateTimeOffset; AddDays(double) DateTimeOffset; Parse(...?) DateTimeOffset; TryParse(...?) bool; TryParseExact(...?) bool; ToUnixTimeMilliseconds() long; ToUnixTimeSeconds() long
type TimeSpan extends ValueType, IFormattable: Zero TimeSpan; MaxValue TimeSpan; Ticks long; TotalSeconds double; TotalMilliseconds double; TotalMinutes double; TotalHours double; Hours int; Minutes int; Seconds int; FromSeconds(?) TimeSpan; FromMilliseconds(?) TimeSpan; FromMinutes(?) TimeSpan; FromHours(?) TimeSpan; FromDays(?) TimeSpan; FromTicks(?) TimeSpan; Add(?) TimeSpan; Subtract(?) TimeSpan; Negate() TimeSpan; Duration() TimeSpan; Parse(...?) TimeSpan; TryParse(...?) bool; ToString(...?) string
type Type extends MemberInfo: FullName string; Namespace string; BaseType Type; Assembly Assembly; IsClass bool; IsInterface bool; IsArray bool; IsEnum bool; IsValueType bool; IsGenericType bool; IsGenericTypeDefinition bool; IsAbstract bool; IsSealed bool; IsPrimitive bool; AssemblyQualifiedName string; GenericTypeArguments []Type; GetElementType() Type; GetGenericTypeDefinition() Type; GetGenericArguments() []Type; GetInterfaces() []Type; GetMethod(...?) MethodInfo; GetMethods(...?) []MethodInfo; GetProperty(...?) PropertyInfo; GetProperties(...?) []PropertyInfo; GetField(...?) FieldInfo; GetFields(...?) []FieldInfo; GetConstructor(...?) ConstructorInfo; GetConstructors(...?) []ConstructorInfo; GetMember(...?) []MemberInfo; GetMembers(...?) []MemberInfo; GetEvents(...?) ?; GetNestedType(...?) Type; MakeGenericType(...?) Type; MakeArrayType(...?) Type; IsAssignableFrom(Type) bool; IsSubclassOf(Type) bool; IsInstanceOfType(object) bool; IsDefined(...?) bool; GetType(...?) Type; GetTypeCode(Type) TypeCode; InvokeMember(...?) object; EmptyTypes []Type; GetInterface(...?) Type; GetTypeInfo() Type
type Uri: OriginalString string; AbsoluteUri string; Host string; Scheme string; AbsolutePath string; Query string; IsAbsoluteUri bool; TryCreate(...?) bool; EscapeDataString(string) string
type Version: Major int; Minor int; Build int; Parse(string) Version; TryParse(string, ?) bool
type Console: WriteLine(...?); Write(...?); ReadLine() string; ReadKey(...?) ?; Out TextWriter; Error TextWriter; In TextReader
type Convert: ToInt32(...?) int; ToInt64(...?) long; ToInt16(...?) short; ToString(...?) string; ToBoolean(...?) bool; ToDouble(...?) double; ToSingle(...?) float; ToDecimal(...?) decimal; ToChar(...?) char; ToByte(...?) byte; ToDateTime(...?) DateTime; ChangeType(...?) object; ToBase64String(...?) string; FromBase64String(string) []byte; FromBase64CharArray(...?) []byte; GetTypeCode(?) TypeCode; IsDBNull(?) bool; ToUInt32(...?) uint; ToUInt64(...?) ulong; ToUInt16(...?) ushort; ToSByte(...?) sbyte
type Math: Abs(?) ?; Max(?, ?) ?; Min(?, ?) ?; Pow(?, ?) double; Sqrt(?) double; Round(...?) ?; Floor(?) ?; Ceiling(?) ?; Log(...?) double; Sign(?) int; Truncate(?) ?; PI double
type Activator: CreateInstance(...?) object
type Environment: NewLine string; TickCount int; GetEnvironmentVariable(...?) string; Exit(int); CurrentDirectory string; MachineName string; ProcessorCount int; StackTrace string
type Lazy\`1<T>: Value T; IsValueCreated bool
type WeakReference\`1<T>: TryGetTarget(?) bool; SetTarget(T)
type Tuple\`2<A, B>: Item1 A; Item2 B
type Tuple\`3<A, B, C>: Item1 A; Item2 B; Item3 C
type Tuple: <A, B> Create(A, B) Tuple\`2<A, B>; <A, B, C> Create(A, B, C) Tuple\`3<A, B, C>
type EventArgs: Empty EventArgs
${open('GC AppDomain Random Buffer BitConverter StringComparer StringComparison TypeCode DateTimeKind DayOfWeek DBNull Span`1 ReadOnlySpan`1 Memory`1 ReadOnlyMemory`1 ArraySegment`1 IntPtr TimeZoneInfo Progress`1 IProgress`1 IAsyncDisposable IObservable`1 IObserver`1 HashCode Index Range AppContext OperatingSystem EventHandler Predicate`1 Comparison`1 EventHandler`1 AsyncCallback IAsyncResult MulticastDelegate')}
package System.Collections
interface IEnumerable: GetEnumerator() IEnumerator
interface IEnumerator: Current object; MoveNext() bool; Reset()
interface ICollection extends IEnumerable: default Count int; SyncRoot object; IsSynchronized bool; CopyTo(?, int)
interface IList extends ICollection: Item object; Add(object) int; Clear(); Contains(object) bool; IndexOf(object) int; Insert(int, object); Remove(object); RemoveAt(int); IsFixedSize bool; IsReadOnly bool
interface IDictionary extends ICollection: Item object; Keys ICollection; Values ICollection; Add(object, object); Contains(object) bool; Remove(object); Clear(); GetEnumerator() IDictionaryEnumerator
interface IDictionaryEnumerator extends IEnumerator: Key object; Value object; Entry DictionaryEntry
interface IEqualityComparer: Equals(object, object) bool; GetHashCode(object) int
interface IComparer: Compare(object, object) int
interface IStructuralEquatable
type DictionaryEntry: Key object; Value object
type ArrayList extends IList: ToArray(...?) []object
type Hashtable extends IDictionary
package System.Collections.Generic
interface IEnumerable\`1<T> extends IEnumerable: GetEnumerator() IEnumerator\`1<T>; ${QUERY('IEnumerable`1<T>')}
interface IAsyncEnumerable\`1<T>: GetAsyncEnumerator(...?) ?; GetEnumerator() IEnumerator\`1<T>
interface IEnumerator\`1<T> extends IEnumerator, IDisposable: Current T
interface ICollection\`1<T> extends IEnumerable\`1<T>: Count int; IsReadOnly bool; Add(T); Clear(); Contains(T) bool; CopyTo(?, int); Remove(T) bool
interface IReadOnlyCollection\`1<T> extends IEnumerable\`1<T>: Count int
interface IReadOnlyList\`1<T> extends IReadOnlyCollection\`1<T>: Item T
interface IList\`1<T> extends ICollection\`1<T>: Item T; IndexOf(T) int; Insert(int, T); RemoveAt(int)
interface ISet\`1<T> extends ICollection\`1<T>: UnionWith(?); ExceptWith(?); IntersectWith(?); IsSubsetOf(?) bool; IsSupersetOf(?) bool; Overlaps(?) bool; SetEquals(?) bool
interface IDictionary\`2<K, V> extends ICollection\`1<KeyValuePair\`2<K, V>>: Item V; Keys ICollection\`1<K>; Values ICollection\`1<V>; Add(K, V); ContainsKey(K) bool; Remove(K) bool; TryGetValue(K, V) bool
interface IReadOnlyDictionary\`2<K, V> extends IReadOnlyCollection\`1<KeyValuePair\`2<K, V>>: Item V; Keys IEnumerable\`1<K>; Values IEnumerable\`1<V>; ContainsKey(K) bool; TryGetValue(K, V) bool
interface IEqualityComparer\`1<T>: Equals(T, T) bool; GetHashCode(T) int
interface IComparer\`1<T>: Compare(T, T) int
type List\`1<T> extends IList\`1<T>, IReadOnlyList\`1<T>, IList: Capacity int; AddRange(?); AsReadOnly() ReadOnlyCollection\`1<T>; BinarySearch(...?) int; ConvertAll(?) ?; Exists(fn(T) bool) bool; Find(fn(T) bool) T; FindAll(fn(T) bool) List\`1<T>; FindIndex(...?) int; FindLast(fn(T) bool) T; ForEach(fn(T)); GetRange(int, int) List\`1<T>; InsertRange(int, ?); RemoveAll(fn(T) bool) int; RemoveRange(int, int); Sort(...?); TrueForAll(fn(T) bool) bool; TrimExcess()
type Dictionary\`2<K, V> extends IDictionary\`2<K, V>, IReadOnlyDictionary\`2<K, V>, IDictionary: Comparer IEqualityComparer\`1<K>; TryAdd(K, V) bool; ContainsValue(V) bool; GetValueOrDefault(...?) V
${'SortedDictionary SortedList'.replace(/\S+/g, 'type $&`2<K, V> extends Dictionary`2<K, V>\n')}
type KeyValuePair\`2<K, V>: Key K; Value V
type HashSet\`1<T> extends ISet\`1<T>: Add(T) bool; RemoveWhere(fn(T) bool) int; TryGetValue(T, T) bool
type SortedSet\`1<T> extends HashSet\`1<T>: Min T; Max T
type Queue\`1<T> extends IEnumerable\`1<T>: Count int; Enqueue(T); Dequeue() T; Peek() T; Clear(); TryDequeue(?) bool; TryPeek(?) bool; Contains(T) bool
type Stack\`1<T> extends IEnumerable\`1<T>: Count int; Push(T); Pop() T; Peek() T; Clear(); TryPop(?) bool; Contains(T) bool
type LinkedList\`1<T> extends ICollection\`1<T>: First LinkedListNode\`1<T>; Last LinkedListNode\`1<T>; AddFirst(T) LinkedListNode\`1<T>; AddLast(T) LinkedListNode\`1<T>; RemoveFirst(); RemoveLast()
type LinkedListNode\`1<T>: Value T; Next LinkedListNode\`1<T>; Previous LinkedListNode\`1<T>
type EqualityComparer\`1<T> extends IEqualityComparer\`1<T>: Default EqualityComparer\`1<T>
type Comparer\`1<T> extends IComparer\`1<T>: Default Comparer\`1<T>
type KeyNotFoundException extends System.SystemException
package System.Collections.ObjectModel
type Collection\`1<T> extends IList\`1<T>, IList: Items IList\`1<T>; InsertItem(int, T); SetItem(int, T); RemoveItem(int); ClearItems()
type ReadOnlyCollection\`1<T> extends IReadOnlyList\`1<T>, IList\`1<T>: Items IList\`1<T>
type KeyedCollection\`2<K, T> extends Collection\`1<T>: Item T; Dictionary IDictionary\`2<K, T>; Comparer IEqualityComparer\`1<K>; GetKeyForItem(T) K
type ObservableCollection\`1<T> extends Collection\`1<T>: Move(int, int)
package System.Collections.Concurrent
type ConcurrentDictionary\`2<K, V> extends IDictionary\`2<K, V>: GetOrAdd(...?) V; AddOrUpdate(...?) V; TryAdd(K, V) bool; TryRemove(K, V) bool; TryUpdate(K, V, V) bool
type ConcurrentQueue\`1<T> extends IEnumerable\`1<T>: Count int; Enqueue(T); TryDequeue(?) bool; TryPeek(?) bool
package System.Linq
interface IGrouping\`2<K, T> extends IEnumerable\`1<T>: Key K
interface IQueryable\`1<T> extends IEnumerable\`1<T>
type Enumerable: Empty() ?; Range(int, int) IEnumerable\`1<int>; Repeat(?, int) ?
package System.IO
type Stream extends IDisposable: Length long; Position long; CanRead bool; CanWrite bool; CanSeek bool; Read(...?) int; Write(...?); Flush(); Close(); Seek(...?) long; CopyTo(...?); ReadByte() int; WriteByte(?); SetLength(long); ReadAsync(...?) Task\`1<int>; WriteAsync(...?) Task; FlushAsync(...?) Task; CopyToAsync(...?) Task; DisposeAsync() ?
type MemoryStream extends Stream: ToArray() []byte; GetBuffer() []byte; WriteTo(?); Capacity int
${behind('Stream', 'FileStream BufferedStream')}
type TextReader extends IDisposable: Read(...?) int; ReadLine() string; ReadToEnd() string; Peek() int; Close(); ReadBlock(...?) int; ReadAsync(...?) Task\`1<int>; ReadLineAsync() Task\`1<string>; ReadToEndAsync() Task\`1<string>
type StreamReader extends TextReader: EndOfStream bool; BaseStream Stream
type StringReader extends TextReader
type TextWriter extends IDisposable: Write(...?); WriteLine(...?); Flush(); Close(); FormatProvider IFormatProvider; NewLine string; Encoding Encoding; WriteAsync(...?) Task; WriteLineAsync(...?) Task; FlushAsync() Task
type StreamWriter extends TextWriter: AutoFlush bool; BaseStream Stream
type StringWriter extends TextWriter: GetStringBuilder() StringBuilder
type BinaryReader extends IDisposable: BaseStream Stream; Close(); Read(...?) int; ReadByte() byte; ReadBytes(int) []byte; ReadInt32() int; ReadInt64() long; ReadDouble() double; ReadBoolean() bool; ReadString() string; ReadChar() char
type BinaryWriter extends IDisposable: BaseStream Stream; Close(); Flush(); Write(...?); Seek(...?) long
type IOException extends System.SystemException
${behind('IOException', 'FileNotFoundException DirectoryNotFoundException EndOfStreamException PathTooLongException')}
${open('File Directory Path FileInfo DirectoryInfo FileMode FileAccess SeekOrigin')}
package System.Text
type StringBuilder: Length int; Capacity int; Item char; Append(...?) StringBuilder; AppendLine(...?) StringBuilder; AppendFormat(...?) StringBuilder; Insert(...?) StringBuilder; Remove(int, int) StringBuilder; Replace(...?) StringBuilder; Clear() StringBuilder; ToString(...?) string; CopyTo(...?)
type Encoding: UTF8 Encoding; ASCII Encoding; Unicode Encoding; Default Encoding; GetBytes(...?) []byte; GetString(...?) string; GetByteCount(...?) int; GetChars(...?) []char; GetEncoding(...?) Encoding; GetMaxByteCount(int) int; GetMaxCharCount(int) int; GetPreamble() []byte; GetDecoder() ?; GetEncoder() ?
${behind('Encoding', 'UTF8Encoding UnicodeEncoding ASCIIEncoding')}
package System.Numerics
${open('BigInteger Complex Vector')}package System.ComponentModel
${open('TypeDescriptor TypeConverter PropertyDescriptor PropertyDescriptorCollection ListChangedEventArgs PropertyChangedEventArgs PropertyChangingEventArgs DefaultValueAttribute DescriptionAttribute INotifyPropertyChanged Component BindingList`1 IBindingList ITypedList AddingNewEventArgs')}package System.Collections.Specialized
${open('NotifyCollectionChangedEventArgs INotifyCollectionChanged NameValueCollection')}package System.Linq.Expressions
${open('Expression ParameterExpression LambdaExpression MemberExpression MethodCallExpression ConstantExpression BinaryExpression UnaryExpression NewExpression')}package System.Dynamic
${open('DynamicMetaObject DynamicObject ExpandoObject BindingRestrictions GetMemberBinder SetMemberBinder')}package System.Reflection.Emit
${open('DynamicMethod ILGenerator OpCodes AssemblyBuilder TypeBuilder')}package System.Xml
${open('XmlDocument XmlNode XmlElement XmlAttribute XmlConvert XmlReader XmlWriter XmlNamespaceManager NameTable XmlDeclaration XmlDocumentType')}package System.Xml.Linq
${open('XDocument XElement XAttribute XText XComment XName XNamespace XNode XObject XContainer')}package System.Data
${open('DataTable DataSet DataRow DataColumn')}package System.Runtime.Serialization
${open('StreamingContext SerializationInfo SerializationBinder ISerializable FormatterServices')}package System.Text.RegularExpressions
type Regex: Match(...?) Match; Matches(...?) IEnumerable\`1<Match>; IsMatch(...?) bool; Replace(...?) string; Split(...?) []string; Escape(string) string; Options RegexOptions
type Match extends Group: Groups IReadOnlyList\`1<Group>; NextMatch() Match
type Group: Value string; Success bool; Index int; Length int; Name string
${open('RegexOptions')}
package System.Threading
type CancellationToken: IsCancellationRequested bool; CanBeCanceled bool; None CancellationToken; ThrowIfCancellationRequested(); Register(...?) ?
type CancellationTokenSource extends IDisposable: Token CancellationToken; IsCancellationRequested bool; Cancel(...?); CancelAfter(?); CreateLinkedTokenSource(...?) CancellationTokenSource
${open('Thread Interlocked Monitor Volatile Timer SemaphoreSlim ManualResetEvent AutoResetEvent ManualResetEventSlim SpinWait ThreadLocal`1 AsyncLocal`1 Mutex Barrier CountdownEvent ReaderWriterLockSlim Timeout SynchronizationContext TimeProvider')}
package System.Threading.Tasks
type Task extends IDisposable: ConfigureAwait(bool) Task; CompletedTask Task; Delay(...?) Task; Run(...?) ?; WhenAll(...?) ?; WhenAny(...?) ?; FromResult(?) ?; FromException(...?) ?; FromCanceled(...?) ?; Yield() ?; Wait(...?); ContinueWith(...?) Task; GetAwaiter() ?; IsCompleted bool; IsFaulted bool; IsCanceled bool; Exception AggregateException; Factory ?; Status ?
type Task\`1<T> extends Task: Result T; ConfigureAwait(bool) Task\`1<T>
type ValueTask: AsTask() Task; ConfigureAwait(bool) ValueTask; GetAwaiter() ?; IsCompleted bool; CompletedTask ValueTask; FromResult(?) ?
type ValueTask\`1<T>: Result T; AsTask() Task\`1<T>; ConfigureAwait(bool) ValueTask\`1<T>; IsCompleted bool; GetAwaiter() ?
type TaskCompletionSource\`1<T>: Task Task\`1<T>; SetResult(T); TrySetResult(T) bool; SetException(?); SetCanceled(...?)
${open('Parallel TaskScheduler TaskFactory')}
package System.Reflection
type MemberInfo: Name string; DeclaringType Type; ReflectedType Type; MemberType MemberTypes; Module ?; MetadataToken int; GetCustomAttributes(...?) []object; IsDefined(...?) bool; GetCustomAttribute(...?) ?
type MethodBase extends MemberInfo: IsPublic bool; IsStatic bool; IsVirtual bool; IsAbstract bool; IsFinal bool; IsPrivate bool; IsGenericMethod bool; ContainsGenericParameters bool; GetParameters() []ParameterInfo; Invoke(...?) object; GetGenericArguments() []Type; IsConstructor bool
type MethodInfo extends MethodBase: ReturnType Type; MakeGenericMethod(...?) MethodInfo; GetBaseDefinition() MethodInfo; CreateDelegate(...?) Delegate; GetGenericMethodDefinition() MethodInfo
type ConstructorInfo extends MethodBase
type PropertyInfo extends MemberInfo: PropertyType Type; CanRead bool; CanWrite bool; GetValue(...?) object; SetValue(...?); GetGetMethod(...?) MethodInfo; GetSetMethod(...?) MethodInfo; GetIndexParameters() []ParameterInfo; GetMethod MethodInfo; SetMethod MethodInfo
type FieldInfo extends MemberInfo: FieldType Type; IsStatic bool; IsPublic bool; IsInitOnly bool; IsLiteral bool; GetValue(?) object; SetValue(...?)
type ParameterInfo: Name string; ParameterType Type; Member MemberInfo; Position int; IsOut bool; HasDefaultValue bool; DefaultValue object; IsOptional bool; GetCustomAttributes(...?) []object; IsDefined(...?) bool
type Assembly: FullName string; GetTypes() []Type; GetType(...?) Type; GetName() ?; Load(...?) Assembly; GetExecutingAssembly() Assembly; GetManifestResourceStream(...?) Stream; Location string
${open('BindingFlags MemberTypes Binder TypeInfo TargetInvocationException')}
package System.Globalization
type CultureInfo extends IFormatProvider: InvariantCulture CultureInfo; CurrentCulture CultureInfo; CurrentUICulture CultureInfo; Name string; NumberFormat ?; DateTimeFormat ?; TextInfo ?; CompareInfo ?
${open('NumberStyles DateTimeStyles UnicodeCategory CharUnicodeInfo')}
package System.Diagnostics
type Stopwatch: Elapsed TimeSpan; ElapsedMilliseconds long; ElapsedTicks long; StartNew() Stopwatch; Start(); Stop(); Reset(); Restart(); GetTimestamp() long; IsRunning bool
${open('Debug Trace Process Activity TraceLevel Debugger StackTrace StackFrame DebuggerDisplayAttribute ConditionalAttribute')}
package System.Net.Http
${open('HttpClient HttpRequestMessage HttpResponseMessage HttpContent HttpMethod HttpMessageHandler DelegatingHandler StringContent HttpRequestException')}
package Xunit
${open('Assert')}
package NUnit.Framework
${open('Assert TestContext Is Does Has')}
`;
