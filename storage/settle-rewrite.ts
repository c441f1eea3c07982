import { existsSync, renameSync, rmSync } from 'node:fs';

/**
 * Ends the rewriting of a store that was cut off between taking the old one away and putting the new one in its place,
 * or before the old one was removed: the old one is only set aside when the new one is whole.
 */
export function settleRewrite(folder: string): void {
  const [fresh, old] = [`${folder}.new`, `${folder}.old`];
  if (!existsSync(old)) return;
  if (!existsSync(folder)) renameSync(existsSync(fresh) ? fresh : old, folder);
  rmSync(old, { recursive: true, force: true });
}
