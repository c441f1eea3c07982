import type { AdjacencyEntry } from '../storage/index.js';
import type { HopDirection } from './path.js';

/**
 * The order in which a hop sees a node's edges when they come from several records: canonical types first, by
 * their canonical keys (out-edges before in-edges where a hop takes both), then creation types by their
 * numbers; ties by type and far id, never by stored key (design.md section 2).
 */
export function hopOrder(direction: HopDirection) {
  return (a: AdjacencyEntry, b: AdjacencyEntry): number => {
    const aCanonical = isCanonical(a);
    if (aCanonical !== isCanonical(b)) return aCanonical ? -1 : 1;
    if (!aCanonical) return a.seq - b.seq || compareText(a.edgeType, b.edgeType) || compareText(a.far, b.far);
    if (direction === 'any' && a.outgoing !== b.outgoing) return a.outgoing ? -1 : 1;
    const inwards = direction === 'in' || (direction === 'any' && !a.outgoing);
    const place = position(a, 'line') - position(b, 'line') || position(a, 'column') - position(b, 'column');
    return inwards
      ? compareText(a.far, b.far) || place || compareText(a.edgeType, b.edgeType)
      : place || compareText(a.edgeType, b.edgeType) || compareText(a.far, b.far);
  };
}

/** Compares strings by UTF-16 code units: the same on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Only edges of creation types have numbers: so it is known of types that are not loaded, too. */
function isCanonical(entry: AdjacencyEntry): boolean {
  return entry.seq === 0;
}

function position(entry: AdjacencyEntry, field: 'line' | 'column'): number {
  const value = entry.props[field];
  return typeof value === 'number' ? value : 0;
}
