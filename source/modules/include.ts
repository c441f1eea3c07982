import { directoryOf, resolvedFrom, sharedFolders } from '../resolution/file-path.js';

/** Headers of the standard library of C, and of POSIX. */
const OF_C = new Set(
  (
    'assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic ' +
    'stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype aio cpio dirent dlfcn ' +
    'fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen monetary mqueue ndbm netdb nl_types poll pthread pwd regex ' +
    'sched search semaphore spawn strings stropts syslog tar termios ulimit unistd utime utmpx wordexp getopt malloc alloca ' +
    'memory endian byteswap execinfo features err error paths pty'
  )
    .split(' ')
    .map((name) => `${name}.h`),
);

/** The package that a header of elsewhere is of: `<openssl/ssl.h>` of `openssl`, `<vector>` of the standard library. */
export function includePackage(module: string): string {
  if (!module.startsWith('<')) return '';
  const name = module.slice(1, -1);
  if (OF_C.has(name) || /^(?:sys|arpa|net|netinet|linux|asm|bits)\//.test(name)) return 'libc';
  if (/^[a-z_0-9]+$/.test(name)) return 'std';
  return name.split('/')[0]?.replace(/\.\w+$/, '') ?? name;
}

/**
 * Which of the files with the name of an include it means: the one beside the file, else one below a folder that
 * includes are looked for in: which these are is not known, so that any will do, the nearest first. Null for none.
 *
 * @param candidates All files of the project whose name is the last part of what is included.
 */
export function chosenInclude(from: string, module: string, candidates: readonly string[]): string | null {
  if (candidates.length === 0) return null;
  const written = module.replace(/[<>"]/g, '');
  const folder = directoryOf(from);
  const beside = resolvedFrom(folder, written);
  if (!module.startsWith('<') && beside !== null && candidates.includes(beside)) return beside;
  // What leads out of a folder is no way below one.
  const below = written.replace(/^(?:\.\.?\/)+/, '');
  const fitting = candidates.filter((path) => path === below || path.endsWith(`/${below}`));
  const near = (path: string) => sharedFolders(directoryOf(path), folder);
  const best = Math.max(...fitting.map(near));
  const [first, ...others] = fitting
    .filter((path) => near(path) === best)
    .sort((a, b) => rank(a) - rank(b) || a.split('/').length - b.split('/').length);
  if (first === undefined) return null;
  const isSure = others.every(
    (path) => rank(path) > rank(first) || path.split('/').length > first.split('/').length,
  );
  return isSure ? first : null;
}

/** Folders that are given to compilers come first. */
function rank(path: string): number {
  return /(?:^|\/)include\//.test(path) ? 0 : /(?:^|\/)src\//.test(path) ? 1 : 2;
}
