import { readdirSync } from 'node:fs';
import { gitTopOf, isManifest } from '../source/index.js';

/**
 * Whether a root is a project that is recorded, and indexed, by itself (C-02): a git work tree, or a folder with a
 * manifest of its language. What `checkRoot` refuses (P-05) is none.
 *
 * @param root A real path that {@link checkRoot} takes.
 */
export function isEligibleRoot(root: string): boolean {
  if (gitTopOf(root) !== null) return true;
  try {
    return readdirSync(root).some(isManifest);
  } catch {
    return false;
  }
}
