import { CodewalkError, LIMITS } from '../../schema/index.js';
import { insideRoot, masked, toGraphPath } from '../../source/index.js';

/** Maps a path that a client gave to its root-relative path; null outside the project, or where it holds a secret. */
export type PlaceOf = (path: string) => string | null;

/** Finds files inside a root, and caches each path for one run. @param root Null: paths are judged by their spelling. */
export function placesIn(root: string | null): PlaceOf {
  const known = new Map<string, string | null>();
  return (path) => {
    const before = known.get(path);
    const place = before === undefined ? inside(root, path) : before;
    known.set(path, place);
    return place;
  };
}

function inside(root: string | null, path: string): string | null {
  // A file is stored under its name: there is no masked one.
  if (path.length > LIMITS.pathText.max || masked(path) !== path) return null;
  try {
    return (root === null ? toGraphPath('/', path, 'posix') : insideRoot(root, path).path) || null;
  } catch (thrown) {
    if (thrown instanceof CodewalkError) return null;
    throw thrown;
  }
}
