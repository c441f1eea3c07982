/**
 * What comes with Python and with Node without being installed: an import of these is never taken for a file of
 * the project that happens to be called the same, nor for a package. Kept as data and not asked of the machine,
 * because the answer must not depend on which versions are installed here. Removed modules stay: old code names
 * them.
 */

/** Top-level modules of the Python standard library, 3.8 to 3.14. */
const PYTHON = new Set(
  `__future__ _collections_abc _thread abc aifc annotationlib antigravity argparse array ast asynchat
asyncio asyncore atexit audioop base64 bdb binascii binhex bisect builtins bz2 cProfile calendar cgi
cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent
configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm
decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl
filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext
glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io
ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math
mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path
numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil
platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc
pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets
select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd
sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess
sunau symbol symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this
threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle
turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser
winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`.split(/\s+/),
);

/** Node's built-in modules that may be imported without `node:`. */
const NODE = new Set(
  `assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel
dns domain events fs http http2 https inspector module net os path perf_hooks process punycode
querystring readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi
worker_threads zlib`.split(/\s+/),
);

/** Whether `module` (`os`, `os.path`) belongs to the Python standard library. */
export function isPythonStandard(module: string): boolean {
  const dot = module.indexOf('.');
  return PYTHON.has(dot < 0 ? module : module.slice(0, dot));
}

/** Whether `specifier` (`fs`, `fs/promises`, `node:test`) is built into Node. */
export function isNodeStandard(specifier: string): boolean {
  if (specifier.startsWith('node:')) return true;
  const slash = specifier.indexOf('/');
  return NODE.has(slash < 0 ? specifier : specifier.slice(0, slash));
}
