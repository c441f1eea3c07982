/** What can be gone through. */
const SEQUENCE =
  'makeIterator() Iterator<T>; <R> map(fn(T) R) []R; <R> compactMap(fn(T) R) []R; <R> flatMap(fn(T) ?) []?; filter(fn(T) Bool) []T; ' +
  'forEach(fn(T)); first T; first(fn(T) Bool) T; last T; last(fn(T) Bool) T; contains(T) Bool; contains(fn(T) Bool) Bool; ' +
  'allSatisfy(fn(T) Bool) Bool; <R> reduce(R, fn(R, T) R) R; <R> reduce(R, fn(R, T)) R; enumerated() [](Int, T); reversed() []T; ' +
  'sorted() []T; sorted(fn(T, T) Bool) []T; min() T; max() T; min(fn(T, T) Bool) T; max(fn(T, T) Bool) T; prefix(?) []T; suffix(?) []T; ' +
  'dropFirst() []T; dropFirst(Int) []T; dropLast() []T; dropLast(Int) []T; prefix(fn(T) Bool) []T; drop(fn(T) Bool) []T; count Int; isEmpty Bool; ' +
  'firstIndex(?) Int; lastIndex(?) Int; index(?) Int; indices []Int; startIndex Int; endIndex Int; joined() ?; joined(?) String; split(?) []?; ' +
  'randomElement() T; shuffled() []T; starts(?) Bool; elementsEqual(?) Bool; lazy []T; count(fn(T) Bool) Int';

