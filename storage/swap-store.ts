import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { heldStore, storeError } from './store-error.js';

/** Where a store is made that will take another one's place. */
export function besideStore(folder: string): string {
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

/**
 * Puts the store beside a folder, whole and closed, in the folder's place.
 *
 * @param held The old store where it is open, which keeps others out of it; it is closed.
 */
export async function swapStore(folder: string, held: { close(): Promise<void> } | null): Promise<void> {
  // Windows moves nothing that is open.
  if (process.platform === 'win32') await held?.close();
  rmSync(formerStore(folder), { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, formerStore(folder));
  // LevelDB removes by name what it does not know, until it is closed: nothing else may have the folder's name before.
  await held?.close();
  if (existsSync(formerStore(folder))) await settleSwap(folder);
  else putInPlace(besideStore(folder), folder);
}

/**
 * Ends a swap that was cut off between the two renames, or before the old store was removed. The old one goes only when
 * a store is in its place.
 *
 * @throws CodewalkError `STORE_LOCKED` while the old one is open: the swap goes on.
 */
export async function settleSwap(folder: string): Promise<void> {
  const former = formerStore(folder);
  if (!existsSync(former)) return;
  if (!isStore(folder)) await checkClosed(former, folder);
  const fresh = besideStore(folder);
  if (!isStore(folder)) putInPlace(isStore(fresh) ? fresh : former, folder);
  rmSync(former, { recursive: true, force: true });
}

async function checkClosed(former: string, folder: string): Promise<void> {
  const { Level } = await import('level');
  const db = new Level(former);
  try {
    await db.open({ createIfMissing: false });
  } catch (thrown) {
    if (storeError(thrown, folder).code === 'STORE_LOCKED') throw heldStore(former, thrown);
  } finally {
    await db.close();
  }
}

/** What stands there without being a store was left by somebody who tried to open what was gone for a moment. */
function putInPlace(store: string, folder: string): void {
  if (!isStore(folder)) rmSync(folder, { recursive: true, force: true });
  renameSync(store, folder);
}
