import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CodewalkError } from '../../schema/index.js';

/** Why a file is left as it is. Thrown before anything is written. */
export function refusal(path: string, why: string, suggestion = 'Mend it'): CodewalkError {
  return new CodewalkError('INSTALL_REFUSED', `${path} ${why}`, {
    input: path,
    suggestion: `${suggestion}, then run this again; nothing was changed.`,
  });
}

/** A file as it stands, or the place where it would. */
export interface Place {
  /** As it was named. */
  readonly path: string;
  /** Where a link leads to; the path itself where it is none. */
  readonly real: string;
  /** Null: there is no file. */
  readonly bytes: Uint8Array | null;
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

/** A file's content; null where there is none. */
export function bytesAt(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null;
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
    if (codeOf(error) === 'ENOENT') return null;
    if (codeOf(error) === 'ENOTDIR') throw refusal(join(path, '..'), 'is no folder');
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function writable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A change of a file. */
export interface FileChange {
  readonly place: Place;
  /** Null: the file goes. The bytes of the place: it stays as it is. */
  readonly after: Uint8Array | null;
  /** Of a file that we make. */
  readonly mode: number;
}

/** What a change does to its file. */
export type ChangeKind = 'create' | 'change' | 'remove' | 'none';

/** See {@link ChangeKind}. */
export function kindOf({ place: { bytes }, after }: Pick<FileChange, 'place' | 'after'>): ChangeKind {
  if (isSame(bytes, after)) return 'none';
  if (bytes === null) return 'create';
  return after === null ? 'remove' : 'change';
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

/**
 * Makes changes of files: all of them, or none where one fails.
 *
 * @throws CodewalkError `INSTALL_REFUSED` where a file is not what it was when the change was planned, or cannot be
 * written.
 */
export function applyChanges(changes: readonly FileChange[]): void {
  const real = changes.filter((change) => kindOf(change) !== 'none');
  for (const { place } of real)
    if (!isSame(place.bytes, bytesAt(place.real)))
      throw refusal(place.path, 'was changed by somebody else just now', 'Wait until it is still');
  const done: FileChange[] = [];
  try {
    for (const change of real) {
      write(change, change.after);
      done.push(change);
    }
  } catch (thrown) {
    for (const change of done.reverse()) write(change, change.place.bytes);
    for (const { place } of real) removeEmpty(place.missing);
    const failed = real[done.length]?.place.path ?? '';
    throw refusal(failed, `cannot be written: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** Removes folders that are empty, the innermost first. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...new Set(folders)].sort((a, b) => b.length - a.length))
    try {
      rmdirSync(folder);
    } catch {
      // Somebody has something in it, or it has gone.
    }
}

function write({ place: { real, stats }, mode }: FileChange, bytes: Uint8Array | null): void {
  if (bytes === null) {
    rmSync(real, { force: true });
    return;
  }
  mkdirSync(dirname(real), { recursive: true });
  const temporary = `${real}.codewalk-${randomBytes(4).toString('hex')}.tmp`;
  try {
    // Nobody else may read its content before it has the file's own mode.
    const handle = openSync(temporary, 'wx', stats === null ? mode : 0o600);
    try {
      writeFileSync(handle, bytes);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (stats !== null) {
      chmodSync(temporary, stats.mode & 0o7777);
      if (stats.uid !== process.getuid?.() || stats.gid !== process.getgid?.())
        chownSync(temporary, stats.uid, stats.gid);
    }
    renameSync(temporary, real);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  }
}