/** What Swift's library gives, as far as much used chains lead through it: see `source/link/library.ts`. */
export const LIBRARY = `
package Swift
type Any
interface AnyObject
interface Sendable
interface Copyable
interface Equatable
interface Hashable extends Equatable: hash(?); hashValue Int
interface Comparable extends Equatable
interface Codable extends Encodable, Decodable
interface Encodable: encode(?)
interface Decodable
interface Identifiable: id ?
interface CustomStringConvertible: description String
interface CustomDebugStringConvertible: debugDescription String
interface CaseIterable: allCases []?
interface RawRepresentable<E>: rawValue ?; hashValue Int; hash(?)
interface Error: localizedDescription String
interface Actor
interface OptionSet: contains(?) Bool; insert(?); remove(?); isEmpty Bool; union(?) ?
interface ExpressibleByStringLiteral
interface ExpressibleByIntegerLiteral
interface ExpressibleByFloatLiteral
interface ExpressibleByBooleanLiteral
interface ExpressibleByArrayLiteral
interface ExpressibleByDictionaryLiteral
interface ExpressibleByNilLiteral
interface ExpressibleByStringInterpolation
interface Strideable
interface Numeric
interface BinaryInteger
interface FloatingPoint
interface AsyncSequence<T>
interface Sequence<T>: ${SEQUENCE}
interface Collection<T> extends Sequence<T>
interface BidirectionalCollection<T> extends Collection<T>
interface RandomAccessCollection<T> extends Collection<T>
interface MutableCollection<T> extends Collection<T>
interface IteratorProtocol<T>: next() T
interface Iterator<T>: next() T
type Bool: toggle(); description String
${'Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64 Double Float CGFloat'.replace(/\S+/g, 'type $&: description String; hashValue Int; magnitude $&; max $&; min $&; zero $&; infinity $&; isMultiple(?) Bool; rounded() $&; advanced(?) $&; isZero Bool; isNaN Bool\n')}
type Character: isNewline Bool; isWhitespace Bool; isLetter Bool; isNumber Bool; isUppercase Bool; isLowercase Bool; uppercased() String; lowercased() String; asciiValue UInt8; unicodeScalars ?; utf8 []UInt8
type String extends Collection<Character>: count Int; isEmpty Bool; uppercased() String; lowercased() String; capitalized String; hasPrefix(?) Bool; hasSuffix(?) Bool; append(?); utf8 []UInt8; utf16 ?; unicodeScalars ?; data(?, ?) Foundation.Data; data(?) Foundation.Data; components(?) []String; trimmingCharacters(?) String; replacingOccurrences(?, ?) String; replacingOccurrences(?, ?, ?) String; replacingOccurrences(?, ?, ?, ?) String; addingPercentEncoding(?) String; removingPercentEncoding String; split(?) []Substring; split(?, ?) []Substring; split(?, ?, ?) []Substring; range(?) ?; contains(?) Bool; description String; hashValue Int; prefix(?) Substring; suffix(?) Substring; dropFirst() Substring; dropLast() Substring; dropFirst(Int) Substring; dropLast(Int) Substring; lastPathComponent String; first Character; last Character; write(?); substring(?) String; removeFirst() Character; removeLast() Character; map(fn(Character) ?) []?; padding(?, ?, ?) String; appending(?) String; subscript(?) Character; insert(?, ?); remove(?) Character
type Substring extends String
interface StringProtocol extends String
type Array<T> extends RandomAccessCollection<T>: append(T); append(?); insert(T, Int); insert(?, ?); remove(Int) T; removeAll(); removeAll(?); removeFirst() T; removeLast() T; popLast() T; reserveCapacity(Int); sort(); sort(fn(T, T) Bool); reverse(); swapAt(Int, Int); capacity Int; subscript(Int) T; removeSubrange(?); replaceSubrange(?, ?); shuffle()
type ArraySlice<T> extends Array<T>
type ContiguousArray<T> extends Array<T>
type Set<T> extends Collection<T>: insert(T) ?; remove(T) T; contains(T) Bool; union(?) Set<T>; intersection(?) Set<T>; subtracting(?) Set<T>; symmetricDifference(?) Set<T>; formUnion(?); formIntersection(?); subtract(?); isSubset(?) Bool; isSuperset(?) Bool; isDisjoint(?) Bool; removeAll(); update(T) T
type Dictionary<K, V> extends Collection<(K, V)>: keys []K; values []V; subscript(K) V; subscript(K, V) V; removeValue(K) V; updateValue(V, K) V; removeAll(); removeAll(?); <R> mapValues(fn(V) R) Dictionary<K, R>; <R> compactMapValues(fn(V) R) Dictionary<K, R>; filter(fn((K, V)) Bool) Dictionary<K, V>; merging(?, ?) Dictionary<K, V>; merging(?) Dictionary<K, V>; merge(?, ?); merge(?); reserveCapacity(Int)
type Result<S, F>: success(S) Result<S, F>; failure(F) Result<S, F>; get() S; <R> map(fn(S) R) Result<R, F>; <R> mapError(fn(F) R) Result<S, R>; <R, G> flatMap(fn(S) Result<R, G>) Result<R, G>
type Task<S, F>: value S; result Result<S, F>; cancel(); isCancelled Bool; checkCancellation(); yield(); sleep(?)
type AsyncStream<T>: makeAsyncIterator() ?; Continuation ?
type AsyncThrowingStream<T, F>
type KeyPath<R, V>
type Range<T> extends Collection<T>: lowerBound T; upperBound T; contains(T) Bool
type ClosedRange<T> extends Collection<T>: lowerBound T; upperBound T; contains(T) Bool
type Never
type Void
type ObjectIdentifier
type Mirror
type Hasher: combine(?); finalize() Int
interface Encoder: container(?) ?; singleValueContainer() ?; unkeyedContainer() ?; codingPath []CodingKey; userInfo ?
interface Decoder: container(?) ?; singleValueContainer() ?; unkeyedContainer() ?; codingPath []CodingKey
interface CodingKey: stringValue String; intValue Int
func print(...?)
func debugPrint(...?)
func dump(...?)
func fatalError() Never
func fatalError(?) Never
func preconditionFailure() Never
func preconditionFailure(?) Never
func precondition(?)
func precondition(?, ?)
func assert(?)
func assert(?, ?)
func assertionFailure()
func assertionFailure(?)
func <T> min(T, T) T
func <T> max(T, T) T
func <T> abs(T) T
func <T> swap(T, T)
func type(?) ?
func <T> zip(?, ?) []?
func stride(?, ?, ?) []Int
func <T> withExtendedLifetime(?, fn() T) T
func defer(?)
package Foundation
interface NSObjectProtocol
type NSObject
type NSError: domain String; code Int; userInfo ?; localizedDescription String
type Data extends Swift.Collection<UInt8>: append(?); write(?); write(?, ?); base64EncodedString() String; base64EncodedString(?) String; count Int
type URL: absoluteString String; path String; host String; scheme String; query String; lastPathComponent String; pathExtension String; appendingPathComponent(?) URL; appendingPathComponent(?, ?) URL; appendingPathExtension(?) URL; deletingLastPathComponent() URL; deletingPathExtension() URL; isFileURL Bool; standardizedFileURL URL; absoluteURL URL; baseURL URL; pathComponents []String; checkResourceIsReachable() Bool; resourceValues(?) ?; standardized URL
type URLRequest: url URL; httpMethod String; httpBody Data; allHTTPHeaderFields Dictionary<String, String>; timeoutInterval Double; value(?) String; setValue(?, ?); addValue(?, ?); cachePolicy ?; httpBodyStream InputStream
type URLResponse: url URL; mimeType String; expectedContentLength Int64; suggestedFilename String
type HTTPURLResponse extends URLResponse: statusCode Int; allHeaderFields ?
type URLComponents: url URL; path String; queryItems []URLQueryItem; percentEncodedQuery String; scheme String; host String; string String
type URLQueryItem: name String; value String
type InputStream
type OutputStream
type URLSession
type URLSessionTask: resume(); cancel(); suspend(); taskIdentifier Int; originalRequest URLRequest; currentRequest URLRequest; response URLResponse; state ?; error ?
type URLSessionDataTask extends URLSessionTask
type URLSessionUploadTask extends URLSessionDataTask
type URLSessionDownloadTask extends URLSessionTask: cancel(?)
type URLSessionWebSocketTask extends URLSessionTask
type URLSessionConfiguration
type URLCredential
type Date: timeIntervalSince(?) Double; timeIntervalSinceNow Double; addingTimeInterval(?) Date; timeIntervalSince1970 Double
type UUID: uuidString String
type Calendar
type Locale
type TimeZone
type DateFormatter: string(?) String; date(?) Date
type JSONEncoder: encode(?) Data
type JSONDecoder: <T> decode(T, ?) T
type JSONSerialization
type FileManager: default FileManager; fileExists(?) Bool; fileExists(?, ?) Bool; createDirectory(?, ?, ?); contents(?) Data; removeItem(?); moveItem(?, ?); copyItem(?, ?); temporaryDirectory URL; currentDirectoryPath String; contentsOfDirectory(?) []String; urls(?, ?) []URL
type Bundle: main Bundle; bundleIdentifier String; path(?, ?) String; url(?, ?) URL; infoDictionary Dictionary<String, ?>
type ProcessInfo: processInfo ProcessInfo; environment Dictionary<String, String>; arguments []String
type NotificationCenter: default NotificationCenter; post(?); post(?, ?); post(?, ?, ?)
type Notification
type OperationQueue: addOperation(?); main OperationQueue; addBarrierBlock(?)
type Operation
type NSLock: lock(); unlock(); <T> withLock(fn() T) T
type NSRecursiveLock: lock(); unlock(); <T> withLock(fn() T) T
type CharacterSet: contains(?) Bool; subtracting(?) CharacterSet; union(?) CharacterSet; insert(?)
type IndexSet
type IndexPath
type Progress: completedUnitCount Int64; totalUnitCount Int64; fractionCompleted Double; isCancelled Bool
type Process
type Pipe
type FileHandle
type NSRegularExpression
type NSString
type Timer
package Dispatch
type DispatchQueue: main DispatchQueue; async(fn()); async(?, fn()); async(?, ?, ?, fn()); sync(fn()); <T> sync(fn() T) T; asyncAfter(?, fn()); label String
type DispatchGroup: enter(); leave(); wait(); notify(?, fn())
type DispatchSemaphore: wait(); wait(?) ?; signal()
type DispatchTime
type DispatchWorkItem: cancel(); perform()
package XCTest
type XCTestCase: expectation(?) XCTestExpectation; wait(?, ?); waitForExpectations(?); waitForExpectations(?, ?); setUp(); tearDown(); addTeardownBlock(?); fulfillment(?, ?)
type XCTestExpectation: fulfill()
${'XCTAssert XCTAssertTrue XCTAssertFalse XCTAssertNil XCTAssertNotNil XCTAssertThrowsError XCTAssertNoThrow XCTFail'.replace(/\S+/g, 'func $&(...?)\n')}
${'XCTAssertEqual XCTAssertNotEqual XCTAssertGreaterThan XCTAssertLessThan XCTAssertGreaterThanOrEqual XCTAssertLessThanOrEqual XCTAssertIdentical'.replace(/\S+/g, 'func $&(...?)\n')}
func <T> XCTUnwrap(T) T
func <T> XCTUnwrap(T, ?) T
`;
