import { orderInstants } from '../temporal/index.js';
import type { CypherValue } from '../value.js';
import { isInstant, isList } from './kinds.js';

/**
 * How two values stand for `<`, `<=`, `>`, `>=`: below, at or above 0; NaN where a NaN takes part, since then none of
 * the four holds; null where they cannot be compared (a null, or two kinds that are not both numbers; maps, nodes,
 * relationships, paths and durations at all, instants of two kinds). Lists by their first elements that differ; a list comes before what continues it.
 */
export function compare(left: CypherValue, right: CypherValue): number | null {
  switch (typeof left) {
    case 'bigint':
    case 'number':
      if (typeof right !== 'bigint' && typeof right !== 'number') return null;
      return compareNumbers(left, right);
    case 'string':
      if (typeof right !== 'string') return null;
      return left === right ? 0 : left < right ? -1 : 1;
    case 'boolean':
      return typeof right === 'boolean' ? Number(left) - Number(right) : null;
  }
  if (isInstant(left))
    return isInstant(right) && left.kind === right.kind ? orderInstants(left, right) : null;
  if (left === null || right === null || !isList(left) || !isList(right)) return null;
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const way = compare(left[index] ?? null, right[index] ?? null);
    if (way !== 0) return way;
  }
  return left.length - right.length;
}

/** Exact also where an INTEGER is too long for a FLOAT. */
function compareNumbers(left: bigint | number, right: bigint | number): number {
  if (left < right) return -1;
  if (left > right) return 1;
  return Number.isNaN(left) || Number.isNaN(right) ? Number.NaN : 0;
}
