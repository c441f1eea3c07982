import type { LinkRules } from '../../link/rules.js';

/** What the linker has to know of Go. */
export const link: LinkRules = {
  modules: 'go',
  package: 'folder',
  namespaces: 'one',
  membersInScope: false,
  overloads: false,
  satisfaction: 'implicit',
  embedding: true,
  implicitImports: [],
  builtinPackage: 'builtin',
  rootType: '',
  enumType: '',
  literals: {},
  truth: 'bool',
  widening: [],
  boxes: {},
  iteration: [],
  library: `
func <T> append(T, ...?) T
func cap(?) int
func clear(?)
func close(?)
func complex(?, ?) complex128
func copy(?, ?) int
func delete(?, ?)
func imag(?) float64
func len(?) int
func <T> make(T, ...?) T
func <T> max(T, ...T) T
func <T> min(T, ...T) T
func <T> new(T) *T
func panic(?)
func print(...?)
func println(...?)
func real(?) float64
func recover() any
interface error: Error() string
type any
type bool
type byte
type comparable
type complex128
type complex64
type float32
type float64
type int
type int16
type int32
type int64
type int8
type rune
type string
type uint
type uint16
type uint32
type uint64
type uint8
type uintptr

package bufio
func NewReader(?) *Reader
func NewReadWriter(*Reader, *Writer) *ReadWriter
func NewScanner(?) *Scanner
func NewWriter(?) *Writer
type Reader: ReadString(byte) (string, error); ReadLine() ([]byte, bool, error); Read([]byte) (int, error)
type ReadWriter
type Scanner: Scan() bool; Text() string; Bytes() []byte; Err() error
type Writer: WriteString(string) (int, error); Flush() error; Write([]byte) (int, error)

package bytes
func NewBuffer([]byte) *Buffer
func NewBufferString(string) *Buffer
func NewReader([]byte) *Reader
type Buffer: String() string; Bytes() []byte; Len() int; Write([]byte) (int, error); WriteString(string) (int, error); WriteByte(byte) error; Reset()
type Reader

package context
func Background() Context
func TODO() Context
func WithCancel(Context) (Context, CancelFunc)
func WithTimeout(Context, time.Duration) (Context, CancelFunc)
func WithDeadline(Context, time.Time) (Context, CancelFunc)
func WithValue(Context, ?, ?) Context
interface Context: Deadline() (time.Time, bool); Done() <-?; Err() error; Value(?) any
type CancelFunc

package errors
func New(string) error
func Is(error, error) bool
func As(error, ?) bool
func Unwrap(error) error

package fmt
func Errorf(string, ...?) error
func Sprintf(string, ...?) string
func Sprint(...?) string
func Sprintln(...?) string

package io
interface Reader: Read([]byte) (int, error)
interface Writer: Write([]byte) (int, error)
interface Closer: Close() error
interface ReadCloser extends Reader, Closer:
interface WriteCloser extends Writer, Closer:
interface ReadWriteCloser extends Reader, Writer, Closer:
interface ReaderFrom: ReadFrom(Reader) (int64, error)
func ReadAll(Reader) ([]byte, error)

package net
interface Conn: Read([]byte) (int, error); Write([]byte) (int, error); Close() error; LocalAddr() Addr; RemoteAddr() Addr; SetDeadline(time.Time) error; SetReadDeadline(time.Time) error; SetWriteDeadline(time.Time) error
interface Listener: Accept() (Conn, error); Close() error; Addr() Addr
interface Addr: Network() string; String() string

package net/http
func NewRequest(string, string, ?) (*Request, error)
func NewRequestWithContext(context.Context, string, string, ?) (*Request, error)
func NewServeMux() *ServeMux
func Get(string) (*Response, error)
func Post(string, string, ?) (*Response, error)
func FileServer(FileSystem) Handler
func StripPrefix(string, Handler) Handler
func NotFoundHandler() Handler
func TimeoutHandler(Handler, time.Duration, string) Handler
var DefaultClient *Client
var DefaultServeMux *ServeMux
interface Handler: ServeHTTP(ResponseWriter, *Request)
interface ResponseWriter: Header() Header; Write([]byte) (int, error); WriteHeader(int)
interface Flusher: Flush()
interface CloseNotifier: CloseNotify() <-bool
interface Hijacker: Hijack() (net.Conn, *bufio.ReadWriter, error)
interface Pusher: Push(string, *PushOptions) error
interface FileSystem: Open(string) (File, error)
interface File extends io.Closer, io.Reader: Seek(int64, int) (int64, error); Readdir(int) (?, error); Stat() (?, error)
interface RoundTripper: RoundTrip(*Request) (*Response, error)
type Header: Get(string) string; Set(string, string); Add(string, string); Del(string); Values(string) []string; Clone() Header
type Client: Do(*Request) (*Response, error); Get(string) (*Response, error); Post(string, string, ?) (*Response, error); Transport RoundTripper; Timeout time.Duration
type Cookie: Name string; Value string; String() string
type Request: Context() context.Context; WithContext(context.Context) *Request; Clone(context.Context) *Request; Header Header; URL *net/url.URL; Method string; Host string; RemoteAddr string; RequestURI string; Body io.ReadCloser; Form net/url.Values; PostForm net/url.Values; TLS ?; Response *Response; Cookie(string) (*Cookie, error); UserAgent() string; Referer() string; FormValue(string) string; PathValue(string) string; BasicAuth() (string, string, bool); ParseForm() error; Write(io.Writer) error; Proto string; ProtoMajor int; Pattern string
type Response: Header Header; Body io.ReadCloser; StatusCode int; Status string; Request *Request; Cookies() []*Cookie
type HandlerFunc: ServeHTTP(ResponseWriter, *Request)
type ServeMux: Handle(string, Handler); HandleFunc(string, fn(ResponseWriter, *Request)); ServeHTTP(ResponseWriter, *Request)
type Server: ListenAndServe() error; Shutdown(context.Context) error; Handler Handler; Addr string
type PushOptions

package net/http/httptest
func NewRecorder() *ResponseRecorder
func NewRequest(string, string, ?) *net/http.Request
func NewServer(net/http.Handler) *Server
func NewTLSServer(net/http.Handler) *Server
func NewUnstartedServer(net/http.Handler) *Server
type ResponseRecorder: Code int; Body *bytes.Buffer; Header() net/http.Header; Result() *net/http.Response; Write([]byte) (int, error); WriteHeader(int); Flush()
type Server: URL string; Close(); Client() *net/http.Client; Start(); StartTLS(); Config *net/http.Server

package net/url
func Parse(string) (*URL, error)
func PathUnescape(string) (string, error)
func ParseQuery(string) (Values, error)
type URL: Path string; RawPath string; RawQuery string; Host string; Scheme string; Query() Values; String() string; EscapedPath() string; RequestURI() string; Hostname() string; Port() string
type Values: Get(string) string; Set(string, string); Add(string, string); Encode() string; Has(string) bool

package os
func Open(string) (*File, error)
func Create(string) (*File, error)
func OpenFile(string, int, ?) (*File, error)
func Getenv(string) string
func ReadFile(string) ([]byte, error)
var Stdout *File
var Stderr *File
var Stdin *File
var Args []string
type File: Close() error; Name() string; Read([]byte) (int, error); Write([]byte) (int, error); WriteString(string) (int, error); Fd() uintptr

package reflect
func TypeOf(?) Type
func ValueOf(?) Value
func DeepEqual(?, ?) bool
interface Type: Elem() Type; Kind() Kind; Name() string; String() string; NumField() int
type Value: Elem() Value; Kind() Kind; Type() Type; Interface() any; Field(int) Value; Len() int; String() string; IsNil() bool; Call([]Value) []Value; Index(int) Value
type Kind

package regexp
func Compile(string) (*Regexp, error)
func MustCompile(string) *Regexp
type Regexp: MatchString(string) bool; FindStringSubmatch(string) []string; FindString(string) string; ReplaceAllString(string, string) string; String() string; FindAllString(string, int) []string

package strings
func Fields(string) []string
func Join([]string, string) string
func NewReader(string) *Reader
func NewReplacer(...string) *Replacer
func Replace(string, string, string, int) string
func ReplaceAll(string, string, string) string
func Split(string, string) []string
func SplitN(string, string, int) []string
func ToLower(string) string
func ToUpper(string) string
func TrimSpace(string) string
func Trim(string, string) string
func TrimLeft(string, string) string
func TrimRight(string, string) string
func TrimPrefix(string, string) string
func TrimSuffix(string, string) string
func Repeat(string, int) string
type Builder: WriteString(string) (int, error); WriteByte(byte) error; WriteRune(rune) (int, error); String() string; Len() int; Reset()
type Reader
type Replacer: Replace(string) string

package sync
type Mutex: Lock(); Unlock(); TryLock() bool
type RWMutex: Lock(); Unlock(); RLock(); RUnlock()
type WaitGroup: Add(int); Done(); Wait(); Go(fn())
type Once: Do(fn())
type Pool: Get() ?; Put(?)
type Map: Load(?) (?, bool); Store(?, ?); Range(fn(?, ?) bool); Delete(?)

package testing
type T: Run(string, fn(*T)) bool; Helper(); Fatal(...?); Fatalf(string, ...?); Error(...?); Errorf(string, ...?); Log(...?); Logf(string, ...?); Cleanup(fn()); TempDir() string; Parallel(); Skip(...?); Setenv(string, string); Name() string
type B: Run(string, fn(*B)) bool; Helper(); Fatal(...?); Fatalf(string, ...?); Error(...?); Errorf(string, ...?); ResetTimer(); ReportAllocs(); StopTimer(); StartTimer(); RunParallel(fn(*PB)); N int; Loop() bool
type F: Fuzz(?); Add(...?)
type M: Run() int
type PB: Next() bool
interface TB: Helper(); Fatal(...?); Fatalf(string, ...?); Error(...?); Errorf(string, ...?); Log(...?); Logf(string, ...?); Cleanup(fn()); TempDir() string

package time
func After(Duration) <-Time
func Now() Time
func Since(Time) Duration
func NewTimer(Duration) *Timer
func NewTicker(Duration) *Ticker
func Parse(string, string) (Time, error)
type Duration: Seconds() float64; String() string; Milliseconds() int64
type Time: Sub(Time) Duration; Add(Duration) Time; Unix() int64; Format(string) string; Before(Time) bool; After(Time) bool; UTC() Time; String() string
type Timer: C <-Time; Stop() bool; Reset(Duration) bool
type Ticker: C <-Time; Stop()

package text/template
func New(string) *Template
func Must(*Template, error) *Template
type Template: Parse(string) (*Template, error); Execute(?, ?) error; Funcs(?) *Template; New(string) *Template; Lookup(string) *Template

package html/template
func New(string) *Template
func Must(*Template, error) *Template
type Template: Parse(string) (*Template, error); Execute(?, ?) error; Funcs(?) *Template; New(string) *Template; Lookup(string) *Template
`,
};
