import { expect, test } from 'vitest';
import { CodewalkError, shortened } from '../../schema/index.js';

test('what is short is shown as it is', () => {
  const input = { a: [1, 'two', null, true], b: { c: 'd' } };
  expect(shortened(input)).toEqual(input);
  expect(shortened(null)).toBeNull();
});

test('what is long ends in how much more there was', () => {
  expect(shortened({ ['k'.repeat(1001)]: 1 })).toEqual({ [`${'k'.repeat(1000)}… (1 more characters)`]: 1 });
  expect(shortened('x'.repeat(1005))).toBe(`${'x'.repeat(1000)}… (5 more characters)`);
  expect(shortened(Array(60).fill(1))).toEqual([...Array(50).fill(1), '… (10 more items)']);
  const wide = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, at]));
  expect(Object.entries(shortened(wide) as object).at(-1)).toEqual(['…', '… (1 more fields)']);
});

test('an error stays small, whatever it was given', () => {
  const nest = (depth: number): unknown => (depth === 0 ? 'x'.repeat(5000) : Array(60).fill(nest(depth - 1)));
  const error = new CodewalkError('INVALID_INPUT', 'm'.repeat(10_000_000), { input: { deep: nest(3) } });
  expect(JSON.stringify(error.toBody()).length).toBeLessThan(50_000);
});
