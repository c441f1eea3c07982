import {
  type AdjacencyEntry,
  compareCanonicalIn,
  compareCanonicalOut,
  compareCreation,
  type Direction,
} from '../storage/index.js';
import type { HopDirection } from './path.js';

/** The adjacency that a hop looks at. */
export const DIRECTIONS = { out: ['out'], in: ['in'], any: ['out', 'in'] } as const satisfies Record<
  HopDirection,
  readonly Direction[]
>;

/**
 * The order in which a hop sees a node's edges when they come from several records: canonical types first
 * (out-edges before in-edges where a hop takes both), then creation types; within each the order in which the
 * store keeps them, so that a merge never tells another order than a single record.
 */
export function hopOrder(direction: HopDirection) {
  return (a: AdjacencyEntry, b: AdjacencyEntry): number => {
    const aCanonical = isCanonical(a);
    if (aCanonical !== isCanonical(b)) return aCanonical ? -1 : 1;
    if (!aCanonical) return compareCreation(a, b);
    if (direction === 'any' && a.outgoing !== b.outgoing) return a.outgoing ? -1 : 1;
    const inwards = direction === 'in' || (direction === 'any' && !a.outgoing);
    return inwards ? compareCanonicalIn(a, b) : compareCanonicalOut(a, b);
  };
}

/** Only edges of creation types have numbers: so it is known of types that are not loaded, too. */
function isCanonical(entry: AdjacencyEntry): boolean {
  return entry.seq === 0;
}
