/** Types that add nothing that chains lead through to what they derive from. */
function behind(base: string, names: string): string {
  return names.replace(/\S+/g, `type $& extends ${base}\n`);
}

/** Functions that give no object. */
const FUNCTIONS = `
abs acos addcslashes addslashes apcu_fetch apcu_store array_change_key_case array_chunk array_column array_combine
array_count_values array_diff_assoc array_diff_key array_fill array_fill_keys array_flip array_intersect_assoc
array_intersect_key array_is_list array_key_exists array_key_first array_key_last array_keys array_multisort array_pad
array_product array_push array_rand array_replace array_replace_recursive array_search array_splice array_sum array_unshift
array_walk array_walk_recursive arsort asin asort assert atan atan2 base64_decode base64_encode base_convert basename bcadd
bccomp bcdiv bcmod bcmul bcpow bcsub bin2hex bindec boolval call_user_func call_user_func_array ceil chdir checkdate checkdnsrr
chmod chop chown chr chunk_split class_alias class_exists class_implements class_parents class_uses clearstatcache closedir
closelog compact connection_aborted connection_status constant copy cos count crc32 crypt ctype_alnum ctype_alpha ctype_cntrl
ctype_digit ctype_graph ctype_lower ctype_print ctype_punct ctype_space ctype_upper ctype_xdigit curl_close curl_errno curl_error
curl_exec curl_getinfo curl_init curl_multi_add_handle curl_multi_close curl_multi_exec curl_multi_init curl_multi_select
curl_reset curl_setopt curl_setopt_array curl_strerror curl_version date date_default_timezone_get date_default_timezone_set
debug_backtrace debug_print_backtrace debug_zval_refcount decbin dechex decoct define defined deg2rad dir dirname disk_free_space
dl enum_exists error_clear_last error_get_last error_log error_reporting escapeshellarg escapeshellcmd exec exp explode
extension_loaded extract fclose fdiv feof fflush fgetc fgetcsv fgets file file_exists file_get_contents file_put_contents
fileatime filectime filegroup fileinode filemtime fileowner fileperms filesize filetype filter_input filter_var floatval flock
floor flush fmod fnmatch fopen forward_static_call fpassthru fprintf fputcsv fputs fread fscanf fseek fsockopen fstat ftell
ftruncate func_get_arg func_get_args func_num_args function_exists fwrite gc_collect_cycles gc_disable gc_enable
get_called_class get_cfg_var get_class get_class_methods get_class_vars get_current_user get_debug_type get_declared_classes
get_defined_constants get_defined_functions get_defined_vars get_extension_funcs get_html_translation_table get_include_path
get_included_files get_loaded_extensions get_mangled_object_vars get_object_vars get_parent_class get_resource_id
get_resource_type getcwd getdate getenv gethostbyaddr gethostbyname gethostname getmygid getmypid getmyuid getopt getrusage
gettimeofday gettype glob gmdate gmmktime gmp_init grapheme_strlen grapheme_substr gzcompress gzdecode gzdeflate gzencode
gzinflate gzuncompress hash hash_algos hash_equals hash_file hash_final hash_hmac hash_init hash_update header
header_register_callback header_remove headers_list headers_sent hex2bin hexdec highlight_string hrtime html_entity_decode
htmlentities htmlspecialchars htmlspecialchars_decode http_build_query http_response_code hypot iconv iconv_strlen iconv_substr
idate idn_to_ascii idn_to_utf8 ignore_user_abort implode in_array inet_ntop inet_pton ini_get ini_get_all ini_restore ini_set
intdiv interface_exists intval ip2long is_a is_array is_bool is_callable is_countable is_dir is_executable is_file is_finite
is_float is_infinite is_int is_integer is_iterable is_link is_long is_nan is_null is_numeric is_object is_readable is_resource
is_scalar is_string is_subclass_of is_uploaded_file is_writable is_writeable iterator_apply iterator_count iterator_to_array
join json_decode json_encode json_last_error json_last_error_msg json_validate key krsort ksort lcfirst lcg_value levenshtein
libxml_clear_errors libxml_get_errors libxml_use_internal_errors link localeconv localtime log log10 long2ip lstat ltrim mail
max mb_check_encoding mb_convert_case mb_convert_encoding mb_convert_variables mb_detect_encoding mb_detect_order
mb_internal_encoding mb_list_encodings mb_ord mb_chr mb_parse_str mb_preferred_mime_name mb_regex_encoding mb_str_pad mb_str_split
mb_strcut mb_strimwidth mb_stripos mb_strlen mb_strpos mb_strrev mb_strrichr mb_strrpos mb_strstr mb_strtolower mb_strtoupper
mb_strwidth mb_substitute_character mb_substr mb_substr_count md5 md5_file memory_get_peak_usage memory_get_usage metaphone
method_exists microtime min mkdir mktime move_uploaded_file mt_getrandmax mt_rand mt_srand natcasesort natsort nl2br
number_format ob_clean ob_end_clean ob_end_flush ob_flush ob_get_clean ob_get_contents ob_get_flush ob_get_length ob_get_level
ob_get_status ob_implicit_flush ob_start octdec opcache_invalidate opendir openlog openssl_decrypt openssl_encrypt openssl_sign
openssl_verify openssl_random_pseudo_bytes ord pack parse_ini_file parse_ini_string parse_str parse_url passthru password_get_info
password_hash password_needs_rehash password_verify pathinfo pclose pcntl_alarm pcntl_async_signals pcntl_fork pcntl_signal
pcntl_signal_dispatch pcntl_signal_get_handler pcntl_sigprocmask pcntl_wait pcntl_waitpid pcntl_wexitstatus pcntl_wifexited
pfsockopen php_sapi_name php_uname phpinfo phpversion pi popen posix_getegid posix_geteuid posix_getpid posix_getppid
posix_getpwuid posix_getuid posix_isatty posix_kill posix_setsid posix_strerror pow preg_grep preg_last_error preg_last_error_msg
preg_match preg_match_all preg_quote preg_replace preg_replace_callback preg_replace_callback_array preg_split print_r printf
proc_close proc_get_status proc_open proc_terminate property_exists putenv quoted_printable_decode quoted_printable_encode
quotemeta rad2deg rand random_bytes random_int range rawurldecode rawurlencode readdir readfile readline readlink realpath
register_shutdown_function rename restore_error_handler restore_exception_handler rewind rewinddir rmdir round rsort rtrim
scandir serialize session_destroy session_id session_name session_regenerate_id session_start session_status session_write_close
set_error_handler set_exception_handler set_include_path set_time_limit setcookie setlocale settype sha1 sha1_file shell_exec
shuffle similar_text sin sleep socket_accept socket_bind socket_close socket_connect socket_create socket_last_error
socket_listen socket_read socket_recv socket_select socket_send socket_sendto socket_set_option socket_strerror socket_write
sodium_crypto_secretbox sort soundex spl_autoload_functions spl_autoload_register spl_autoload_unregister spl_classes
spl_object_hash spl_object_id sprintf sqrt srand sscanf stat str_contains str_ends_with str_getcsv str_ireplace str_pad str_repeat
str_replace str_rot13 str_shuffle str_split str_starts_with str_word_count strcasecmp strcmp strcoll strcspn stream_bucket_append
stream_bucket_make_writeable stream_bucket_new stream_context_create stream_context_get_options stream_context_set_option
stream_copy_to_stream stream_filter_append stream_filter_prepend stream_filter_register stream_filter_remove stream_get_contents
stream_get_filters stream_get_line stream_get_meta_data stream_get_transports stream_get_wrappers stream_is_local stream_isatty
stream_resolve_include_path stream_select stream_set_blocking stream_set_chunk_size stream_set_timeout stream_set_write_buffer
stream_socket_accept stream_socket_client stream_socket_enable_crypto stream_socket_get_name stream_socket_pair
stream_socket_server stream_socket_shutdown stream_supports_lock stream_wrapper_register stream_wrapper_restore
stream_wrapper_unregister strftime strip_tags stripcslashes stripos stripslashes stristr strlen strnatcasecmp strnatcmp
strncasecmp strncmp strpbrk strpos strrchr strrev strripos strrpos strspn strstr strtok strtolower strtotime strtoupper strtr
strval substr substr_compare substr_count substr_replace symlink sys_get_temp_dir sys_getloadavg syslog system tan tempnam
time timezone_abbreviations_list timezone_identifiers_list tmpfile token_get_all token_name touch trait_exists trigger_error
trim uasort ucfirst ucwords uksort umask uniqid unlink unpack unserialize urldecode urlencode user_error usleep usort
utf8_decode utf8_encode var_dump var_export version_compare vfprintf vprintf vsprintf wordwrap xml_parser_create zend_version`;

