/** Methods of which no more is known than that there are. */
function plain(names: string): string {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => `${name}(...?) ?`)
    .join('; ');
}

/** Methods that every object has, those of modules of functions that are called by their bare names included. */
const OBJECT = plain(`
Array Complex Float Hash Integer Rational String abort at_exit autoload binding block_given? caller caller_locations catch define_singleton_method
display enum_for eql? equal? exec exit exit! extend fail fork format frozen? gets global_variables gsub hash instance_of? instance_variable_defined?
instance_variable_get instance_variable_set instance_variables is_a? kind_of? lambda load local_variables loop method methods nil? object_id open p
pp print printf private_methods proc public_method public_send putc puts raise rand readline readlines require require_relative respond_to?
respond_to_missing? method_missing remove_instance_variable select send set_trace_func singleton_class singleton_method singleton_methods sleep spawn
sprintf srand syscall system test throw to_enum trap untrace_var warn __send__ __method__ __dir__ __id__ instance_eval instance_exec initialize
initialize_copy initialize_dup initialize_clone`);

const MODULE = plain(`
alias_method ancestors attr attr_accessor attr_reader attr_writer autoload autoload? class_eval class_exec class_variable_defined? class_variable_get
class_variable_set class_variables const_defined? const_get const_missing const_set const_source_location constants define_method deprecate_constant
extended include include? included included_modules inherited instance_method instance_methods method_added method_defined? module_eval module_exec
module_function prepend prepended private private_class_method private_constant private_instance_methods private_method_defined? protected public
public_class_method public_constant public_instance_method public_instance_methods public_method_defined? refine remove_class_variable
remove_const remove_method undef_method using ruby2_keywords`);

/** Types of the libraries that come with Ruby, by what they are loaded by. */
const STANDARD: Readonly<Record<string, string>> = {
  ...{
    abbrev: 'Abbrev',
    base64: 'Base64',
    benchmark: 'Benchmark',
    bigdecimal: 'BigDecimal',
    bundler: 'Bundler',
    cgi: 'CGI',
  },
  ...{
    coverage: 'Coverage',
    csv: 'CSV',
    date: 'Date DateTime',
    delegate: 'Delegator SimpleDelegator DelegateClass',
    digest: 'Digest',
  },
  ...{
    erb: 'ERB',
    etc: 'Etc',
    fileutils: 'FileUtils',
    find: 'Find',
    forwardable: 'Forwardable SingleForwardable',
    io: 'ConditionVariable',
  },
  ...{
    ipaddr: 'IPAddr',
    json: 'JSON',
    logger: 'Logger',
    monitor: 'Monitor MonitorMixin',
    net: 'Net',
    objspace: 'WeakRef',
  },
  ...{
    observer: 'Observable',
    open3: 'Open3',
    openssl: 'OpenSSL',
    optparse: 'OptionParser OptParse',
    ostruct: 'OpenStruct',
  },
  ...{
    pathname: 'Pathname',
    pp: 'PP',
    prime: 'Prime',
    pstore: 'PStore',
    psych: 'Psych',
    pty: 'PTY',
    rbconfig: 'RbConfig',
  },
  ...{
    readline: 'Readline',
    resolv: 'Resolv',
    ripper: 'Ripper',
    rubygems: 'Gem',
    securerandom: 'SecureRandom',
    shellwords: 'Shellwords',
  },
  ...{
    singleton: 'Singleton',
    socket: 'Socket TCPSocket TCPServer UNIXSocket UNIXServer UDPSocket',
    stringio: 'StringIO',
  },
  ...{
    strscan: 'StringScanner',
    syslog: 'Syslog',
    tempfile: 'Tempfile',
    timeout: 'Timeout',
    tsort: 'TSort',
    uri: 'URI',
  },
  ...{ webrick: 'WEBrick', yaml: 'YAML', zlib: 'Zlib' },
};

/** The packages whose names every file sees once they are loaded. */
export const PACKAGES = ['ruby', ...Object.keys(STANDARD)];

function standard(): string {
  return Object.entries(STANDARD)
    .map(([name, types]) => `package ${name}\n${types.replace(/\S+/g, 'type $& extends ruby.Object\n')}`)
    .join('\n');
}

