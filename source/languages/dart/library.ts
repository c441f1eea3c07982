/** What can be gone through. */
const ITERABLE =
  'iterator Iterator<E>; length int; isEmpty bool; isNotEmpty bool; first E; last E; single E; <T> map(fn(E) T) Iterable<T>; ' +
  'where(fn(E) bool) Iterable<E>; <T> whereType() Iterable<T>; <T> expand(fn(E) Iterable<T>) Iterable<T>; forEach(fn(E)); ' +
  'contains(?) bool; reduce(fn(E, E) E) E; <T> fold(T, fn(T, E) T) T; every(fn(E) bool) bool; any(fn(E) bool) bool; join(?) String; ' +
  'toList() List<E>; toSet() Set<E>; take(int) Iterable<E>; takeWhile(fn(E) bool) Iterable<E>; skip(int) Iterable<E>; ' +
  'skipWhile(fn(E) bool) Iterable<E>; firstWhere(fn(E) bool, ?) E; lastWhere(fn(E) bool, ?) E; singleWhere(fn(E) bool, ?) E; elementAt(int) E; ' +
  '<R> cast() Iterable<R>; followedBy(?) Iterable<E>; firstOrNull E; lastOrNull E; singleOrNull E; elementAtOrNull(int) E; nonNulls Iterable<E>; ' +
  'indexed Iterable<?>; generate(int, fn(int) E) Iterable<E>';

const NUMBER =
  'toInt() int; toDouble() double; abs() self; round() int; floor() int; ceil() int; truncate() int; clamp(?, ?) num; compareTo(num) int; remainder(?) num; ' +
  'sign num; isNegative bool; isNaN bool; isFinite bool; isInfinite bool; toStringAsFixed(int) String; toString() String; operator-(?) self; operator*(?) self; ' +
  'operator%(?) self; operator/(?) double; operator~/(?) int; parse(String) self; tryParse(String) self';

const STRING =
  'length int; isEmpty bool; isNotEmpty bool; codeUnits List<int>; runes Iterable<int>; codeUnitAt(int) int; compareTo(String) int; contains(?) bool; ' +
  'startsWith(?) bool; endsWith(?) bool; indexOf(?) int; lastIndexOf(?) int; substring(int, int) String; trim() String; trimLeft() String; trimRight() String; ' +
  'padLeft(int, ?) String; padRight(int, ?) String; split(?) List<String>; splitMapJoin(?) String; replaceAll(?, ?) String; replaceFirst(?, ?) String; ' +
  'replaceAllMapped(?, fn(Match) String) String; replaceFirstMapped(?, fn(Match) String) String; replaceRange(int, int, String) String; toLowerCase() String; ' +
  'toUpperCase() String; allMatches(?) Iterable<Match>; matchAsPrefix(?) Match; operator[](int) String; operator+(?) String; operator*(int) String; ' +
  'fromCharCode(int) String; fromCharCodes(?) String; fromEnvironment(?) String; hashCode int';

const ERRORS =
  'Error AssertionError TypeError ArgumentError RangeError IndexError StateError UnsupportedError UnimplementedError ConcurrentModificationError ' +
  'StackOverflowError NoSuchMethodError';

const TESTS =
  'test group setUp tearDown setUpAll tearDownAll expect expectLater fail addTearDown printOnFailure pumpEventQueue isA ' +
  'throwsA equals contains isNot hasLength emits emitsInOrder completion';
const MOCKS = 'when verify verifyNever verifyInOrder any captureAny registerFallbackValue reset';

/** Functions of a package for tests: that they are of elsewhere is all that matters. */
const imported = (name: string, functions: string) =>
  `package ${name}\n${functions.replace(/\S+/g, 'func $&(...?) ?\n')}`;

