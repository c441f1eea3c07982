import { compareText } from '../../../../runtime/index.js';
import { append } from '../../../../schema/index.js';

/** Files of the same paths in two folders, from which on they may be copies: fewer are habits of naming. */
const FEWEST_COMMON = 10;
/** What share of the smaller folder the other one has as well, at least. */
const LEAST_SHARE = 0.7;
/** Folders lie at most so deep: copies of a whole source tree stand near the root. */
const MOST_DEEP = 3;
/** A path that so many siblings have says nothing of any two of them. */
const MOST_SIBLINGS = 8;

/** Two sibling folders of which one is a copy of the other, by their paths: `src/` and `deno_dist/`, `lib/cjs/` and `lib/esm/`. */
export interface Mirror {
  /** The one with more files; with as many, the first by name. Both end with `/`. */
  readonly original: string;
  readonly copy: string;
}

/** The mirrors among the files of a project: what tools write beside the source, and versions that are kept. */
export function mirrorsIn(paths: readonly string[]): Mirror[] {
  // What each path below a folder's children is found in.
  const found = new Map<string, string[]>();
  const sizes = new Map<string, number>();
  for (const path of paths) {
    let at = -1;
    for (let depth = 0; depth < MOST_DEEP; depth++) {
      const next = path.indexOf('/', at + 1);
      if (next < 0) break;
      const child = path.slice(0, next + 1);
      sizes.set(child, (sizes.get(child) ?? 0) + 1);
      const place = `${path.slice(0, at + 1)}\0${path.slice(next + 1)}`;
      append(found, place, child);
      at = next;
    }
  }
  const common = new Map<string, number>();
  for (const children of found.values()) {
    if (children.length < 2 || children.length > MOST_SIBLINGS) continue;
    const sorted = children.toSorted(compareText);
    for (const [i, one] of sorted.entries())
      for (const other of sorted.slice(i + 1)) {
        const pair = `${one}\0${other}`;
        common.set(pair, (common.get(pair) ?? 0) + 1);
      }
  }
  const size = (folder: string) => sizes.get(folder) ?? 0;
  return [...common].flatMap(([pair, count]) => {
    const [one = '', other = ''] = pair.split('\0');
    if (count < FEWEST_COMMON || count < LEAST_SHARE * Math.min(size(one), size(other))) return [];
    return size(other) > size(one) ? [{ original: other, copy: one }] : [{ original: one, copy: other }];
  });
}

/**
 * Which paths lie in a folder that repeats one which is meant: the one where the files asked for are, else the original.
 *
 * @param asked Paths.
 */
export function repeating(mirrors: readonly Mirror[], asked: readonly string[]): (path: string) => boolean {
  const folders = mirrors.flatMap(({ original, copy }) => {
    const [inOriginal, inCopy] = [original, copy].map((folder) =>
      asked.some((path) => path.startsWith(folder)),
    );
    if (inOriginal && inCopy) return [];
    return [inCopy ? original : copy];
  });
  return (path) => folders.some((folder) => path.startsWith(folder));
}
