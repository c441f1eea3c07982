import { CodewalkError, LIMITS } from '../../schema/index.js';
import { insideRoot, masked, toGraphPath } from '../../source/index.js';
import { shownLine } from '../shown-text.js';

/** Paths that an event names, and what is to be said of those that were left out. */
export interface TouchedFiles {
  /** Root-relative, `/`, each once, sorted. */
  readonly paths: readonly string[];
  readonly warnings: readonly string[];
}

/** A graph in memory has no root: paths are judged by their spelling. */
const NO_ROOT = '/';

/**
 * The files that an event touched, as the code graph names them. A path that leaves the root (`../`, absolute
 * elsewhere, a link that leads out), or that holds a secret, is left out and named: the event itself is kept.
 *
 */
export function touchedFiles(placeOf: PlaceOf, given: readonly string[] = []): TouchedFiles {
  const paths = new Set<string>();
  const warnings: string[] = [];
  for (const path of [...new Set(given)].slice(0, LIMITS.eventFiles.max)) {
    const found = placeOf(path);
    if (found === null)
      warnings.push(
        `files_touched: '${shownLine(masked(path), 200)}' is no file inside the project; left out`,
      );
    else paths.add(found);
  }
  const left = given.length - LIMITS.eventFiles.max;
  if (left > 0)
    warnings.push(`files_touched: ${left} paths beyond the first ${LIMITS.eventFiles.max} are left out`);
  return { paths: [...paths].sort(), warnings };
}

/** Where a path that somebody gave is in the graph; null where it is in none, or holds a secret. */
export type PlaceOf = (path: string) => string | null;

/**
 * Finds files inside a root. Each path is looked for once: for many paths at one moment, not to be kept.
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