/** What Dart's library gives, as far as much used chains lead through it: see `source/link/library.ts`. */
export const LIBRARY = `
package dart.core
type Object: toString() String; hashCode int; runtimeType Type; noSuchMethod(?) ?; hash(...?) int; hashAll(?) int
type Null
type Type
type Symbol
type Function: apply(?, ?) ?
type Record
type bool: fromEnvironment(?) bool; parse(String) bool; tryParse(String) bool
type num extends Comparable<num>: ${NUMBER}; operator+(?) num
type int extends num: ${NUMBER}; operator+(?) int; isEven bool; isOdd bool; bitLength int; toRadixString(int) String; gcd(int) int; pow(int) int; toUnsigned(int) int; toSigned(int) int; fromEnvironment(?) int
type double extends num: ${NUMBER}; operator+(?) double; infinity double; nan double; maxFinite double
type BigInt: parse(String) BigInt; toInt() int; from(?) BigInt
type String extends Comparable<String>, Pattern: ${STRING}
interface Comparable<T>: compareTo(T) int
interface Pattern: allMatches(?) Iterable<Match>; matchAsPrefix(?) Match
type Match: group(int) String; groups(?) List<String>; start int; end int; input String; groupCount int; operator[](int) String
type RegExpMatch extends Match: namedGroup(String) String; groupNames Iterable<String>
type RegExp extends Pattern: firstMatch(String) RegExpMatch; allMatches(?) Iterable<RegExpMatch>; hasMatch(String) bool; stringMatch(String) String; pattern String; escape(String) String
type Enum: index int; name String; values List<?>
type Iterator<E>: current E; moveNext() bool
interface Iterable<E>: ${ITERABLE}
interface List<E> extends Iterable<E>: add(E); addAll(?); insert(int, E); insertAll(int, ?); remove(?) bool; removeAt(int) E; removeLast() E; removeWhere(fn(E) bool); retainWhere(fn(E) bool); removeRange(int, int); clear(); sort(fn(E, E) int); indexOf(?) int; lastIndexOf(?) int; indexWhere(fn(E) bool) int; sublist(int, int) List<E>; getRange(int, int) Iterable<E>; reversed Iterable<E>; asMap() Map<int, E>; shuffle(?); fillRange(int, int, E); setAll(int, ?); setRange(int, int, ?); replaceRange(int, int, ?); operator[](int) E; operator+(?) List<E>; filled(int, E) List<E>; from(?) List<E>; of(?) List<E>; unmodifiable(?) List<E>; empty() List<E>; <R> cast() List<R>
interface Set<E> extends Iterable<E>: add(E) bool; addAll(?); remove(?) bool; removeAll(?); removeWhere(fn(E) bool); retainWhere(fn(E) bool); retainAll(?); clear(); containsAll(?) bool; union(?) Set<E>; intersection(?) Set<E>; difference(?) Set<E>; lookup(?) E; from(?) Set<E>; of(?) Set<E>; unmodifiable(?) Set<E>; identity() Set<E>
interface Map<K, V>: operator[](?) V; length int; isEmpty bool; isNotEmpty bool; keys Iterable<K>; values Iterable<V>; entries Iterable<MapEntry<K, V>>; containsKey(?) bool; containsValue(?) bool; forEach(fn(K, V)); putIfAbsent(K, fn() V) V; update(K, fn(V) V, ?) V; updateAll(fn(K, V) V); remove(?) V; removeWhere(fn(K, V) bool); addAll(?); addEntries(?); clear(); <K2, V2> map(fn(K, V) MapEntry<K2, V2>) Map<K2, V2>; <RK, RV> cast() Map<RK, RV>; from(?) Map<K, V>; of(?) Map<K, V>; unmodifiable(?) Map<K, V>; fromEntries(?) Map<K, V>; fromIterable(?) Map<K, V>; fromIterables(?, ?) Map<K, V>; identity() Map<K, V>
type MapEntry<K, V>: key K; value V
type DateTime extends Comparable<DateTime>: now() DateTime; utc(...?) DateTime; parse(String) DateTime; tryParse(String) DateTime; fromMillisecondsSinceEpoch(int) DateTime; fromMicrosecondsSinceEpoch(int) DateTime; timestamp() DateTime; add(Duration) DateTime; subtract(Duration) DateTime; difference(DateTime) Duration; isBefore(DateTime) bool; isAfter(DateTime) bool; toUtc() DateTime; toLocal() DateTime; toIso8601String() String; millisecondsSinceEpoch int; microsecondsSinceEpoch int; year int; month int; day int; hour int; minute int; second int; millisecond int; weekday int; isUtc bool; copyWith(...?) DateTime
type Duration extends Comparable<Duration>: inDays int; inHours int; inMinutes int; inSeconds int; inMilliseconds int; inMicroseconds int; zero Duration; operator+(?) Duration; operator-(?) Duration; operator*(?) Duration; isNegative bool; abs() Duration
type Stopwatch: start(); stop(); reset(); elapsed Duration; elapsedMilliseconds int; elapsedMicroseconds int; isRunning bool
type StringSink: write(?); writeln(?); writeAll(?, ?); writeCharCode(int)
type StringBuffer extends StringSink: length int; isEmpty bool; isNotEmpty bool; clear(); toString() String
interface Sink<T>: add(T); close()
type Uri: parse(String) Uri; tryParse(String) Uri; http(...?) Uri; https(...?) Uri; file(...?) Uri; directory(...?) Uri; scheme String; host String; port int; path String; query String; fragment String; queryParameters Map<String, String>; queryParametersAll Map<String, List<String>>; pathSegments List<String>; resolve(String) Uri; resolveUri(Uri) Uri; replace(...?) Uri; origin String; authority String; userInfo String; hasScheme bool; hasQuery bool; isAbsolute bool; toFilePath(?) String; normalizePath() Uri; removeFragment() Uri; base Uri; dataFromString(?) Uri; encodeComponent(String) String; decodeComponent(String) String; encodeFull(String) String; decodeFull(String) String; encodeQueryComponent(String, ?) String; decodeQueryComponent(String, ?) String; splitQueryString(String, ?) Map<String, String>
type StackTrace: current StackTrace; fromString(String) StackTrace; empty StackTrace
type Expando<T>: operator[](?) T
type WeakReference<T>: target T
type Invocation: memberName Symbol; isGetter bool; isMethod bool; positionalArguments List<?>
type Exception
type FormatException extends Exception: message String; source ?; offset int
${ERRORS.replace(/\S+/g, (name) => `type ${name}${name === 'Error' ? '' : ' extends Error'}: message ?; stackTrace StackTrace\n`)}var override ?
var deprecated ?
func print(?)
func identical(?, ?) bool
func identityHashCode(?) int
type Deprecated
type pragma
package dart.async
type Future<T>: <R> then(fn(T) R, ?) Future<R>; catchError(?, ?) Future<T>; whenComplete(fn() ?) Future<T>; timeout(Duration, ?) Future<T>; asStream() Stream<T>; value(T) Future<T>; error(?, ?) Future<T>; delayed(Duration, fn() T) Future<T>; sync(fn() T) Future<T>; microtask(fn() T) Future<T>; <E> wait(dart.core.List<Future<E>>) Future<dart.core.List<E>>; <E> any(?) Future<E>; forEach(?, ?) Future<?>; doWhile(?) Future<?>; ignore(); onError(?, ?) Future<T>
type FutureOr<T>
type Stream<T>: listen(fn(T), ?) StreamSubscription<T>; <S> map(fn(T) S) Stream<S>; where(fn(T) bool) Stream<T>; <S> asyncMap(fn(T) ?) Stream<S>; <S> expand(fn(T) dart.core.Iterable<S>) Stream<S>; <S> asyncExpand(fn(T) Stream<S>) Stream<S>; <S> transform(StreamTransformer<T, S>) Stream<S>; handleError(?, ?) Stream<T>; forEach(fn(T)) Future<?>; toList() Future<dart.core.List<T>>; toSet() Future<dart.core.Set<T>>; first Future<T>; last Future<T>; single Future<T>; length Future<int>; isEmpty Future<bool>; firstWhere(fn(T) bool, ?) Future<T>; any(fn(T) bool) Future<bool>; every(fn(T) bool) Future<bool>; <S> fold(S, fn(S, T) S) Future<S>; join(?) Future<String>; take(int) Stream<T>; skip(int) Stream<T>; takeWhile(fn(T) bool) Stream<T>; skipWhile(fn(T) bool) Stream<T>; distinct(?) Stream<T>; drain(?) Future<?>; pipe(?) Future<?>; asBroadcastStream(?) Stream<T>; timeout(?, ?) Stream<T>; isBroadcast bool; <R> cast() Stream<R>; value(T) Stream<T>; fromIterable(?) Stream<T>; fromFuture(?) Stream<T>; fromFutures(?) Stream<T>; periodic(Duration, ?) Stream<T>; empty() Stream<T>; error(?, ?) Stream<T>; multi(?) Stream<T>; eventTransformed(?, ?) Stream<T>
type StreamSubscription<T>: cancel() Future<?>; pause(?); resume(); isPaused bool; onData(fn(T)); onDone(fn()); onError(?); asFuture(?) Future<?>
type StreamController<T> extends StreamSink<T>: stream Stream<T>; sink StreamSink<T>; broadcast(...?) StreamController<T>; isClosed bool; isPaused bool; hasListener bool; onListen fn(); onPause fn(); onResume fn(); onCancel fn() ?; addStream(?, ?) Future<?>
type StreamSink<T> extends EventSink<T>: done Future<?>; addStream(Stream<T>) Future<?>; close() Future<?>
interface EventSink<T>: add(T); addError(?, ?); close()
interface StreamConsumer<T>: addStream(Stream<T>) Future<?>; close() Future<?>
type StreamTransformer<S, T>: bind(Stream<S>) Stream<T>; fromHandlers(...?) StreamTransformer<S, T>
type StreamTransformerBase<S, T> extends StreamTransformer<S, T>
type StreamIterator<T>: current T; moveNext() Future<bool>; cancel() Future<?>
type Completer<T>: future Future<T>; complete(?); completeError(?, ?); isCompleted bool; sync() Completer<T>
type Timer: cancel(); isActive bool; periodic(Duration, fn(Timer)) Timer; run(fn()); tick int
type Zone: current Zone; root Zone; run(?) ?; fork(...?) Zone; handleUncaughtError(?, ?); operator[](?) ?
type TimeoutException extends dart.core.Exception: message String; duration Duration
func unawaited(?)
func scheduleMicrotask(fn())
func <R> runZoned(fn() R, ?) R
func <R> runZonedGuarded(fn() R, ?, ?) R
package dart.convert
type Codec<S, T>: encode(S) T; decode(T) S; encoder Converter<S, T>; decoder Converter<T, S>
type Encoding extends Codec<dart.core.String, dart.core.List<int>>: name String; getByName(String) Encoding; decodeStream(?) dart.async.Future<String>
type Converter<S, T> extends dart.async.StreamTransformer<S, T>: convert(S) T; startChunkedConversion(?) ?
type Utf8Codec extends Encoding
type Latin1Codec extends Encoding
type AsciiCodec extends Encoding
type JsonCodec: encode(?) String; decode(?) ?; decoder Converter<?, ?>; encoder JsonEncoder
type JsonEncoder: convert(?) String; withIndent(?) JsonEncoder
type JsonDecoder: convert(?) ?
type Base64Codec: encode(?) String; decode(?) dart.typed_data.Uint8List; normalize(String) String
type LineSplitter extends dart.async.StreamTransformer<String, String>: convert(String) dart.core.List<String>; split(?) dart.core.Iterable<String>
type HtmlEscape: convert(String) String
var utf8 Utf8Codec
var latin1 Latin1Codec
var ascii AsciiCodec
var json JsonCodec
var base64 Base64Codec
var base64Url Base64Codec
var htmlEscape HtmlEscape
func jsonEncode(?, ?) String
func jsonDecode(?, ?) ?
func base64Encode(?) String
func base64Decode(?) dart.typed_data.Uint8List
func base64UrlEncode(?) String
package dart.typed_data
type TypedData: lengthInBytes int; buffer ByteBuffer; offsetInBytes int; elementSizeInBytes int
type ByteBuffer: asUint8List(...?) Uint8List; asByteData(...?) ByteData; lengthInBytes int
type ByteData extends TypedData: getUint8(int) int; setUint8(int, int); view(...?) ByteData; sublistView(...?) ByteData
type Uint8List extends dart.core.List<int>, TypedData: fromList(?) Uint8List; view(...?) Uint8List; sublistView(...?) Uint8List; sublist(int, int) Uint8List
${'Int8 Int16 Int32 Int64 Uint16 Uint32 Uint64 Uint8Clamped'.replace(/\S+/g, 'type $&List extends dart.core.List<int>, TypedData: fromList(?) $&List\n')}${'Float32 Float64'.replace(/\S+/g, 'type $&List extends dart.core.List<double>, TypedData: fromList(?) $&List\n')}type BytesBuilder: add(?); addByte(int); takeBytes() Uint8List; toBytes() Uint8List; length int; clear()
package dart.collection
type HashMap<K, V> extends dart.core.Map<K, V>
type LinkedHashMap<K, V> extends dart.core.Map<K, V>
type SplayTreeMap<K, V> extends dart.core.Map<K, V>
type MapBase<K, V> extends dart.core.Map<K, V>
type UnmodifiableMapView<K, V> extends dart.core.Map<K, V>
type HashSet<E> extends dart.core.Set<E>
type LinkedHashSet<E> extends dart.core.Set<E>
type SplayTreeSet<E> extends dart.core.Set<E>
type SetBase<E> extends dart.core.Set<E>
type ListBase<E> extends dart.core.List<E>
type IterableBase<E> extends dart.core.Iterable<E>
type UnmodifiableListView<E> extends dart.core.List<E>
type UnmodifiableSetView<E> extends dart.core.Set<E>
interface Queue<E> extends dart.core.Iterable<E>: add(E); addFirst(E); addLast(E); addAll(?); removeFirst() E; removeLast() E; remove(?) bool; clear()
type ListQueue<E> extends Queue<E>
type DoubleLinkedQueue<E> extends Queue<E>
package dart.io
type FileSystemEntity: path String; exists() dart.async.Future<bool>; existsSync() bool; delete(?) dart.async.Future<FileSystemEntity>; deleteSync(?); absolute self; parent Directory; uri Uri; statSync() FileStat; stat() dart.async.Future<FileStat>; rename(String) dart.async.Future<self>; renameSync(String) self; isDirectorySync(String) bool; isFileSync(String) bool; typeSync(String) ?; resolveSymbolicLinksSync() String
type File extends FileSystemEntity: readAsString(?) dart.async.Future<String>; readAsStringSync(?) String; readAsBytes() dart.async.Future<dart.typed_data.Uint8List>; readAsBytesSync() dart.typed_data.Uint8List; readAsLines(?) dart.async.Future<dart.core.List<String>>; readAsLinesSync(?) dart.core.List<String>; writeAsString(String, ?) dart.async.Future<File>; writeAsStringSync(String, ?); writeAsBytes(?, ?) dart.async.Future<File>; writeAsBytesSync(?, ?); openRead(...?) dart.async.Stream<dart.core.List<int>>; openWrite(...?) IOSink; create(?) dart.async.Future<File>; createSync(?); copy(String) dart.async.Future<File>; copySync(String) File; length() dart.async.Future<int>; lengthSync() int; lastModified() dart.async.Future<DateTime>; lastModifiedSync() DateTime; fromUri(?) File
type Directory extends FileSystemEntity: list(...?) dart.async.Stream<FileSystemEntity>; listSync(...?) dart.core.List<FileSystemEntity>; create(?) dart.async.Future<Directory>; createSync(?); createTemp(?) dart.async.Future<Directory>; createTempSync(?) Directory; current Directory; systemTemp Directory
type Link extends FileSystemEntity
type FileStat: size int; modified DateTime; type ?
type IOSink extends dart.async.StreamSink<dart.core.List<int>>, dart.core.StringSink: flush() dart.async.Future<?>
type Stdout extends IOSink: hasTerminal bool; terminalColumns int; supportsAnsiEscapes bool
type Stdin extends dart.async.Stream<dart.core.List<int>>: readLineSync(?) String
type Platform: environment dart.core.Map<String, String>; isWindows bool; isLinux bool; isMacOS bool; isAndroid bool; isIOS bool; operatingSystem String; script Uri; executable String; resolvedExecutable String; pathSeparator String; version String; numberOfProcessors int; localHostname String
type Process: start(...?) dart.async.Future<Process>; run(...?) dart.async.Future<ProcessResult>; runSync(...?) ProcessResult; stdout dart.async.Stream<dart.core.List<int>>; stderr dart.async.Stream<dart.core.List<int>>; stdin IOSink; exitCode dart.async.Future<int>; kill(?) bool; pid int
type ProcessResult: exitCode int; stdout ?; stderr ?; pid int
type HttpClient: getUrl(Uri) dart.async.Future<HttpClientRequest>; postUrl(Uri) dart.async.Future<HttpClientRequest>; openUrl(String, Uri) dart.async.Future<HttpClientRequest>; close(?)
type HttpClientRequest extends IOSink: headers HttpHeaders; close() dart.async.Future<HttpClientResponse>; method String; uri Uri
type HttpClientResponse extends dart.async.Stream<dart.core.List<int>>: statusCode int; headers HttpHeaders; contentLength int; reasonPhrase String
type HttpHeaders: set(String, ?); add(String, ?); value(String) String; forEach(fn(String, dart.core.List<String>)); contentType ContentType; operator[](String) dart.core.List<String>
type HttpServer extends dart.async.Stream<HttpRequest>: bind(...?) dart.async.Future<HttpServer>; close(?) dart.async.Future<?>; port int; address ?
type HttpRequest extends dart.async.Stream<dart.typed_data.Uint8List>: method String; uri Uri; headers HttpHeaders; response HttpResponse; requestedUri Uri
type HttpResponse extends IOSink: statusCode int; headers HttpHeaders; close() dart.async.Future<?>
type ContentType: mimeType String; charset String; parse(String) ContentType; json ContentType; html ContentType; text ContentType; primaryType String; subType String; parameters dart.core.Map<String, String>
${'IOException FileSystemException SocketException HttpException ProcessException PathNotFoundException'.replace(/\S+/g, 'type $& extends dart.core.Exception: message String; path String\n')}var stdout Stdout
var stderr Stdout
var stdin Stdin
var exitCode int
func exit(int)
func sleep(Duration)
package dart.math
type Random: nextInt(int) int; nextDouble() double; nextBool() bool; secure() Random
type Point: x num; y num
type Rectangle
func max(?, ?) num
func min(?, ?) num
func pow(?, ?) num
func sqrt(?) double
func sin(?) double
func cos(?) double
func log(?) double
var pi double
package dart.isolate
type Isolate: run(?) dart.async.Future<?>; spawn(...?) dart.async.Future<Isolate>; kill(?); current Isolate
type ReceivePort extends dart.async.Stream<?>: sendPort SendPort; close()
type SendPort: send(?)
package dart.developer
func log(?, ?)
func postEvent(?, ?)
package flutter
interface Widget
interface BuildContext: mounted bool; widget Widget
type StatelessWidget extends Widget
type StatefulWidget extends Widget
type State<T>: widget T; context BuildContext; mounted bool; setState(fn()); initState(); dispose(); didUpdateWidget(T); didChangeDependencies()
package meta
var immutable ?
var visibleForTesting ?
var protected ?
var internal ?
var mustCallSuper ?
var required ?
var literal ?
var optionalTypeArgs ?
${imported('test', TESTS)}${imported('flutter_test', `${TESTS} testWidgets`)}${imported('bloc_test', 'blocTest whenListen')}${imported('mocktail', MOCKS)}`;
