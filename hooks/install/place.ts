import { accessSync, constants, lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refusal } from './refusal.js';

/** A file as it stands, or the place where it would. */
export interface Place {
  /** As somebody named it. */
  readonly path: string;
  /** Where a link leads to; the path itself where it is none. */
  readonly real: string;
  /** Null: there is none. */
  readonly bytes: Uint8Array | null;
  /** Of the file; null: there is none. */
  readonly stats: Pick<Stats, 'mode' | 'uid' | 'gid'> | null;
  /** The folders on its way that are not there, outermost first. */
  readonly missing: readonly string[];
}

/**
 * Looks at a file that is to be written. One behind a link is written where it is, and the link stays.
 *
 * @throws CodewalkError `INSTALL_REFUSED` where it could not be written whole, or is no ordinary file.
 */
export function placeAt(path: string): Place {
  const entry = lstatAt(path);
  if (entry === null) return { path, real: path, bytes: null, stats: null, missing: missingAbove(path) };
  const real = entry.isSymbolicLink() ? targetOf(path) : path;
  const stats = statSync(real);
  if (!stats.isFile()) throw refusal(path, 'is no file');
  if ((stats.mode & 0o200) === 0 || !writable(real))
    throw refusal(path, 'is read-only', `Make it writable (chmod u+w ${real})`);
  if (!writable(dirname(real))) throw refusal(path, 'is in a folder that cannot be written');
  return { path, real, bytes: readFileSync(real), stats, missing: [] };
}

/** What a file holds; null where there is none. */
export function bytesAt(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return null;
    throw error;
  }
}

function missingAbove(path: string): string[] {
  const parent = dirname(path);
  const stats = lstatAt(parent);
  if (stats === null) return [...missingAbove(parent), parent];
  const real = stats.isSymbolicLink() ? targetOf(parent) : parent;
  if (!statSync(real).isDirectory()) throw refusal(parent, 'is no folder');
  if (!writable(real)) throw refusal(parent, 'cannot be written');
  return [];
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw refusal(path, 'is a link that leads nowhere');
  }
}

function lstatAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR')
      throw refusal(join(path, '..'), 'is no folder');
    throw error;
  }
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
