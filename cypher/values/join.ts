import { LIMITS } from '../../schema/index.js';
import type { Span } from '../ast.js';
import type { CypherError } from '../cypher-error.js';
import type { CypherValue } from '../value.js';
import { valueFault } from './faults.js';
import { isList } from './kinds.js';
import { floatText } from './text.js';

/** A list with a list, or with one element at an end. */
export function joinedLists(left: CypherValue, right: CypherValue, span: Span): readonly CypherValue[] {
  const size = (isList(left) ? left.length : 1) + (isList(right) ? right.length : 1);
  requireListSize(size, span);
  if (!isList(left)) return isList(right) ? [left, ...right] : [left, right];
  return isList(right) ? left.concat(right) : left.concat([right]);
}

/** A text with a text, a number or a truth; null where neither side is a text or one side has no text. */
export function joinedText(left: CypherValue, right: CypherValue, span: Span): string | null {
  if (typeof left !== 'string' && typeof right !== 'string') return null;
  const [start, end] = [joinable(left), joinable(right)];
  if (start === null || end === null) return null;
  requireTextLength(start.length + end.length, span);
  return start + end;
}

function joinable(value: CypherValue): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return floatText(value);
  return typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : null;
}

/** Refuses a list that is too long for one value. */
export function requireListSize(size: number | bigint, span: Span): void {
  if (size > LIMITS.cypherListItems.max) {
    throw tooLarge(`A list of ${size} items`, `${LIMITS.cypherListItems.max} items`, span);
  }
}

/** Refuses a text that is too long for one value. */
export function requireTextLength(length: number, span: Span): void {
  if (length > LIMITS.cypherTextLength.max) {
    throw tooLarge(`A text of ${length} characters`, `${LIMITS.cypherTextLength.max} characters`, span);
  }
}

function tooLarge(what: string, most: string, span: Span): CypherError {
  return valueFault('Limit', 'ValueTooLarge', `${what} is more than one value may have: ${most}.`, span);
}
