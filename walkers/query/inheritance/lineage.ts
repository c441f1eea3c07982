import { compareText } from '../../../runtime/index.js';
import type { Relation, Step } from './inheritance-links.js';

/** A class that others lead to. */
export interface Relative {
  readonly id: string;
  /** Steps from the nearest class that was asked for: 1 is direct. */
  readonly depth: number;
  /** How the last of these steps stands in the source. */
  readonly relation: Relation;
  /** The place of the class that was asked for among several. */
  readonly target?: number;
}

/**
 * Whom a class leads to within so many steps, each once with its shortest distance: nearest first, then by id. A class
 * is none of its own relatives, a circle or not; of several classes that are asked for each may be one of another's.
 */
export function relativesOf(
  starts: readonly string[],
  steps: ReadonlyMap<string, readonly Step[]>,
  depth: number,
): Relative[] {
  const found = new Map<string, Relative>();
  for (const start of starts)
    for (const relative of relativesOfOne(start, steps, depth)) {
      const known = found.get(relative.id);
      if (!known || relative.depth < known.depth) found.set(relative.id, relative);
    }
  return [...found.values()].sort((a, b) => a.depth - b.depth || compareText(a.id, b.id));
}

function relativesOfOne(
  start: string,
  steps: ReadonlyMap<string, readonly Step[]>,
  most: number,
): Iterable<Relative> {
  const found = new Map<string, Relative>();
  let frontier = [start];
  for (let depth = 1; depth <= most && frontier.length > 0; depth++) {
    const next: string[] = [];
    for (const here of frontier)
      for (const { to, relation } of steps.get(here) ?? []) {
        if (to === start || found.has(to)) continue;
        found.set(to, { id: to, depth, relation });
        next.push(to);
      }
    frontier = next;
  }
  return found.values();
}
