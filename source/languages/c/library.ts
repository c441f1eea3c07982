/** Functions of the standard library of C and of POSIX: of most only that they are, which is what calls of them want. */
const FUNCTIONS = `
abort abs accept access acos alarm asctime asin asprintf assert atan atan2 atexit atof atoi atol atoll basename bind bsearch
calloc ceil cfmakeraw chdir chmod chown clearerr clock clock_gettime close closedir cmpxchg connect cos ctime difftime dirname
dlclose dlerror dlopen dlsym dup dup2 execl execlp execv execve execvp exit _exit exp fabs fchmod fclose fcntl fdopen feof ferror
fflush fgetc fgetpos fgets fileno flock floor fmax fmin fmod fopen fork fprintf fputc fputs fread free freeaddrinfo freopen fscanf
fseek fseeko fsetpos fstat fsync ftell ftello ftruncate fwrite gai_strerror getaddrinfo getc getchar getcwd getenv geteuid getopt
getopt_long getpid getppid getpwnam getpwuid getrlimit getrusage getsockname getsockopt gettimeofday getuid gmtime gmtime_r htonl
htons inet_ntop inet_pton ioctl isalnum isalpha isascii isatty isblank iscntrl isdigit isfinite isgraph isinf islower isnan isprint
ispunct isspace isupper isxdigit kill labs ldexp lgamma link listen llabs localeconv localtime localtime_r log log10 log2 longjmp
lround lseek lstat madvise malloc mbstowcs mbtowc memchr memcmp memcpy memmem memmove memset mkdir mkfifo mkstemp mktime mlock mmap
modf mprotect munmap nanosleep nextafter ntohl ntohs offsetof open opendir openlog pause pclose perror pipe poll popen pow pread
printf pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal pthread_cond_wait pthread_create pthread_getspecific
pthread_setspecific pthread_once pthread_key_create pthread_key_delete pthread_exit pthread_cancel pthread_join pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock
pthread_rwlock_init pthread_attr_init pthread_attr_destroy pthread_attr_setstacksize pthread_sigmask sem_init sem_wait sem_post alloca
pthread_detach pthread_join pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock
pthread_self putc putchar putenv puts pwrite qsort raise rand random read readdir readlink readv realloc realpath recv recvfrom
regcomp regexec regfree remove rename rewind rewinddir rint rmdir round sched_yield select send sendto setbuf setenv setjmp
setlocale setpgid setrlimit setsid setsockopt settimeofday setvbuf shutdown sigaction sigaddset sigemptyset signal sigprocmask sin
sinh sleep snprintf socket socketpair sprintf sqrt srand srandom sscanf stat strcasecmp strcasestr strcat strchr strcmp strcoll
strcpy strcspn strdup strerror strerror_r strftime strlcat strlcpy strlen strncasecmp strncat strncmp strncpy strndup strnlen
strpbrk strptime strrchr strsep strsignal strspn strstr strtod strtof strtoimax strtok strtok_r strtol strtold strtoll strtoul
strtoull strtoumax symlink sync sysconf syslog system tan tanh tcgetattr tcsetattr tgamma time timegm tmpfile tmpnam tolower toupper
trunc truncate umask uname ungetc unlink unsetenv usleep utime utimes va_arg va_copy va_end va_start vasprintf vfprintf vprintf
vsnprintf vsprintf vsscanf wait waitpid wcscmp wcscpy wcslen wcstombs wctomb write writev
`;

const TYPES = `
FILE DIR va_list size_t ssize_t ptrdiff_t off_t time_t clock_t pid_t uid_t gid_t mode_t int8_t int16_t int32_t int64_t uint8_t
uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t wchar_t bool jmp_buf sigset_t socklen_t pthread_t pthread_mutex_t
pthread_cond_t pthread_attr_t pthread_key_t pthread_once_t sem_t regex_t tm timeval timespec stat dirent sockaddr sockaddr_in
sockaddr_in6 sockaddr_un sockaddr_storage addrinfo in_addr pollfd sigaction rlimit rusage termios winsize iovec passwd hostent
fd_set div_t fpos_t dev_t ino_t lconv
`;

const words = (text: string) => text.trim().split(/\s+/);

/** What is known of the standard library of C. */
export const LIBRARY = [
  ...words(FUNCTIONS).map((name) => `func ${name}(...?) ?`),
  ...words(TYPES).map((name) => `type ${name}`),
].join('\n');
