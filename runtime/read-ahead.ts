import type { PathData } from './path.js';

/** At most so many queued locations are read ahead for at once. */
const MOST_AT_ONCE = 16_384;
/** The scan of the queue ends after so many locations in a row that were read ahead for before. */
const KNOWN_IN_A_ROW = 64;

/** What a path expression is evaluated to, which decides what has to be read for it. */
export type ReadKind = 'nodes' | 'edges' | 'pairs' | 'ids';

/** A location that waits in the queue; null: one that the running ability is not for. */
export type Waiting = { readonly id: string } | null;

/**
 * Which locations a walk has read ahead for, by the shape of the path (object-spatial.md section 13, rule 2): the
 * first location with a shape reads it for all that wait, the others find it read. Predicate values are no part of
 * a shape: where they differ from location to location, adjacency is read ahead all the same.
 */
export class ReadAhead {
  readonly #known = new Map<string, Set<string>>();
  #epoch = 0;

  /**
   * The waiting locations for which `path`, which starts at `here`, is to be read together with it; none where
   * it was read ahead for `here` before.
   *
   * @param epoch Changes when the run forgets what it has read.
   */
  with(
    here: string,
    path: PathData,
    kind: ReadKind,
    waiting: (at: number) => Waiting | undefined,
    epoch: number,
  ): string[] {
    if (epoch !== this.#epoch) this.#known.clear();
    this.#epoch = epoch;
    const known = this.#of(shapeOf(path, kind));
    if (known.has(here)) return [];
    known.add(here);
    const ids: string[] = [];
    let knownInARow = 0;
    for (let at = 0; ids.length < MOST_AT_ONCE && knownInARow < KNOWN_IN_A_ROW; at++) {
      const location = waiting(at);
      if (location === undefined) break;
      if (location === null) continue;
      if (known.has(location.id)) {
        knownInARow++;
        continue;
      }
      knownInARow = 0;
      known.add(location.id);
      ids.push(location.id);
    }
    return ids;
  }

  #of(shape: string): Set<string> {
    const known = this.#known.get(shape);
    if (known) return known;
    const made = new Set<string>();
    this.#known.set(shape, made);
    return made;
  }
}

function shapeOf({ hops }: PathData, kind: ReadKind): string {
  let shape: string = kind;
  for (const { direction, edge, edgeWhere, node, nodeWhere } of hops) {
    shape += `\n${direction} ${edge?.name ?? ''} ${node?.name ?? ''}`;
    for (const { field, op } of edgeWhere) shape += ` ${op} ${field}`;
    shape += ' of';
    for (const { field, op } of nodeWhere) shape += ` ${op} ${field}`;
  }
  return shape;
}
