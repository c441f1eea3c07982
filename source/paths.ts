import { posix, win32 } from 'node:path';
import { CodewalkError } from '../schema/index.js';
import { diskFileSystem, type FileSystem, statusOrNull } from './file-system.js';

/** How paths are written: with `/`, or with `\` and drive letters, without regard to case. */
export type Platform = 'posix' | 'win32';

/** The platform of a Node platform name, by default this machine's. */
export function platformOf(nodePlatform: string = process.platform): Platform {
  return nodePlatform === 'win32' ? 'win32' : 'posix';
}

/** Node's path functions for a platform, whatever machine this runs on. */
export function pathsOf(platform: Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

/**
 * The order of all listings: by Unicode code point, which is the order of the UTF-8 bytes. JavaScript's own
 * order differs beyond U+FFFF.
 */
export function comparePaths(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at += 1) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return left.length - right.length;
}

/** Surrogates stand for code points above all others, so they move behind U+E000 to U+FFFF. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Whether `child` is `parent` or lies in it, by their spelling alone; both absolute. */
export function contains(parent: string, child: string, platform: Platform): boolean {
  const paths = pathsOf(platform);
  const relative = paths.relative(parent, child);
  return relative === '' || !(leaves(relative, platform) || paths.isAbsolute(relative));
}

function leaves(relative: string, platform: Platform): boolean {
  return relative === '..' || relative.startsWith(`..${pathsOf(platform).sep}`);
}

/**
 * The one name of a path on every machine: relative to the root, `/` between the parts, Unicode NFC, the case as
 * given (callers pass the case on disk; {@link insideRoot} finds it). The root itself is `''`. By spelling alone:
 * links are not looked at.
 *
 * @param root absolute.
 * @param path absolute, or relative to the root.
 * @throws PATH_OUTSIDE_ROOT when the path leaves the root; INVALID_INPUT for a path with a NUL character;
 * INVALID_ROOT when the root is not absolute.
 */
export function toGraphPath(root: string, path: string, platform: Platform): string {
  const paths = pathsOf(platform);
  if (!paths.isAbsolute(root)) {
    throw new CodewalkError('INVALID_ROOT', `The root "${root}" is not absolute.`, { input: root });
  }
  if (path.includes('\0')) {
    throw new CodewalkError('INVALID_INPUT', `The path ${JSON.stringify(path)} holds a NUL character.`, {
      input: path,
    });
  }
  const plain = platform === 'win32' ? withoutDevicePrefix(path) : path;
  if (platform === 'win32' && namesOtherPlace(plain)) throw outside(root, path);
  const plainRoot = platform === 'win32' ? withoutDevicePrefix(root) : root;
  const target = paths.resolve(plainRoot, plain);
  if (!contains(plainRoot, target, platform)) throw outside(root, path);
  return paths.relative(plainRoot, target).split(paths.sep).join('/').normalize('NFC');
}

/** `\\?\C:\x` and `\\?\UNC\host\share` are the long spellings of `C:\x` and `\\host\share`. */
function withoutDevicePrefix(path: string): string {
  return path.replace(/^[\\/]{2}\?[\\/]UNC[\\/]/i, '\\\\').replace(/^[\\/]{2}\?[\\/](?=[a-z]:)/i, '');
}

/** `C:x` is relative to a directory nobody sees; a colon further on names an alternate stream of a file. */
function namesOtherPlace(path: string): boolean {
  return /^[a-z]:(?![\\/])/i.test(path) || path.slice(2).includes(':');
}

function outside(root: string, path: string): CodewalkError {
  return new CodewalkError('PATH_OUTSIDE_ROOT', `The path "${path}" leaves the root "${root}".`, {
    input: path,
    suggestion: 'Give a path inside the root, relative to it.',
  });
}

/** A path in its two spellings. */
export interface LocatedPath {
  /** Root-relative, `/`, NFC, the case on disk. */
  readonly path: string;
  /** Absolute, as the file system wants it: on-disk case and Unicode form. */
  readonly diskPath: string;
  /** Whether something stands there. */
  readonly exists: boolean;
}

