import { isDeepStrictEqual } from 'node:util';
import type { Predicate } from './path.js';

/** Whether every predicate holds for the properties. A missing property reads as null. */
export function holdsAll(
  predicates: readonly Predicate[],
  props: Readonly<Record<string, unknown>>,
): boolean {
  for (const predicate of predicates) {
    if (!holds(predicate, props[predicate.field] ?? null)) return false;
  }
  return true;
}

function holds({ op, value }: Predicate, actual: unknown): boolean {
  switch (op) {
    case 'eq':
      return same(actual, value);
    case 'ne':
      return !same(actual, value);
    case 'in':
      return Array.isArray(value) && value.some((item) => same(actual, item));
    case 'lt':
      return compare(actual, value, (a, b) => a < b);
    case 'lte':
      return compare(actual, value, (a, b) => a <= b);
    case 'gt':
      return compare(actual, value, (a, b) => a > b);
    case 'gte':
      return compare(actual, value, (a, b) => a >= b);
  }
}

function same(a: unknown, b: unknown): boolean {
  return a === (b ?? null) || (typeof a === 'object' && a !== null && isDeepStrictEqual(a, b));
}

/** Values are ordered only within their kind: a string against a number is neither less nor more. */
function compare(a: unknown, b: unknown, test: (a: number | string, b: number | string) => boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return test(a, b);
  return typeof a === 'string' && typeof b === 'string' && test(a, b);
}
