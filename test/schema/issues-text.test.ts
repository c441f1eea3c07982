import { expect, it } from 'vitest';
import { z } from 'zod';
import { issuesText } from '../../schema/index.js';

/** What is said of a value that does not fit. */
function textOf(shape: z.ZodRawShape, value: unknown): string {
  return issuesText(z.strictObject(shape).safeParse(value).error as z.ZodError, value);
}

it.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'it is missing'],
  [z.enum(['a', 'b']), undefined, 'it is missing'],
  [z.union([z.string(), z.number()]), undefined, 'it is missing'],
  [z.array(z.string()), [5], 'it[0]: expected text, got a number (given: 5)'],
  [z.record(z.string(), z.unknown()), [], 'it: expected an object, got a list (given: [])'],
  [z.boolean(), 'no', 'it: expected true or false, got text (given: "no")'],
  [z.number().int(), 1.5, 'it: expected a whole number (given: 1.5)'],
  [z.number().min(1), 0, 'it: it is at least 1 (given: 0)'],
  [z.number().gt(1), 1, 'it: it is more than 1 (given: 1)'],
  [z.string().min(1), '', 'it: it is empty (given: "")'],
  [z.string().max(2), 'abc', 'it: it has more than 2 characters (given: "abc")'],
  [z.array(z.string()).max(1), ['a', 'b'], 'it: it has more than 1 entries (given: ["a","b"])'],
  [z.enum(['a', 'b', 'c']), 'd', 'it: expected a, b or c (given: "d")'],
  [z.union([z.string(), z.number()]), [], 'it: expected text or a number, got a list (given: [])'],
  [z.object({ deep: z.object({ x: z.string() }) }), { deep: {} }, 'it.deep.x is missing'],
  [z.string().regex(/^a/u), 'b', 'it: it has another form than it must have (given: "b")'],
  [z.string('say it in words'), 1, 'it: say it in words (given: 1)'],
])('says in plain words what does not fit (%#)', (schema, value, text) => {
  expect(textOf({ it: schema }, value === undefined ? {} : { it: value })).toBe(text);
});

it('names fields that there are not, and what is no object', () => {
  expect(textOf({}, { foo: 1 })).toBe("there is no field 'foo'");
  expect(textOf({}, [])).toBe('expected an object, got a list');
});
