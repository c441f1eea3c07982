import { stripHidden } from '../../present/index.js';
import { compareText } from '../../runtime/index.js';

/** Characters of a message that are looked at: what tells failures apart stands at the beginning. */
const LOOKED_AT = 1000;
/** Lines that count: below them stand stack traces and logs. */
const LINES = 3;
/** Longest name of a test in a fingerprint: its end tells it from others. */
const LONGEST_TEST = 120;
const LONGEST = 200;

/** What differs from one run to the next, and what stands for it; in this order. */
const VARYING: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu, '{id}'],
  [/\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/giu, '{time}'],
  [/\b0x[0-9a-f]+\b/giu, '{address}'],
  // URLs and paths, with the line and column behind them.
  [/\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s'"`)\]}>,;]+/giu, '{path}'],
  [
    /(?:(?<![\w.@~+-])|(?<=[:(,]\d{1,9}\)?)|(?=\b[a-z]:))(?:\b[a-z]:)?[\w.@~+-]*(?:[\\/][\w.@~+-]+)+[\\/]?(?:[:(]\d+(?:[:,]\d+)?\)?)?/giu,
    '{path}',
  ],
  [/\b(?<=(?:(?<![\w-])|:\d{1,9})-{0,20})[\w-]+\.[a-z]{1,5}(?::\d+){1,2}\b/giu, '{path}'],
  // Hashes: hexadecimal with a digit in it, so that no word is one.
  [/\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/giu, '{id}'],
  [/\d+(?:[.,]\d+)*/gu, '{n}'],
];

/**
 * What two failures of one cause have in common: the first lines of a message without numbers, paths, addresses,
 * ids and times, in lower case with single spaces, at most 200 characters. Equal for the same failure on another
 * day, line or machine; what is quoted in it (a name, a type) stays, for it says what failed.
 *
 * Two failures of tests are the same when the same test fails in the same way: many tests fail with one message
 * ("expected true to be false"), and one test may fail for many reasons. Of several tests the first by name stands for
 * all: runners print them in any order, and fewer of them fail as the work goes on.
 *
 * @param tests Names of the tests that failed.
 * @returns null where nothing is left that could tell one failure from another.
 * @example fingerprintOf("/a/b.ts:12:3 - error TS2304: Cannot find name 'x'.") // "{path} - error ts{n}: cannot find name 'x'."
 */
export function fingerprintOf(message: string, tests: readonly string[] = []): string | null {
  const said = plainMessage(message);
  const first = tests.map(plainTest).sort(compareText)[0];
  if (first === undefined || first === '') return said;
  return (said === null ? first : `${first}: ${said}`).slice(0, LONGEST).trim();
}

/** Numbers stay: tests of one name with other numbers are others. */
function plainTest(name: string): string {
  return stripHidden(name).toLowerCase().replace(/\s+/gu, ' ').trim().slice(-LONGEST_TEST);
}

function plainMessage(message: string): string | null {
  const lines = stripHidden(message.slice(0, LOOKED_AT))
    .split('\n')
    .filter((line) => line.trim() !== '');
  let text = lines.slice(0, LINES).join(' ').toLowerCase();
  for (const [pattern, instead] of VARYING) text = text.replace(pattern, instead);
  text = text.replace(/\s+/gu, ' ').trim().slice(0, LONGEST).trim();
  return /\p{L}/u.test(text.replace(/\{\w+\}/gu, '')) ? text : null;
}