/** Where {@link insideRoot} looks. */
export interface PlaceOptions {
  /** Default: this machine's. */
  readonly platform?: Platform;
  /** Default: the disk. */
  readonly fs?: FileSystem;
}

/**
 * Finds a path that somebody gave (a tool's input) inside the root, as it is on disk (spec S2-34): a composed name
 * finds its decomposed file, another case finds its file where the file system does not tell them apart. What does
 * not exist keeps the rest of its spelling and has `exists: false`.
 *
 * @param root the root's real path.
 * @throws PATH_OUTSIDE_ROOT for `../`, absolute paths elsewhere, and links that lead out of the root.
 */
export function insideRoot(root: string, path: string, options: PlaceOptions = {}): LocatedPath {
  const { platform = platformOf(), fs = diskFileSystem } = options;
  const asked = graphPathOf(root, path, platform, fs);
  const paths = pathsOf(platform);
  // What is spelled as it is on disk, without links on the way, needs no look at its folders.
  const spelled = paths.join(root, asked);
  if (realPathOrNull(fs, spelled) === spelled)
    return { path: asked.normalize('NFC'), diskPath: spelled, exists: true };
  let diskPath = root;
  let exists = true;
  const found: string[] = [];
  const parts = asked === '' ? [] : asked.split('/');
  for (const part of parts) {
    const name = nameOnDisk(fs, paths, diskPath, part);
    exists = name !== null;
    if (name === null) break;
    diskPath = paths.join(diskPath, name);
    found.push(name.normalize('NFC'));
    // A link that leads nowhere or in circles reads nothing; what it names is judged by its spelling.
    if (!contains(root, realPathOrNull(fs, diskPath) ?? diskPath, platform)) throw outside(root, path);
  }
  const missing = parts.slice(found.length);
  return {
    path: [...found, ...missing.map((part) => part.normalize('NFC'))].join('/'),
    diskPath: paths.join(diskPath, ...missing),
    exists,
  };
}

/** An absolute path may reach the root through a link or in another case: then its real path decides. */
function graphPathOf(root: string, path: string, platform: Platform, fs: FileSystem): string {
  const paths = pathsOf(platform);
  if (!paths.isAbsolute(path) || contains(root, paths.normalize(path), platform)) {
    return toGraphPath(root, path, platform);
  }
  const asked = paths.normalize(path);
  let existing = paths.parse(asked).root;
  const parts = asked.slice(existing.length).split(paths.sep);
  // From above: below the first that is not there nothing is.
  let at = 0;
  for (; at < parts.length; at += 1) {
    const next = paths.join(existing, parts[at] ?? '');
    if (statusOrNull(fs, next) === null) break;
    existing = next;
  }
  const real = paths.join(realPathOrNull(fs, existing) ?? existing, ...parts.slice(at));
  if (!contains(root, real, platform)) throw outside(root, path);
  return toGraphPath(root, real, platform);
}

function realPathOrNull(fs: FileSystem, path: string): string | null {
  try {
    return fs.realPath(path);
  } catch {
    return null;
  }
}

/** The entry that `part` names in a directory: itself, else its first NFC equal, else one in another case; or null. */
function nameOnDisk(fs: FileSystem, paths: typeof posix, directory: string, part: string): string | null {
  let names: string[];
  try {
    names = fs.readDirectory(directory).map((entry) => entry.name);
  } catch {
    return statusOrNull(fs, paths.join(directory, part)) === null ? null : part;
  }
  if (names.includes(part)) return part;
  names.sort(comparePaths);
  const composed = names.find((name) => name.normalize('NFC') === part);
  if (composed !== undefined) return composed;
  if (statusOrNull(fs, paths.join(directory, part)) === null) return null;
  return names.find((name) => folded(name) === folded(part)) ?? part;
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