/** What Ruby itself has: methods of the types that are used most, and what chains of calls lead through. */
export const LIBRARY = `
package ruby
type Object: class() Class<self>; singleton_class() Class<self>; dup() self; clone() self; freeze() self; tap(fn(self)) self; itself() self; then(fn(self) ?) ?; yield_self(fn(self) ?) ?; to_s() String; inspect() String; instance_variable_get(?) ?; ${OBJECT}
type Class<T> extends Module: new(...?) T; allocate() T; superclass() Class<?>; ${plain('subclasses attached_object')}
type Module extends Object: name() String; to_s() String; ${MODULE}
type Comparable extends Object: ${plain('between? clamp')}
type String extends Object: to_sym() Symbol; upcase() String; downcase() String; capitalize() String; strip() String; lstrip() String; rstrip() String; chomp() String; chop() String; squeeze() String; reverse() String; swapcase() String; encode(?) String; force_encoding(?) String; dup() String; +(?) String; sub(?, ?) String; gsub(?, ?) String; tr(?, ?) String; delete(?) String; ljust(?) String; rjust(?) String; center(?) String; split(?) []String; lines() []String; chars() []String; scan(?) []String; length() Integer; size() Integer; to_i() Integer; to_f() Float; to_str() String; freeze() String; succ() String; concat(?) String; prepend(?) String; insert(?, ?) String; slice(?) String; replace(?) String; unicode_normalize() String; scrub() String; delete_prefix(?) String; delete_suffix(?) String; each_line(fn(String)) String; each_char(fn(String)) String
type Symbol extends Object: to_proc() Proc; to_sym() Symbol; length() Integer; size() Integer
type Integer extends Object: times(fn(Integer)) Integer; upto(?, fn(Integer)) Integer; downto(?, fn(Integer)) Integer; to_i() Integer; to_f() Float; to_s() String; succ() Integer; abs() Integer
type Float extends Object: to_i() Integer; to_f() Float; round() Integer; floor() Integer; ceil() Integer; abs() Float
type Array<T> extends Object: each(fn(T)) []T; each_with_index(fn(T, Integer)) []T; each_with_object(?, fn(T, ?)) ?; each_index(fn(Integer)) []T; each_slice(?, fn([]T)) []T; reverse_each(fn(T)) []T; map(fn(T) R) ?; collect(fn(T) ?) ?; flat_map(fn(T) ?) ?; filter_map(fn(T) ?) ?; select(fn(T) ?) []T; filter(fn(T) ?) []T; reject(fn(T) ?) []T; partition(fn(T) ?) ([]T, []T); group_by(fn(T) ?) {?: []T}; find(fn(T) ?) T; detect(fn(T) ?) T; find_index(fn(T) ?) Integer; index(fn(T) ?) Integer; any?(fn(T) ?) ?; all?(fn(T) ?) ?; none?(fn(T) ?) ?; count(fn(T) ?) Integer; sum(fn(T) ?) ?; sort_by(fn(T) ?) []T; min_by(fn(T) ?) T; max_by(fn(T) ?) T; uniq(fn(T) ?) []T; take_while(fn(T) ?) []T; drop_while(fn(T) ?) []T; delete_if(fn(T) ?) []T; keep_if(fn(T) ?) []T; select!(fn(T) ?) []T; reject!(fn(T) ?) []T; map!(fn(T) ?) ?; sort(fn(T, T) ?) []T; sort!(fn(T, T) ?) []T; sort_by!(fn(T) ?) []T; each_entry(fn(T)) []T; to_h(fn(T) ?) ?; zip(?) ?; first() T; last() T; shift() T; pop() T; sample() T; min() T; max() T; dig(?) ?; fetch(?) T; at(?) T; delete(?) T; delete_at(?) T; push(...?) []T; append(...?) []T; unshift(...?) []T; prepend(...?) []T; concat(?) []T; compact() []T; compact!() []T; uniq!() []T; flatten() ?; reverse() []T; rotate() []T; shuffle() []T; take(?) []T; drop(?) []T; slice(?) ?; dup() []T; to_a() []T; freeze() []T; clone() []T; +(?) []T; -(?) []T; join(?) String; length() Integer; size() Integer; cycle(fn(T)) ?; inject(?, fn(?, T) ?) ?; reduce(?, fn(?, T) ?) ?
type Hash extends Object: ${plain('each each_pair map select reject fetch key? has_key? include? merge merge! update delete keys values dig to_a to_h sort_by transform_values transform_keys')}
type Regexp extends Object: source() String; ${plain('match match? =~ ===')}
type Range extends Object: ${plain('each map to_a step first last include? cover? min max')}
type Proc extends Object: ${plain('call curry arity parameters yield to_proc')}
type Method extends Object: ${plain('call unbind owner arity')}
type NilClass extends Object
type Struct extends Object: members() []Symbol; ${plain('to_h to_a each values')}
type Data extends Object: ${plain('to_h with')}
type Exception extends Object: message() String; full_message() String; backtrace() []String; ${plain('cause exception set_backtrace detailed_message')}
type StandardError extends Exception
${`ArgumentError EncodingError FiberError IOError IndexError LocalJumpError NameError RangeError RegexpError RuntimeError SecurityError SystemCallError ThreadError TypeError ZeroDivisionError`.replace(/\S+/g, 'type $& extends StandardError\n')}
type KeyError extends IndexError
type StopIteration extends IndexError
type NoMethodError extends NameError
type FrozenError extends RuntimeError
type EOFError extends IOError
type FloatDomainError extends RangeError
${`ScriptError NoMemoryError SecurityError SignalException SystemExit SystemStackError`.replace(/\S+/g, 'type $& extends Exception\n')}
type Interrupt extends SignalException
type LoadError extends ScriptError
type NotImplementedError extends ScriptError
type SyntaxError extends ScriptError
${`BasicObject Binding Complex Dir Encoding Enumerable Enumerator Errno Fiber File FileTest GC IO Kernel Marshal MatchData Math Mutex Numeric ObjectSpace Process Queue Ractor Random Rational RubyVM Set Signal SizedQueue Thread ThreadGroup Time TracePoint TrueClass FalseClass UnboundMethod Warning ENV ARGV ARGF RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE STDIN STDOUT STDERR DATA TOPLEVEL_BINDING`.replace(/\S+/g, 'type $& extends Object\n')}
${standard()}
`;
