import type { Span } from '../ast.js';
import { syntaxError } from '../cypher-error.js';

const NUMBER =
  /0x[0-9a-fA-F]+|0o[0-7]+|(?:[0-9]+\.[0-9]+|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|[0-9]+/y;
const GLUED = /[\p{ID_Continue}\p{Pc}]+/uy;
const LARGEST = 2n ** 63n - 1n;

/**
 * Where the number that begins at `start` ends. A dot belongs to it only when a digit follows, so that `1..3` is a
 * range.
 *
 * @throws CypherError `InvalidNumberLiteral` where letters or more digits are glued to it.
 */
export function readNumber(text: string, start: number): { kind: 'integer' | 'float'; end: number } {
  NUMBER.lastIndex = start;
  const found = NUMBER.exec(text)?.[0] ?? '';
  const end = start + found.length;
  GLUED.lastIndex = end;
  const glued = GLUED.exec(text)?.[0] ?? '';
  if (glued !== '' || /^0[0-9]+$/.test(found)) {
    const span = { start, end: end + glued.length };
    throw syntaxError(text, span, 'InvalidNumberLiteral', 'this is not a number');
  }
  return { kind: /^0[xo]/.test(found) || !/[.eE]/.test(found) ? 'integer' : 'float', end };
}

/**
 * The value of an integer as written.
 *
 * @param negative Whether a minus stands in front, which belongs to it only for the smallest of all.
 * @throws CypherError `IntegerOverflow` where 64 bits do not hold it.
 */
export function integerValue(text: string, span: Span, written: string, negative: boolean): bigint {
  // A number of a megabyte would take its time.
  const value = written.length > 64 ? LARGEST + 2n : BigInt(written);
  if (value > LARGEST + (negative ? 1n : 0n))
    throw syntaxError(text, span, 'IntegerOverflow', 'this integer does not fit in 64 bits');
  return negative ? -value : value;
}

/**
 * The value of a float as written.
 *
 * @throws CypherError `FloatingPointOverflow` where it would be infinite.
 */
export function floatValue(text: string, span: Span, written: string): number {
  const value = Number(written);
  if (!Number.isFinite(value))
    throw syntaxError(text, span, 'FloatingPointOverflow', 'this float is larger than any that can be held');
  return value;
}
