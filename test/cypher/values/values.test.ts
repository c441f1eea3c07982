import { describe, expect, it } from 'vitest';
import type { CypherValue } from '../../../cypher/index.js';
import {
  compare,
  equals,
  floatText,
  isIn,
  keyOfAll,
  literalText,
  order,
  sizeOf,
} from '../../../cypher/values/index.js';

const _AT = { start: 0, end: 1 };
const map = (entries: Record<string, CypherValue>) => new Map(Object.entries(entries));

describe('equality', () => {
  const table: [left: CypherValue, right: CypherValue, same: boolean | null][] = [
    [1n, 1, true],
    [1n, 1.5, false],
    [9007199254740993n, 9007199254740992, false],
    [Number.NaN, Number.NaN, false],
    [1n, '1', false],
    [null, null, null],
    [[1n, null], [1n, 2n], null],
    [[1n, null], [2n, 2n], false],
    [[1n], [1n, null], false],
    [[], [], true],
    [map({}), map({ k: null }), false],
    [map({ k: null }), map({ k: null }), null],
    [map({ k: 1n }), map({ k: 1 }), true],
    [map({ k: 1n }), map({ l: 1n }), false],
    [[], map({}), false],
    [false, null, null],
  ];
  it.each(table)('of %s and %s is %s', (left, right, same) => {
    expect(equals(left, right)).toBe(same);
    expect(equals(right, left)).toBe(same);
  });

  it('makes IN unknown only where a null could decide it', () => {
    expect(isIn(null, [])).toBe(false);
    expect(isIn(3n, [1n, null, 3])).toBe(true);
    expect(isIn(4n, [1n, null, 3n])).toBe(null);
    expect(isIn([1n, 2n], [[null, 2n]])).toBe(null);
    expect(isIn([1n, 2n], [[null, 'a']])).toBe(false);
  });
});

describe('comparison', () => {
  const table: [left: CypherValue, right: CypherValue, way: number | null][] = [
    [1n, 1.5, -1],
    [2.5, 2n, 1],
    [9007199254740993n, 9007199254740992, 1],
    ['a', 'b', -1],
    ['1', 1n, null],
    [Number.NaN, 1n, Number.NaN],
    [Number.NaN, 'a', null],
    [false, true, -1],
    [[1n, 0n], [1n], 1],
    [[1n, null], [1n], 1],
    [[1n, 2n], [1n, null], null],
    [[1n, 2n], [3n, null], -1],
    [map({}), map({}), null],
    [null, 1n, null],
  ];
  it.each(table)('of %s with %s is %s', (left, right, way) => {
    expect(compare(left, right)).toBe(way);
  });
});

describe('the order of all values', () => {
  const sorted: CypherValue[] = [
    map({}),
    map({ a: 1n }),
    [],
    [1n],
    [1n, 2n],
    [1n, null],
    'A',
    'a',
    'b',
    false,
    true,
    Number.NEGATIVE_INFINITY,
    -1n,
    0.5,
    1n,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    null,
  ];

  it('is total, and the same from both sides', () => {
    sorted.forEach((left, i) => {
      sorted.forEach((right, j) => {
        expect(Math.sign(order(left, right))).toBe(Math.sign(i - j));
      });
    });
  });

  it('keeps keys of several values apart', () => {
    expect(keyOfAll(['a', 'b'])).not.toBe(keyOfAll(['ab', '']));
    expect(keyOfAll([1n, '1'])).not.toBe(keyOfAll(['1', 1n]));
    expect(keyOfAll([1n, null])).toBe(keyOfAll([1, null]));
  });
});

describe('texts of values', () => {
  it.each([
    [1, '1.0'],
    [-0, '-0.0'],
    [2.3, '2.3'],
    [1e7, '1.0E7'],
    [1.25e-4, '1.25E-4'],
    [1234567.5, '1234567.5'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ])('of %s is %s', (value, text) => {
    expect(floatText(value)).toBe(text);
  });

  it('read back as what they are', () => {
    expect(literalText([1n, 1, "it's", map({ 'a b': null, c: true })])).toBe(
      "[1, 1.0, 'it\\'s', {`a b`: null, c: true}]",
    );
  });

  it('cost what they keep', () => {
    expect(sizeOf('x'.repeat(1000))).toBeGreaterThan(2000);
    expect(sizeOf([['x'.repeat(1000)]])).toBeGreaterThan(2000);
  });
});
