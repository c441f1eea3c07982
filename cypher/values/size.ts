import type { CypherValue } from '../value.js';
import { isList, isMap } from './kinds.js';

const REFERENCE = 8;
const HEADER = 16;

/**
 * Bytes that a value keeps, about, for memory limits. Elements count as references: a graph holds them anyway. Lists
 * and maps count with all that is in them, also what they share.
 */
export function sizeOf(value: CypherValue): number {
  if (typeof value === 'string') return HEADER + 2 * value.length;
  if (typeof value !== 'object' || value === null) return HEADER;
  if (isList(value)) {
    let size = HEADER + REFERENCE * value.length;
    for (const item of value) size += sizeOf(item);
    return size;
  }
  if (isMap(value)) {
    let size = HEADER;
    for (const [key, item] of value) size += 2 * key.length + 4 * REFERENCE + sizeOf(item);
    return size;
  }
  return value.kind === 'path'
    ? HEADER + REFERENCE * (value.nodes.length + value.relationships.length)
    : REFERENCE;
}
