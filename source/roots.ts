import { CodewalkError } from '../schema/index.js';
import { diskFileSystem, errorCode, type FileSystem, isMissing, statusOrNull } from './file-system.js';
import { gitTop } from './git-folder.js';
import { contains, type PlaceOptions, type Platform, pathsOf, platformOf } from './paths.js';

/** What {@link checkRoot} needs to know of its caller and machine. */
export interface RootOptions extends PlaceOptions {
  /** Takes a root that would be refused (spec P-05). Default false. */
  readonly force?: boolean;
  /** Refuses a relative path, as MCP must: its working directory is not the caller's. Default false. */
  readonly mustBeAbsolute?: boolean;
  /** What a relative path is relative to; absolute. */
  readonly cwd: string;
  /** The user's home directory; absolute. */
  readonly home: string;
}

/**
 * The real path of a root that somebody gave.
 *
 * @throws INVALID_ROOT when it is empty, does not exist, is not a directory, cannot be read, or is relative where it
 * must be absolute; ROOT_REFUSED when it is `/`, a drive root, the home directory or the folder of all homes
 * (`/home`, `/Users`), unless `force`.
 */
export function checkRoot(path: string, options: RootOptions): string {
  const { platform = platformOf(), fs = diskFileSystem, force = false, mustBeAbsolute = false } = options;
  const paths = pathsOf(platform);
  if (path === '' || path.includes('\0')) throw invalidRoot(path, 'is not a path');
  // `\x` and `/x` are relative to a drive nobody sees.
  const absolute =
    platform === 'win32' ? paths.isAbsolute(path) && !/^[\\/](?![\\/])/.test(path) : paths.isAbsolute(path);
  if (mustBeAbsolute && !absolute) throw invalidRoot(path, 'is not absolute', 'Give an absolute path.');

  const real = existing(paths.resolve(options.cwd, path), path, fs);
  if (fs.status(real).kind !== 'directory') {
    throw invalidRoot(path, 'is not a directory', 'Give the folder that holds it.');
  }
  if (!force && isTooWide(real, options.home, platform, fs)) {
    throw new CodewalkError('ROOT_REFUSED', `The root "${real}" is a whole disk or a home directory.`, {
      input: path,
      suggestion: 'Give a project folder, or --force if you mean it.',
    });
  }
  return real;
}

function existing(absolute: string, given: string, fs: FileSystem): string {
  try {
    return fs.realPath(absolute);
  } catch (error) {
    const why = isMissing(error) ? 'does not exist' : `cannot be read (${errorCode(error)})`;
    throw invalidRoot(given, why, 'Check the spelling and the permissions.');
  }
}

function invalidRoot(path: string, why: string, suggestion = ''): CodewalkError {
  return new CodewalkError('INVALID_ROOT', `The root "${path}" ${why}.`, { input: path, suggestion });
}

// Not "whatever holds the home directory": test set-ups put a home inside the project.
const ALL_HOMES = { posix: /^\/(home|Users)$/, win32: /^[a-z]:\\Users$/i };

function isTooWide(real: string, home: string, platform: Platform, fs: FileSystem): boolean {
  const paths = pathsOf(platform);
  if (paths.dirname(real) === real) return true;
  const realHome = home === '' || statusOrNull(fs, home) === null ? home : fs.realPath(home);
  return ALL_HOMES[platform].test(real) || (realHome !== '' && paths.relative(realHome, real) === '');
}

/** What {@link defaultRoot} chooses from. */
export interface DefaultRootOptions extends PlaceOptions {
  /** Real paths of the roots that have a graph, in any order. */
  readonly indexedRoots: readonly string[];
}

/**
 * The root where none is given explicitly (ruling X-33): the deepest indexed root that contains the path, else the
 * git top level, else the path itself. The real path; for a file or a path that has vanished, its nearest existing
 * directory. Not checked by {@link checkRoot}.
 *
 * @param path absolute.
 */
export function defaultRoot(path: string, options: DefaultRootOptions): string {
  const { platform = platformOf(), fs = diskFileSystem, indexedRoots } = options;
  const paths = pathsOf(platform);
  const start = nearestDirectory(paths.resolve(path), paths, fs);
  const indexed = indexedRoots
    .filter((root) => contains(root, start, platform))
    .reduce<string | null>((deepest, root) => (root.length > (deepest ?? '').length ? root : deepest), null);
  return indexed ?? gitTop(start, platform, fs) ?? start;
}

function nearestDirectory(path: string, paths: ReturnType<typeof pathsOf>, fs: FileSystem): string {
  let at = path;
  for (;;) {
    try {
      const real = fs.realPath(at);
      if (fs.status(real).kind === 'directory') return real;
    } catch (error) {
      if (!isMissing(error) || paths.dirname(at) === at) throw invalidRoot(path, 'cannot be read');
    }
    at = paths.dirname(at);
  }
}
