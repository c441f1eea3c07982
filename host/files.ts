import { randomBytes } from 'node:crypto';
import {
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CodewalkError } from '../schema/index.js';

/** What stands in a folder, by name; nothing where there is none. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Bytes of a file, or of all files beneath a folder; 0 where there is none. Links are not followed. */
export function sizeOf(path: string): number {
  try {
    const status = lstatSync(path);
    return status.isDirectory() ? folderSize(path) : status.size;
  } catch {
    return 0;
  }
}

/** Bytes of all files beneath a folder; 0 where there is none. */
export function folderSize(folder: string): number {
  return entriesOf(folder).reduce((sum, { name }) => sum + sizeOf(join(folder, name)), 0);
}

/** The paths of all files beneath a folder. Links are passed over, wherever they lead, and whatever else is no file. */
export function filesBeneath(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBeneath(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Milliseconds since a file was changed; 0 where there is none. @param now Milliseconds since 1970. */
export function ageOf(path: string, now = Date.now()): number {
  return now - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
}

/** The real path of what is there; null where nothing is. */
export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/**
 * Writes a small file of the user's alone (mode 0600), whole or not at all: in a temporary file that is then renamed.
 *
 * @throws CodewalkError `STORE_FULL` when it cannot be written.
 */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CodewalkError('STORE_FULL', `${path} cannot be written: ${why}`, {
      input: path,
      suggestion: 'Free disk space, or set GRAPHS_HOME to a folder that can be written; nothing was changed.',
      cause,
    });
  }
}

const PIECE = 1 << 20;
/** Milliseconds between two looks at an input that another process made non-blocking. */
const PAUSE_MS = 2;

/**
 * Standard input in pieces, each good until the next one is asked for. Read synchronously: its stream costs more to load
 * than an event takes.
 */
export function* standardInput(): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(PIECE);
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      const size = readSync(0, buffer);
      if (size === 0) return;
      yield buffer.subarray(0, size);
    } catch (thrown) {
      const { code } = Object(thrown);
      // Windows says EOF where a pipe was closed.
      if (code === 'EOF') return;
      if (code !== 'EAGAIN') throw thrown;
      Atomics.wait(clock, 0, 0, PAUSE_MS);
    }
  }
}
