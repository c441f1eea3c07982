import { existsSync, renameSync, rmSync } from 'node:fs';

/** Where a store is made that will take another one's place. */
export function besideStore(folder: string): string {
  return `${folder}.new`;
}

/** The store that made way, until the new one is in its place. */
function beforeStore(folder: string): string {
  return `${folder}.before`;
}

/**
 * Puts the store beside a folder, whole and closed, in the folder's place. The old one may be open: who holds it keeps
 * others out of it until then.
 */
export function swapStore(folder: string): void {
  rmSync(beforeStore(folder), { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, beforeStore(folder));
  renameSync(besideStore(folder), folder);
}

/** Removes the store that made way. */
export function removeSwapped(folder: string): void {
  rmSync(beforeStore(folder), { recursive: true, force: true });
}

/** Ends a swap that was cut off, before a store is opened: an old one that made way shows that the new one is whole. */
export function finishSwap(folder: string): void {
  if (!existsSync(beforeStore(folder))) return;
  if (!existsSync(folder))
    renameSync(existsSync(besideStore(folder)) ? besideStore(folder) : beforeStore(folder), folder);
  removeSwapped(folder);
}
