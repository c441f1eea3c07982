import { CodewalkError, LIMITS } from '../../schema/index.js';
import { insideRoot, masked, toGraphPath } from '../../source/index.js';

/** A graph in memory has no root: paths are judged by their spelling. */
const NO_ROOT = '/';

/** Maps a path that a client gave to its root-relative path; null outside the project, or where it holds a secret. */
export type PlaceOf = (path: string) => string | null;

/**
 * Finds files inside a root. It caches each path, so it must not outlive one run.
 *
 * @param root The project's real path; null for a graph in memory.
 */
export function placesIn(root: string | null): PlaceOf {
  const known = new Map<string, string | null>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    // A file is kept under its name: there is no masked one.
    const isPath = path.length <= LIMITS.pathText.max && masked(path) === path;
    const place = isPath ? inside(root, path) : null;
    known.set(path, place);
    return place;
  };
}

function inside(root: string | null, path: string): string | null {
  try {
    const found = root === null ? toGraphPath(NO_ROOT, path, 'posix') : insideRoot(root, path).path;
    return found === '' ? null : found;
  } catch (thrown) {
    if (thrown instanceof CodewalkError) return null;
    throw thrown;
  }
}
