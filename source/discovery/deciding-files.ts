import { VENDORED_FOLDERS, VENDORED_MARKERS } from './vendored-folders.js';

const IGNORE_FILES = ['.gitignore', '.codewalkignore'];

const DECIDING: ReadonlySet<string> = new Set([
  ...IGNORE_FILES,
  ...VENDORED_MARKERS,
  ...Object.values(VENDORED_FOLDERS).flatMap((evidence) => (evidence === 'always' ? [] : evidence.beside)),
]);

/**
 * Whether a file of this name, by what it says or by being there, decides about other files: whether they are taken
 * at all. Where one changes, the whole root has to be discovered again.
 */
export function decidesForOthers(path: string): boolean {
  return DECIDING.has(path.slice(path.lastIndexOf('/') + 1));
}
