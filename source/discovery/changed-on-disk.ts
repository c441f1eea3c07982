import { diskFileSystem, type FileStatus, type FileSystem, statusOrNull } from '../file-system.js';
import { readText } from './read-text.js';

/** What a file was when it was read. */
export interface KnownContent {
  /** Bytes. */
  readonly size: number;
  /** ISO 8601; null when it is not known. */
  readonly modified: string | null;
  /** SHA-256, lower-case hex. */
  readonly hash: string;
}

/** What happened to a file since it was read; null for nothing. */
export type ChangeOnDisk = 'changed' | 'deleted' | null;

/**
 * Whether a file is what it was: size and time as they were mean that it is (a `stat`, no read); where they differ
 * its content decides, so that a file that was only touched has not changed. Never throws for what a file can be.
 */
export function changeOnDisk(
  diskPath: string,
  known: KnownContent,
  fs: FileSystem = diskFileSystem,
): ChangeOnDisk {
  let status: FileStatus | null;
  try {
    status = statusOrNull(fs, diskPath);
  } catch {
    return 'changed';
  }
  if (status === null) return 'deleted';
  if (status.kind !== 'file') return 'changed';
  if (status.size === known.size && new Date(status.mtimeMs).toISOString() === known.modified) return null;
  const read = readText({ diskPath }, { fs });
  if (read.ok) return read.hash === known.hash ? null : 'changed';
  return read.reason === 'vanished' ? 'deleted' : 'changed';
}
