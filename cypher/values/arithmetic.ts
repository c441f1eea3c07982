import type { Span } from '../ast.js';
import { durationSum, later } from '../temporal/index.js';
import type { CypherValue } from '../value.js';
import { outOfRange, shown, valueFault } from './faults.js';
import { joinedLists, joinedText } from './join.js';
import { isDuration, isInstant, isList, isNumber } from './kinds.js';

/** Largest INTEGER. */
export const LARGEST_INTEGER = 2n ** 63n - 1n;
/** Smallest INTEGER. */
export const SMALLEST_INTEGER = -(2n ** 63n);

/** `+`. Null with anything is null. It joins texts and lists too: a text with a number or truth, a list with an element at either end. */
export function add(left: CypherValue, right: CypherValue, span: Span): CypherValue {
  if (typeof left === 'bigint' && typeof right === 'bigint') return checked(left + right, span);
  if (left === null || right === null) return null;
  if (isNumber(left) && isNumber(right)) return Number(left) + Number(right);
  if (isList(left) || isList(right)) return joinedLists(left, right, span);
  const text = joinedText(left, right, span);
  if (text !== null) return text;
  if (isDuration(left) && isInstant(right)) return later(right, left, 1);
  return moved('+', left, right, span);
}

/** `-`. */
export function subtract(left: CypherValue, right: CypherValue, span: Span): CypherValue {
  if (typeof left === 'bigint' && typeof right === 'bigint') return checked(left - right, span);
  if (left === null || right === null) return null;
  if (isNumber(left) && isNumber(right)) return Number(left) - Number(right);
  return moved('-', left, right, span);
}

/** A duration added to, or taken from, an instant or a duration. */
function moved(operator: '+' | '-', left: CypherValue, right: CypherValue, span: Span): CypherValue {
  const sign = operator === '+' ? 1 : -1;
  if (isInstant(left) && isDuration(right)) return later(left, right, sign);
  if (!isDuration(left) || !isDuration(right)) throw unfit(operator, left, right, span);
  return durationSum(left, right, sign, (message) => outOfRange('ArithmeticError', message, span));
}

/** `*`. */
export function multiply(left: CypherValue, right: CypherValue, span: Span): CypherValue {
  if (typeof left === 'bigint' && typeof right === 'bigint') return checked(left * right, span);
  if (left === null || right === null) return null;
  if (isNumber(left) && isNumber(right)) return Number(left) * Number(right);
  throw unfit('*', left, right, span);
}

/** `/`: between INTEGERs cut towards zero; FLOATs know no division by zero. */
export function divide(left: CypherValue, right: CypherValue, span: Span): CypherValue {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if (right === 0n) throw byZero(span);
    return checked(left / right, span);
  }
  if (left === null || right === null) return null;
  if (isNumber(left) && isNumber(right)) return Number(left) / Number(right);
  throw unfit('/', left, right, span);
}

/** `%`: the rest has the sign of the left side. */
export function modulo(left: CypherValue, right: CypherValue, span: Span): CypherValue {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    if (right === 0n) throw byZero(span);
    return left % right;
  }
  if (left === null || right === null) return null;
  if (isNumber(left) && isNumber(right)) return Number(left) % Number(right);
  throw unfit('%', left, right, span);
}

/** `^`: always a FLOAT. */
export function power(left: CypherValue, right: CypherValue, span: Span): CypherValue {
  if (left === null || right === null) return null;
  if (isNumber(left) && isNumber(right)) return Number(left) ** Number(right);
  throw unfit('^', left, right, span);
}

/** `-x`. */
export function negate(value: CypherValue, span: Span): CypherValue {
  if (typeof value === 'bigint') return checked(-value, span);
  if (typeof value === 'number') return -value;
  if (value === null) return null;
  throw valueFault(
    'TypeError',
    'InvalidArgumentType',
    `- takes a number, and was given ${shown(value)}.`,
    span,
  );
}

/** `+x`. */
export function affirm(value: CypherValue, span: Span): CypherValue {
  if (value === null || isNumber(value)) return value;
  throw valueFault(
    'TypeError',
    'InvalidArgumentType',
    `+ takes a number, and was given ${shown(value)}.`,
    span,
  );
}

/** An INTEGER that fits into 64 bits, or an error. */
export function checked(value: bigint, span: Span): bigint {
  if (value >= SMALLEST_INTEGER && value <= LARGEST_INTEGER) return value;
  throw outOfRange('ArithmeticError', 'The result does not fit into a 64-bit INTEGER.', span);
}

function byZero(span: Span) {
  return valueFault('ArithmeticError', 'DivisionByZero', 'An INTEGER is divided by zero.', span);
}

function unfit(operator: string, left: CypherValue, right: CypherValue, span: Span) {
  const wanted = operator === '+' ? 'numbers, texts or lists' : 'numbers';
  return valueFault(
    'TypeError',
    'InvalidArgumentType',
    `${operator} takes ${wanted}, and was given ${shown(left)} and ${shown(right)}.`,
    span,
  );
}
