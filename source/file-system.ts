import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';

/** What stands at a path, the link itself and not what it points to. `other`: FIFO, socket, device. */
export type EntryKind = 'file' | 'directory' | 'link' | 'other';

/** One entry of a directory: its name as it is on disk. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** What is known of a path without reading it. `size` in bytes, times in milliseconds since 1970. */
export interface FileStatus {
  readonly kind: EntryKind;
  readonly size: number;
  /** When its content was written, as far as anybody lets us know: tools set it to what they like. */
  readonly mtimeMs: number;
  /** When anything of it changed last. */
  readonly ctimeMs: number;
  /** Which file it is; another one may have its name. */
  readonly inode: number;
}

/**
 * The part of a file system that `source/` stands on, so that other platforms, odd orders and failures can be
 * passed in. Everything is synchronous (a quarter of the time of promises over many small files; callers yield
 * between batches), takes absolute paths, and throws errors with Node's `code` (`ENOENT`, `EACCES`, …).
 */
export interface FileSystem {
  /** The entries in any order, without `.` and `..`. */
  readDirectory(path: string): readonly DirectoryEntry[];
  /** Does not follow a link at the end of the path. */
  status(path: string): FileStatus;
  /** At most the first `maxBytes` bytes of a regular file; a link at the end of the path is refused. */
  readBytes(path: string, maxBytes: number): Uint8Array;
  /** The path with all links followed and, where the system can say it, in the case on disk. */
  realPath(path: string): string;
  /** Where a link points, as written in it. */
  readLink(path: string): string;
}

/** The part of Node's `Dirent` and `Stats` that tells the kind. */
type Kinded = Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

function kindOf(entry: Kinded): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

// A path that became a link or a FIFO since it was listed must neither lead elsewhere nor block. Windows has
// neither flag.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The real file system of this machine. */
export const diskFileSystem: FileSystem = {
  readDirectory: (path) =>
    readdirSync(path, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),

  status: (path) => {
    const stats = lstatSync(path);
    const { size, mtimeMs, ctimeMs, ino } = stats;
    return { kind: kindOf(stats), size, mtimeMs, ctimeMs, inode: ino };
  },

  readBytes: (path, maxBytes) => {
    const handle = openSync(path, READ_FLAGS);
    try {
      const buffer = Buffer.allocUnsafe(Math.min(maxBytes, fstatSync(handle).size));
      let filled = 0;
      while (filled < buffer.length) {
        const read = readSync(handle, buffer, filled, buffer.length - filled, filled);
        if (read === 0) break;
        filled += read;
      }
      return buffer.subarray(0, filled);
    } finally {
      closeSync(handle);
    }
  },

  realPath: (path) => realpathSync.native(path),

  readLink: (path) => readlinkSync(path),
};

/** The `code` of a file system error (`ENOENT`); empty for anything else. */
export function errorCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}

/** What a disk says of a path where nothing is: a name that is too long is nobody's. */
const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** Whether the error says that the path is not there (any more). */
export function isMissing(thrown: unknown): boolean {
  return MISSING.has(errorCode(thrown));
}

/** The status of a path, or null when it is not there; other errors are thrown on. */
export function statusOrNull(fs: FileSystem, path: string): FileStatus | null {
  try {
    return fs.status(path);
  } catch (error) {
    // Folders on the way that are links in a circle lead to nothing.
    if (isMissing(error) || errorCode(error) === 'ELOOP') return null;
    throw error;
  }
}

/** The status of a path on the disk of this machine, by the cheapest call; null where nothing can be looked at. */
export function statusAt(path: string): FileStatus | null {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return null;
    const { size, mtimeMs, ctimeMs, ino } = stats;
    return { kind: kindOf(stats), size, mtimeMs, ctimeMs, inode: ino };
  } catch {
    return null;
  }
}
