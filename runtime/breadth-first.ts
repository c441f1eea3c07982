import { append } from '../schema/index.js';
import { compareIds as compareText } from '../storage/index.js';

/** One step of a search: from a node of the frontier to a node that it leads to. */
export interface Hop {
  readonly from: string;
  readonly to: string;
  /** A whole number, at least 1. Default 1. */
  readonly cost?: number;
}

/** How far a search goes. */
export interface SearchBounds {
  /** The largest distance. Default: none. */
  readonly maxDepth?: number;
  /** No frontier is followed once so many nodes are reached. Default: none. */
  readonly maxNodes?: number;
}

/** What a search reached: each node once, nearest first; at one distance in the order of the hops. */
export class Reached<H extends Hop = Hop> {
  readonly #starts: ReadonlySet<string>;
  readonly #found: ReadonlyMap<string, { readonly distance: number; readonly hop: H }>;
  /** Whether `maxNodes` ended the search. */
  readonly truncated: boolean;

  constructor(
    starts: ReadonlySet<string>,
    found: ReadonlyMap<string, { readonly distance: number; readonly hop: H }>,
    truncated: boolean,
  ) {
    this.#starts = starts;
    this.#found = found;
    this.truncated = truncated;
  }

  /** A start is among them only where a hop leads to one. */
  get ids(): string[] {
    return [...this.#found.keys()];
  }

  /** The sum of the costs of the cheapest way; undefined: the node was not reached. */
  distance(id: string): number | undefined {
    return this.#found.get(id)?.distance;
  }

  /** The last hop of that way. */
  hop(id: string): H | undefined {
    return this.#found.get(id)?.hop;
  }

  /** That way: the node first, a start last. Of several the one whose nodes have the smallest ids. */
  path(id: string): string[] {
    const path = [id];
    for (let hop = this.hop(id); hop; hop = this.#starts.has(hop.from) ? undefined : this.hop(hop.from))
      path.push(hop.from);
    return path;
  }
}

/**
 * Searches a graph breadth first. A node is followed once, at its shortest distance; the whole frontier is read in one
 * call, so a search costs as many reads as it has distances.
 *
 * @param hopsOf The hops out of some nodes, which come sorted by id, in the order of these nodes.
 */
export async function breadthFirst<H extends Hop>(
  starts: Iterable<string>,
  hopsOf: (frontier: readonly string[], distance: number) => Promise<Iterable<H>>,
  { maxDepth = Number.POSITIVE_INFINITY, maxNodes = Number.POSITIVE_INFINITY }: SearchBounds = {},
): Promise<Reached<H>> {
  const begun = new Set(starts);
  const found = new Map<string, { distance: number; hop: H }>();
  const waiting = new Map<number, H[]>();
  let frontier = [...begun].sort(compareText);
  for (let distance = 0; distance < maxDepth && found.size < maxNodes; distance++) {
    for (const hop of frontier.length === 0 ? [] : await hopsOf(frontier, distance)) {
      const at = distance + (hop.cost ?? 1);
      append(waiting, at, hop);
    }
    if (waiting.size === 0) return new Reached(begun, found, false);
    frontier = [];
    for (const hop of waiting.get(distance + 1) ?? []) {
      if (found.has(hop.to)) continue;
      found.set(hop.to, { distance: distance + 1, hop });
      if (!begun.has(hop.to)) frontier.push(hop.to);
    }
    waiting.delete(distance + 1);
    frontier.sort(compareText);
  }
  return new Reached(begun, found, found.size >= maxNodes);
}
