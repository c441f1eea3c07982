import type { Words } from '../../../../search/index.js';

/** Parts of a path that say where tests are kept, not what they are of. */
const TEST_FOLDERS = new Set(['test', 'tests', '__tests__', 'spec', 'specs']);
/** Files named after their folder's role: the folder is what they are about. */
const ROLE_NAMES = new Set(['index', '__init__', 'mod', 'main']);

/** What a path is named after. */
export interface NamedPath {
  /** Folders without those that only hold tests. */
  readonly folders: readonly string[];
  /** The name without extension and without what marks a test: `auth` of `test_auth.py`, `auth.test.ts`. */
  readonly stem: string;
  readonly words: ReadonlySet<string>;
}

/** Takes a root-relative path apart. */
export function namedPath(path: string, words: Words): NamedPath {
  const parts = path.split('/');
  const file = parts.pop() ?? '';
  const folders = parts.filter((part) => !TEST_FOLDERS.has(part));
  const bare = file
    .replace(/(?<=.)\.[^.]*$/, '')
    .replace(/[._-](?:test|spec)s?$/i, '')
    .replace(/^(?:test|spec)s?[_-]/i, '');
  const stem = ROLE_NAMES.has(bare) ? (folders.at(-1) ?? bare) : bare;
  return { folders, stem: stem.toLowerCase(), words: new Set(words.of(stem)) };
}

/**
 * How much alike two paths are named, 0 to 2: at most 1 for the same stem (the share of common words where it is
 * another), and at most 1 for the same folder (the share of the folders that both are in).
 */
export function nameNearness(a: NamedPath, b: NamedPath): number {
  return (a.stem === b.stem ? 1 : share(a.words, b.words)) + folderNearness(a.folders, b.folders);
}

function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common / Math.max(1, a.size + b.size - common);
}

function folderNearness(a: readonly string[], b: readonly string[]): number {
  let common = 0;
  while (common < a.length && a[common] === b[common]) common++;
  const most = a.length + b.length;
  return most === 0 ? 1 : (2 * common) / most;
}
