import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type FileChange, kindOf } from './change.js';
import { bytesAt } from './place.js';
import { refusal } from './refusal.js';

/**
 * Makes changes of files: all of them, or none where one fails.
 *
 * @throws CodewalkError `INSTALL_REFUSED` where a file is not what it was when the change was planned, or cannot be
 * written.
 */
export function applyChanges(changes: readonly FileChange[]): void {
  const real = changes.filter((change) => kindOf(change) !== 'none');
  for (const { place } of real) refuseChanged(place.path, place.bytes, bytesAt(place.real));
  const done: FileChange[] = [];
  try {
    for (const change of real) {
      write(change, change.after);
      done.push(change);
    }
  } catch (thrown) {
    for (const change of done.reverse()) write(change, change.place.bytes);
    for (const { place } of real) removeEmpty(place.missing);
    const at = real[done.length]?.place.path ?? '';
    throw refusal(at, `cannot be written: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
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

function refuseChanged(path: string, planned: Uint8Array | null, now: Uint8Array | null): void {
  const same = planned === null || now === null ? planned === now : Buffer.compare(planned, now) === 0;
  if (!same) throw refusal(path, 'was changed by somebody else just now', 'Wait until it is still');
}

function write({ place, mode }: FileChange, bytes: Uint8Array | null): void {
  const { real, stats } = place;
  if (bytes === null) {
    rmSync(real, { force: true });
    return;
  }
  mkdirSync(dirname(real), { recursive: true });
  // What it holds is nobody else's to read before it has the file's own mode.
  const beside = `${real}.codewalk-${randomBytes(4).toString('hex')}.tmp`;
  try {
    const handle = openSync(beside, 'wx', stats === null ? mode : 0o600);
    try {
      writeFileSync(handle, bytes);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (stats !== null) {
      chmodSync(beside, stats.mode & 0o7777);
      if (stats.uid !== process.getuid?.() || stats.gid !== process.getgid?.())
        chownSync(beside, stats.uid, stats.gid);
    }
    renameSync(beside, real);
  } catch (thrown) {
    rmSync(beside, { force: true });
    throw thrown;
  }
}
