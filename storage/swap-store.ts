import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

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
 * Puts the store beside a folder, whole and closed, in the folder's place. The old one may be open: who holds it keeps
 * others out of it until then.
 */
export function swapStore(folder: string): void {
  rmSync(formerStore(folder), { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, formerStore(folder));
  // Whoever wants to open the store meanwhile may have ended the swap already.
  if (isStore(besideStore(folder))) putInPlace(besideStore(folder), folder);
}

/**
 * Ends a swap that was cut off between the two renames, or before the old store was removed. The old one goes only when
 * a store is in its place.
 */
export function settleSwap(folder: string): void {
  const former = formerStore(folder);
  if (!existsSync(former)) return;
  const fresh = besideStore(folder);
  if (!isStore(folder)) putInPlace(isStore(fresh) ? fresh : former, folder);
  rmSync(former, { recursive: true, force: true });
}

/** What stands there without being a store was left by somebody who tried to open what was gone for a moment. */
function putInPlace(store: string, folder: string): void {
  if (!isStore(folder)) rmSync(folder, { recursive: true, force: true });
  renameSync(store, folder);
}
