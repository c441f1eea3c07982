import { describe, expect, it } from 'vitest';
import type { CypherValue } from '../../../cypher/index.js';
import { compare, equals, keyOf, literalText, order } from '../../../cypher/values/index.js';
import { randomFrom } from '../../storage/scratch.js';
import { EXAMPLE } from '../evaluate.js';

const PLAIN: readonly CypherValue[] = [
  ...[null, true, false, '', 'a', 'b', '\u0000', 0n, 1n, -1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n],
  ...[0, -0, 1, -1.5, 2 ** 53, 2 ** 63, Number.NaN, Number.POSITIVE_INFINITY, ...Object.values(EXAMPLE)],
];

function values(count: number): CypherValue[] {
  const next = randomFrom(7);
  const any = (depth: number): CypherValue => {
    const kind = depth === 0 ? 0 : next();
    const parts = () => Array.from({ length: Math.floor(next() * 3) }, () => any(depth - 1));
    if (kind < 0.5) return PLAIN[Math.floor(next() * PLAIN.length)] ?? null;
    return kind < 0.8
      ? parts()
      : new Map(parts().map((part, index) => [next() < 0.5 ? `${index}` : 'k', part]));
  };
  return Array.from({ length: count }, () => any(3));
}

describe('for all values', () => {
  const all = values(300);
  const pairs = all.flatMap((left) => all.map((right) => [left, right] as const));
  const broken = (holds: (left: CypherValue, right: CypherValue) => boolean) =>
    pairs
      .filter(([left, right]) => !holds(left, right))
      .map(([left, right]) => `${literalText(left)} and ${literalText(right)}`);

  it('the order is the same from both sides, and runs in one direction', () => {
    expect(broken((left, right) => Math.sign(order(left, right)) === -Math.sign(order(right, left)))).toEqual(
      [],
    );
    const sorted = all.toSorted(order);
    const wrong = sorted.filter((value, index) =>
      sorted.slice(index).some((later) => order(value, later) > 0),
    );
    expect(wrong.map(literalText)).toEqual([]);
  });

  it('two have one key exactly where the order tells them not apart', () => {
    const keys = new Map(all.map((value) => [value, keyOf(value)]));
    const sameKey = (left: CypherValue, right: CypherValue) =>
      new Set([keys.get(left), keys.get(right)]).size === 1;
    expect(broken((left, right) => sameKey(left, right) === (order(left, right) === 0))).toEqual([]);
  });

  it('what is equal has one place in the order, and what is less comes before', () => {
    expect(broken((left, right) => equals(left, right) !== true || order(left, right) === 0)).toEqual([]);
    expect(
      broken((left, right) => {
        const way = compare(left, right);
        return way === null || Number.isNaN(way) || Math.sign(way) === Math.sign(order(left, right));
      }),
    ).toEqual([]);
  });

  it('equality is the same from both sides', () => {
    expect(broken((left, right) => equals(left, right) === equals(right, left))).toEqual([]);
  });
});
