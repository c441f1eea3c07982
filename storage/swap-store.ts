import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { heldStore, storeError } from './store-error.js';

/** Where a store is made that will take another one's place. */
export function nextToStore(folder: string): string {
  return `${folder}.new`;
}

/** Where the store is that made way, until it is removed: it is only set aside when the new one is whole. */
export function formerStore(folder: string): string {
  return `${folder}.old`;
}

/** Whether a folder holds a store: LevelDB names its current manifest in this file from the first opening on. */
export function isStore(folder: string): boolean {
  return existsSync(join(folder, 'CURRENT'));
}

/** Milliseconds after which whoever closes an old store is taken for gone, and that a swap is tried to be ended. */
const PATIENCE_MS = 10_000;
/** Milliseconds between two tries. */
const RETRY_MS = 10;

/** What names the process that closes the old store, while it does. */
function markOf(folder: string): string {
  return `${folder}.swap`;
}

/**
 * Puts the store beside a folder, whole and closed, in the folder's place.
 *
 * @param held The old store where it is open, which keeps others out of it; it is closed.
 */
export async function swapStore(folder: string, held: { close(): Promise<void> } | null): Promise<void> {
  // Windows moves nothing that is open.
  if (process.platform === 'win32') await held?.close();
  rmSync(formerStore(folder), { recursive: true, force: true });
  if (!existsSync(folder)) {
    putInPlace(nextToStore(folder), folder);
    return;
  }
  // LevelDB removes by name what it does not know, until it is closed: nothing else may have the folder's name before.
  writeFileSync(markOf(folder), `${process.pid}`, { mode: 0o600 });
  try {
    renameSync(folder, formerStore(folder));
    await held?.close();
  } finally {
    rmSync(markOf(folder), { force: true });
  }
  for (const until = performance.now() + PATIENCE_MS; ; await sleep(RETRY_MS))
    try {
      settleSwap(folder);
      return;
    } catch (thrown) {
      // Somebody who waited for it ends it at the same time.
      if (storeError(thrown, folder).code !== 'STORE_LOCKED' || performance.now() >= until) throw thrown;
    }
}

/**
 * Ends a swap that was cut off between the two renames, or before the old store was removed. The old one goes only when
 * a store is in its place.
 *
 * @throws CodewalkError `STORE_LOCKED` while the swap goes on, or another process ends it.
 */
export function settleSwap(folder: string): void {
  const former = formerStore(folder);
  if (!existsSync(former)) return;
  if (isMarked(folder)) throw heldStore(former, null);
  try {
    const fresh = nextToStore(folder);
    if (!isStore(folder)) putInPlace(isStore(fresh) ? fresh : former, folder);
    rmSync(former, { recursive: true, force: true });
    rmSync(markOf(folder), { force: true });
  } catch (thrown) {
    if (/ENOENT|ENOTEMPTY|EEXIST/.test(String(Object(thrown).code))) throw heldStore(former, thrown);
    throw thrown;
  }
}

/** Whether a process that lives has just begun to close the old store. */
function isMarked(folder: string): boolean {
  try {
    if (Date.now() - statSync(markOf(folder)).mtimeMs > PATIENCE_MS) return false;
    process.kill(Number(readFileSync(markOf(folder), 'utf8')), 0);
    return true;
  } catch (thrown) {
    // It is there, and another user's.
    return Object(thrown).code === 'EPERM';
  }
}

/** What stands there without being a store was left by somebody who tried to open what was gone for a moment. */
function putInPlace(store: string, folder: string): void {
  if (!isStore(folder)) rmSync(folder, { recursive: true, force: true });
  renameSync(store, folder);
}
