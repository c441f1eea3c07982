import { temporalText } from '../temporal/index.js';
import type { CypherValue } from '../value.js';
import { isDuration, isInstant, isList, isMap } from './kinds.js';

/** What a JavaScript `Map` or `Set` may hold in place of a value. */
export type ValueKey = string | number | bigint | boolean | null;

/** Stands before every key that is not a plain value, and before a string that starts with it. */
const MARK = '\u0000';

/**
 * A key that two values share exactly where DISTINCT and grouping see one value: null with null, NaN with NaN, 1 with
 * 1.0, lists and maps by what is in them, elements and paths by what they are.
 */
export function keyOf(value: CypherValue): ValueKey {
  switch (typeof value) {
    case 'string':
      return value.startsWith(MARK) ? `${MARK}${value}` : value;
    case 'bigint':
      return value >= SMALLEST_SAFE && value <= LARGEST_SAFE ? Number(value) : value;
    case 'number':
      return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'boolean':
      return value;
  }
  return value === null ? null : MARK + textKey(value);
}

/** One key for several values in their order. */
export function keyOfAll(values: readonly CypherValue[]): ValueKey {
  if (values.length === 1) return keyOf(values[0] ?? null);
  let key = '';
  for (const value of values) key += textKey(value);
  return key;
}

const LARGEST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const SMALLEST_SAFE = BigInt(Number.MIN_SAFE_INTEGER);

/** A text that ends where it says it does, so that texts one after another stay apart. */
function textKey(value: CypherValue): string {
  switch (typeof value) {
    case 'string':
      return `${value.length}:${value}`;
    case 'bigint':
      return `#${value};`;
    case 'number':
      return Number.isInteger(value) ? `#${BigInt(value)};` : `#${value};`;
    case 'boolean':
      return value ? 't' : 'f';
  }
  if (value === null) return '-';
  if (isList(value)) return `[${value.map(textKey).join('')}]`;
  if (isMap(value)) {
    const entries = [...value].sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${entries.map(([key, item]) => textKey(key) + textKey(item)).join('')}}`;
  }
  if (isInstant(value) || isDuration(value)) return `@${value.kind}${temporalText(value)};`;
  if (value.kind === 'path') {
    return `p${value.nodes.map(textKey).join('')}${value.relationships.map(textKey).join('')};`;
  }
  return `${value.kind === 'node' ? 'n' : 'r'}${value.key};`;
}