/** What PHP's library gives, as far as much used chains lead through it: see `source/link/library.ts`. */
export const LIBRARY = `
package
${FUNCTIONS.trim().replace(/\S+/g, 'func $&(...?) ?\n')}
func <T, R> array_map(fn(T) R, []T, ...?) []R
func <T> array_filter([]T, fn(T) bool, ?) []T
func <T, R> array_reduce([]T, fn(R, T) R, R) R
func <T> array_merge(...[]T) []T
func <T> array_merge_recursive(...[]T) []T
func <T> array_values([]T) []T
func <T> array_reverse([]T, ?) []T
func <T> array_slice([]T, ...?) []T
func <T> array_unique([]T, ?) []T
func <T> array_diff([]T, ...?) []T
func <T> array_intersect([]T, ...?) []T
func <T> array_udiff([]T, ...?) []T
func <T> array_uintersect([]T, ...?) []T
func <T> array_pop([]T) T
func <T> array_shift([]T) T
func <T> array_find([]T, fn(T) bool) T
func <T> current([]T) T
func <T> end([]T) T
func <T> reset([]T) T
func <T> next([]T) T
func <T> prev([]T) T
func date_create(...?) DateTime
func date_create_immutable(...?) DateTimeImmutable
func simplexml_load_string(...?) SimpleXMLElement
func simplexml_load_file(...?) SimpleXMLElement
type ClassString$<T>
type stdClass
interface Stringable: __toString() string
interface Countable: count() int
interface ArrayAccess<K, V>: offsetExists(K) bool; offsetGet(K) V; offsetSet(K, V); offsetUnset(K)
interface Traversable<K, V>
interface Iterator<K, V> extends Traversable<K, V>: current() V; key() K; next(); rewind(); valid() bool
interface IteratorAggregate<K, V> extends Traversable<K, V>: getIterator() Iterator<K, V>
interface Serializable: serialize() string; unserialize(string)
interface JsonSerializable: jsonSerialize() ?
interface UnitEnum<E>: default name string; default cases() []E
interface BackedEnum<E> extends UnitEnum<E>: default value ?; default from(?) E; default tryFrom(?) E
interface Throwable extends Stringable: getMessage() string; getCode() int; getFile() string; getLine() int; getTrace() array; getTraceAsString() string; getPrevious() Throwable
type Exception extends Throwable: __construct(...?)
type Error extends Throwable: __construct(...?)
${behind('Exception', 'ErrorException LogicException RuntimeException JsonException PharException IntlException ReflectionException PDOException')}
${behind('LogicException', 'BadFunctionCallException DomainException InvalidArgumentException LengthException OutOfRangeException')}
${behind('RuntimeException', 'OutOfBoundsException OverflowException RangeException UnderflowException UnexpectedValueException')}
${behind('BadFunctionCallException', 'BadMethodCallException')}
${behind('Error', 'ArithmeticError AssertionError CompileError TypeError ValueError UnhandledMatchError')}
${behind('TypeError', 'ArgumentCountError')}
${behind('ArithmeticError', 'DivisionByZeroError')}
${behind('CompileError', 'ParseError')}
type Closure: bindTo(...?) Closure; bind(...?) Closure; call(...?) ?; fromCallable(?) Closure; __invoke(...?) ?
type Generator<K, V, S, R> extends Iterator<K, V>: send(S) V; getReturn() R; throw(Throwable) V
type Fiber: start(...?) ?; resume(...?) ?; getReturn() ?; isStarted() bool; isSuspended() bool; isRunning() bool; isTerminated() bool; throw(Throwable) ?; suspend(...?) ?; getCurrent() Fiber
type WeakMap<K, V> extends ArrayAccess<K, V>, Countable, IteratorAggregate<K, V>
type WeakReference<T>: get() T; create(T) WeakReference<T>
type ArrayObject<K, V> extends IteratorAggregate<K, V>, ArrayAccess<K, V>, Countable: append(V); getArrayCopy() array; exchangeArray(?) array; ksort(); asort(); uasort(?); uksort(?)
type ArrayIterator<K, V> extends Iterator<K, V>, ArrayAccess<K, V>, Countable: append(V); getArrayCopy() array; ksort(); asort(); uasort(?); uksort(?); seek(int)
type IteratorIterator<K, V> extends Iterator<K, V>: getInnerIterator() Iterator<K, V>
${behind('IteratorIterator', 'FilterIterator CallbackFilterIterator RecursiveIteratorIterator LimitIterator InfiniteIterator AppendIterator CachingIterator RegexIterator NoRewindIterator MultipleIterator')}
${behind('ArrayIterator', 'RecursiveArrayIterator EmptyIterator')}
type SplFileInfo: getFilename() string; getPathname() string; getPath() string; getRealPath() string; getExtension() string; getBasename(?) string; getSize() int; getMTime() int; isFile() bool; isDir() bool; isReadable() bool; isWritable() bool; isLink() bool; openFile(?) SplFileObject; getFileInfo() SplFileInfo
type SplFileObject extends SplFileInfo: fgets() string; fgetcsv(?) array; fwrite(string) int; eof() bool; rewind(); current() ?
type DirectoryIterator extends SplFileInfo, Iterator: isDot() bool; current() SplFileInfo
${behind('DirectoryIterator', 'FilesystemIterator RecursiveDirectoryIterator GlobIterator')}
type SplObjectStorage<K, V> extends Countable, Iterator<K, V>, ArrayAccess<K, V>: attach(K, ?); detach(K); contains(K) bool; getInfo() V; setInfo(V)
type SplDoublyLinkedList<V> extends Iterator<int, V>, Countable, ArrayAccess<int, V>: push(V); pop() V; shift() V; unshift(V); top() V; bottom() V; isEmpty() bool
type SplQueue<V> extends SplDoublyLinkedList<V>: enqueue(V); dequeue() V
type SplStack<V> extends SplDoublyLinkedList<V>
type SplHeap<V> extends Iterator<int, V>, Countable: insert(V); extract() V; top() V; isEmpty() bool
${behind('SplHeap', 'SplMinHeap SplMaxHeap')}
type SplPriorityQueue<P, V> extends Iterator<int, V>, Countable: insert(V, P); extract() V; top() V; isEmpty() bool
type SplFixedArray<V> extends IteratorAggregate<int, V>, ArrayAccess<int, V>, Countable: toArray() array; getSize() int; setSize(int)
interface DateTimeInterface: format(string) string; getTimestamp() int; getTimezone() DateTimeZone; getOffset() int; diff(?, ?) DateInterval
type DateTime extends DateTimeInterface: modify(string) DateTime; add(?) DateTime; sub(?) DateTime; setTimezone(?) DateTime; setTime(...?) DateTime; setDate(...?) DateTime; setTimestamp(int) DateTime; createFromFormat(...?) DateTime; createFromInterface(?) DateTime; createFromImmutable(?) DateTime; getLastErrors() array
type DateTimeImmutable extends DateTimeInterface: modify(string) DateTimeImmutable; add(?) DateTimeImmutable; sub(?) DateTimeImmutable; setTimezone(?) DateTimeImmutable; setTime(...?) DateTimeImmutable; setDate(...?) DateTimeImmutable; setTimestamp(int) DateTimeImmutable; createFromFormat(...?) DateTimeImmutable; createFromInterface(?) DateTimeImmutable; createFromMutable(?) DateTimeImmutable; getLastErrors() array
type DateTimeZone: getName() string; getOffset(?) int; getTransitions() array; listIdentifiers() array
type DateInterval: format(string) string; y int; m int; d int; h int; i int; s int; f float; days int; invert int; createFromDateString(string) DateInterval
type DatePeriod extends IteratorAggregate<int, DateTimeInterface>: getStartDate() DateTimeInterface; getEndDate() DateTimeInterface; getDateInterval() DateInterval
interface Reflector extends Stringable
type ReflectionClass<T> extends Reflector: name string; getName() string; getShortName() string; getNamespaceName() string; getFileName() string; newInstance(...?) T; newInstanceArgs(?) T; newInstanceWithoutConstructor() T; getMethod(string) ReflectionMethod; getMethods(?) []ReflectionMethod; hasMethod(string) bool; getProperty(string) ReflectionProperty; getProperties(?) []ReflectionProperty; hasProperty(string) bool; getConstructor() ReflectionMethod; getParentClass() ReflectionClass<?>; getInterfaces() []ReflectionClass<?>; getInterfaceNames() array; isInterface() bool; isAbstract() bool; isFinal() bool; isInstantiable() bool; isSubclassOf(?) bool; implementsInterface(?) bool; isInstance(?) bool; isAnonymous() bool; isEnum() bool; isTrait() bool; getAttributes(...?) []ReflectionAttribute<?>; getConstants(?) array; getConstant(string) ?; hasConstant(string) bool; getReflectionConstants(?) array; getTraits() []ReflectionClass<?>; getTraitNames() array; getDocComment() string; getStartLine() int; getEndLine() int; getStaticPropertyValue(string) ?; isInternal() bool; isUserDefined() bool; isIterable() bool; isCloneable() bool
${behind('ReflectionClass', 'ReflectionObject ReflectionEnum')}
type ReflectionFunctionAbstract extends Reflector: name string; getName() string; getShortName() string; getParameters() []ReflectionParameter; getNumberOfParameters() int; getNumberOfRequiredParameters() int; getReturnType() ReflectionNamedType; hasReturnType() bool; getAttributes(...?) []ReflectionAttribute<?>; getDocComment() string; getFileName() string; getStartLine() int; getEndLine() int; isVariadic() bool; isGenerator() bool; isClosure() bool; isStatic() bool; getClosureThis() ?; getClosureScopeClass() ReflectionClass<?>; returnsReference() bool; isInternal() bool; isUserDefined() bool; getStaticVariables() array
type ReflectionFunction extends ReflectionFunctionAbstract: invoke(...?) ?; invokeArgs(?) ?; getClosure() Closure
type ReflectionMethod extends ReflectionFunctionAbstract: class string; invoke(...?) ?; invokeArgs(?, ?) ?; getClosure(?) Closure; setAccessible(bool); getDeclaringClass() ReflectionClass<?>; isPublic() bool; isPrivate() bool; isProtected() bool; isAbstract() bool; isFinal() bool; isConstructor() bool; getPrototype() ReflectionMethod
type ReflectionProperty extends Reflector: name string; class string; getName() string; getValue(?) ?; setValue(...?); setAccessible(bool); getType() ReflectionNamedType; hasType() bool; getDeclaringClass() ReflectionClass<?>; isPublic() bool; isPrivate() bool; isProtected() bool; isStatic() bool; isReadOnly() bool; isInitialized(?) bool; isPromoted() bool; getDocComment() string; getAttributes(...?) []ReflectionAttribute<?>; hasDefaultValue() bool; getDefaultValue() ?
type ReflectionParameter extends Reflector: name string; getName() string; getType() ReflectionNamedType; hasType() bool; getPosition() int; isOptional() bool; isDefaultValueAvailable() bool; getDefaultValue() ?; isVariadic() bool; allowsNull() bool; isPassedByReference() bool; isPromoted() bool; getDeclaringClass() ReflectionClass<?>; getDeclaringFunction() ReflectionFunctionAbstract; getAttributes(...?) []ReflectionAttribute<?>; getClass() ReflectionClass<?>
type ReflectionNamedType extends Stringable: getName() string; isBuiltin() bool; allowsNull() bool; getTypes() []ReflectionNamedType
type ReflectionType extends ReflectionNamedType
type ReflectionAttribute<T>: getName() string; newInstance() T; getArguments() array
type PDO: prepare(...?) PDOStatement; query(...?) PDOStatement; exec(string) int; beginTransaction() bool; commit() bool; rollBack() bool; inTransaction() bool; lastInsertId(?) string; quote(...?) string; setAttribute(...?) bool; getAttribute(int) ?; errorInfo() array; errorCode() string
type PDOStatement extends IteratorAggregate: execute(?) bool; fetch(...?) ?; fetchAll(...?) array; fetchColumn(?) ?; fetchObject(...?) ?; bindValue(...?) bool; bindParam(...?) bool; rowCount() int; closeCursor() bool; setFetchMode(...?) bool; errorInfo() array; columnCount() int
type DOMNode: childNodes DOMNodeList; parentNode DOMNode; firstChild DOMNode; lastChild DOMNode; nextSibling DOMNode; previousSibling DOMNode; ownerDocument DOMDocument; nodeName string; nodeValue string; textContent string; appendChild(?) DOMNode; removeChild(?) DOMNode; insertBefore(...?) DOMNode; replaceChild(...?) DOMNode; cloneNode(?) DOMNode; hasChildNodes() bool; hasAttributes() bool
type DOMElement extends DOMNode: tagName string; getAttribute(string) string; setAttribute(string, string) ?; hasAttribute(string) bool; removeAttribute(string) bool; getElementsByTagName(string) DOMNodeList
type DOMDocument extends DOMNode: documentElement DOMElement; createElement(...?) DOMElement; createTextNode(string) DOMNode; getElementById(string) DOMElement; getElementsByTagName(string) DOMNodeList; load(...?) bool; loadXML(...?) bool; loadHTML(...?) bool; saveXML(...?) string; saveHTML(?) string; importNode(...?) DOMNode; createElementNS(...?) DOMElement
type DOMNodeList extends IteratorAggregate<int, DOMElement>, Countable: length int; item(int) DOMElement
type DOMXPath: query(...?) DOMNodeList; evaluate(...?) ?; registerNamespace(...?) bool
type SimpleXMLElement extends Iterator, Countable: xpath(string) []SimpleXMLElement; children(...?) SimpleXMLElement; attributes(...?) SimpleXMLElement; addChild(...?) SimpleXMLElement; addAttribute(...?); asXML(?) string; getName() string
${'Attribute AllowDynamicProperties ReturnTypeWillChange SensitiveParameter Override Deprecated Memcached Redis SoapClient ZipArchive NumberFormatter IntlDateFormatter Collator Normalizer Transliterator CurlHandle GdImage Socket XMLReader XMLWriter Phar PharData finfo mysqli SQLite3 Imagick'.replace(/\S+/g, 'type $&\n')}
package PHPUnit\\Framework
type TestCase extends PHPUnit\\Framework.Assert: <T> createMock(ClassString$<T>) T & MockObject; <T> createStub(ClassString$<T>) T & MockObject; <T> createPartialMock(ClassString$<T>, ?) T & MockObject; <T> createConfiguredMock(ClassString$<T>, ?) T & MockObject; <T> getMockBuilder(ClassString$<T>) MockBuilder<T>; <T> getMockForAbstractClass(ClassString$<T>, ...?) T & MockObject
package PHPUnit\\Framework\\MockObject
type MockBuilder<T>: getMock() T & MockObject; getMockForAbstractClass() T & MockObject; onlyMethods(?) MockBuilder<T>; addMethods(?) MockBuilder<T>; setMethods(?) MockBuilder<T>; setConstructorArgs(?) MockBuilder<T>; disableOriginalConstructor() MockBuilder<T>; disableOriginalClone() MockBuilder<T>; setMockClassName(string) MockBuilder<T>
type MockObject: expects(?) InvocationMocker; method(?) InvocationMocker
type InvocationMocker: method(?) InvocationMocker; with(...?) InvocationMocker; withAnyParameters() InvocationMocker; will(?) InvocationMocker; willReturn(...?) InvocationMocker; willReturnMap(?) InvocationMocker; willReturnCallback(?) InvocationMocker; willReturnSelf() InvocationMocker; willReturnArgument(?) InvocationMocker; willReturnOnConsecutiveCalls(...?) InvocationMocker; willThrowException(?) InvocationMocker; withConsecutive(...?) InvocationMocker; after(?) InvocationMocker; id(?) InvocationMocker
`;
