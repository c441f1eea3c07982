import { LIMITS } from '../../schema/index.js';
import type { CypherValue } from '../value.js';
import { isList, isMap } from './kinds.js';

const REFERENCE = 8;
const HEADER = 16;
/** Nobody asks how much more than this a value takes. */
const ENOUGH = LIMITS.cypherMemory.default;

/**
 * Bytes that a value keeps, about, for memory limits. Elements count as references: a graph holds them anyway. Lists
 * and maps count with all that is in them, also what they share: one that holds itself twice over, sixty times, would
 * take for ever to count, so counting ends where it is more than a query may have.
 */
export function sizeOf(value: CypherValue): number {
  if (typeof value === 'string') return HEADER + 2 * value.length;
  if (typeof value !== 'object' || value === null) return HEADER;
  if (isList(value)) {
    let size = HEADER + REFERENCE * value.length;
    for (const item of value) {
      size += sizeOf(item);
      if (size > ENOUGH) break;
    }
    return size;
  }
  if (isMap(value)) {
    let size = HEADER;
    for (const [key, item] of value) {
      size += 2 * key.length + 4 * REFERENCE + sizeOf(item);
      if (size > ENOUGH) break;
    }
    return size;
  }
  return value.kind === 'path'
    ? HEADER + REFERENCE * (value.nodes.length + value.relationships.length)
    : REFERENCE;
}

/** Looking once at as many characters, or items of a list, costs about as much as one item of a loop. */
const CHARACTERS_PER_ITEM = 16;
const MEMBERS_PER_ITEM = 8;

/** What looking once at a value costs, in items of a loop; 0 for what is short. */
export function workOf(value: CypherValue): number {
  if (typeof value === 'string') return Math.floor(value.length / CHARACTERS_PER_ITEM);
  return typeof value === 'object' && value !== null && isList(value)
    ? Math.floor(value.length / MEMBERS_PER_ITEM)
    : 0;
}

/** Whether a value has others in it, which may be shared. */
export function isMadeOfOthers(value: CypherValue): boolean {
  return typeof value === 'object' && value !== null && (isList(value) || isMap(value));
}
