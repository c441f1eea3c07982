import { existsSync, renameSync, rmSync } from 'node:fs';

/** Where a store is made that will take another one's place. */
export function besideStore(folder: string): string {
  return `${folder}.new`;
}

/** Where the store is that made way, until it is removed: it is only set aside when the new one is whole. */
export function formerStore(folder: string): string {
  return `${folder}.old`;
}

/**
 * Puts the store beside a folder, whole and closed, in the folder's place. The old one may be open: who holds it keeps
 * others out of it until then.
 */
export function swapStore(folder: string): void {
  rmSync(formerStore(folder), { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, formerStore(folder));
  renameSync(besideStore(folder), folder);
}

/** Ends a swap that was cut off between the two renames, or before the old store was removed. */
export function settleSwap(folder: string): void {
  const former = formerStore(folder);
  if (!existsSync(former)) return;
  const fresh = besideStore(folder);
  if (!existsSync(folder)) renameSync(existsSync(fresh) ? fresh : former, folder);
  rmSync(former, { recursive: true, force: true });
}
