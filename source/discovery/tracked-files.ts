import { createHash } from 'node:crypto';
import { diskFileSystem, type FileSystem } from '../file-system.js';
import { gitPointer, gitTop } from '../git-folder.js';
import { type Platform, pathsOf, platformOf, toGraphPath } from '../paths.js';
import { contentMark } from './content-mark.js';

/** A larger index is not read: some two million files. */
const MAX_INDEX_BYTES = 256 * 1024 * 1024;
/** What stands in front of the object's hash in an entry, and where its kind stands in there. */
const ENTRY_HEAD = 40;
const MODE_AT = 24;
/** Another repository: its files are not this one's. */
const SUBMODULE = 0o160000;

/** The files that git tracks, by their paths from the root, and the folders that hold any (ending in `/`). */
export type TrackedFiles = Pick<ReadonlySet<string>, 'has'>;

/** What git's index was when it was looked at. */
export interface TrackedMark {
  /** What stays the same as long as nobody writes it; null where there is none. */
  readonly content: string | null;
  /** A digest of the paths in it; null where there are none. */
  readonly paths: string | null;
}

/**
 * The files that git tracks beneath a root, by git's index as it is on disk: git is not asked. Empty where there is no
 * index, or one that cannot be read.
 *
 * @param root A real path.
 */
export function trackedFiles(root: string, platform: Platform, fs: FileSystem): TrackedFiles {
  const index = indexFile(root, platform, fs);
  const tracked = new Set<string>();
  for (const path of index ? pathsIn(index.file, fs) : []) {
    if (!path.startsWith(index?.inside ?? '')) continue;
    const own = path.slice(index?.inside.length).normalize('NFC');
    tracked.add(own);
    for (let end = own.lastIndexOf('/'); end > 0; end = own.lastIndexOf('/', end - 1)) {
      const folder = own.slice(0, end + 1);
      if (tracked.has(folder)) break;
      tracked.add(folder);
    }
  }
  return tracked;
}

/** Git's index as it is; `before` spares reading one that nobody has written since. */
export function trackedMark(root: string, before?: TrackedMark): TrackedMark {
  const index = indexFile(root, platformOf(), diskFileSystem);
  const content = index && contentMark(index.file);
  if (before && before.content === content) return before;
  if (!index || content === null) return { content: null, paths: null };
  const digest = createHash('sha1');
  for (const path of pathsIn(index.file, diskFileSystem)) digest.update(path).update('\0');
  return { content, paths: digest.digest('base64url') };
}

/** The index of the work tree that a root lies in, and the root's path in there: `''` or ending in `/`. */
function indexFile(
  root: string,
  platform: Platform,
  fs: FileSystem,
): { file: string; inside: string } | null {
  const top = gitTop(root, platform, fs);
  if (top === null) return null;
  const paths = pathsOf(platform);
  const own = paths.join(top, '.git');
  const inside = toGraphPath(top, root, platform);
  const file = paths.join(gitPointer(own, platform, fs) ?? own, 'index');
  return { file, inside: inside === '' ? '' : `${inside}/` };
}

/** The paths in an index of version 2, 3 or 4, in its order; none where it is no such file. */
function pathsIn(file: string, fs: FileSystem): string[] {
  let bytes: Buffer;
  try {
    bytes = Buffer.from(fs.readBytes(file, MAX_INDEX_BYTES));
  } catch {
    // No index, or none that may be read: nothing is known to be tracked.
    return [];
  }
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return [];
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return [];
  return entriesOf(bytes, version, 20) ?? entriesOf(bytes, version, 32) ?? [];
}

/** Null where entries with hashes of this length make no sense. */
function entriesOf(bytes: Buffer, version: number, hashBytes: number): string[] | null {
  const found: string[] = [];
  let at = 12;
  let previous: Buffer = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + ENTRY_HEAD + hashBytes;
    if (flagsAt + 4 > bytes.length) return null;
    const flags = bytes.readUInt16BE(flagsAt);
    let start = flagsAt + (flags & 0x4000 ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      let byte = bytes[start++] ?? 0;
      let cut = byte & 0x7f;
      while (byte & 0x80 && start < bytes.length) {
        byte = bytes[start++] ?? 0;
        cut = ((cut + 1) << 7) | (byte & 0x7f);
      }
      kept = previous.length - cut;
    }
    const end = bytes.indexOf(0, start);
    if (end < 0 || kept < 0) return null;
    const name = bytes.subarray(start, end);
    previous = kept === 0 ? name : Buffer.concat([previous.subarray(0, kept), name]);
    const length = flags & 0xfff;
    if (length < 0xfff && length !== previous.length) return null;
    if ((bytes.readUInt32BE(at + MODE_AT) & 0o170000) !== SUBMODULE) found.push(previous.toString('utf8'));
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return found;
}
