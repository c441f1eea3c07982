import { stripHidden } from '../present/index.js';
import { compareText } from '../runtime/index.js';

/** Characters of a message that are looked at, and its lines: below them stand stack traces and logs. */
const LOOKED_AT = 1000;
const LINES = 3;
/** Longest fingerprint, and name of a test in one: its end distinguishes it. */
const LONGEST = 200;
const LONGEST_TEST = 120;

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
 * What two failures of one cause have in common: the first lines of a message without numbers, paths, ids and
 * times, behind the name of the failing test (of several the first by name).
 * @returns null where nothing is left that distinguishes failures.
 * @example fingerprintOf("/a/b.ts:12:3 - error TS2304: Cannot find name 'x'.") // "{path} - error ts{n}: cannot find name 'x'."
 */
export function fingerprintOf(message: string, tests: readonly string[] = []): string | null {
  const text = plainMessage(message);
  // Numbers stay: tests of one name with other numbers are others.
  const plain = (name: string) => stripHidden(name).toLowerCase().replace(/\s+/gu, ' ').trim();
  const first = tests.map((name) => plain(name).slice(-LONGEST_TEST)).sort(compareText)[0];
  if (first === undefined || first === '') return text;
  return (text === null ? first : `${first}: ${text}`).slice(0, LONGEST).trim();
}

function plainMessage(message: string, keepNumbers = false): string | null {
  const lines = stripHidden(message.slice(0, LOOKED_AT))
    .split('\n')
    .filter((line) => line.trim() !== '');
  let text = lines.slice(0, LINES).join(' ').toLowerCase();
  for (const [pattern, instead] of keepNumbers ? VARYING.slice(0, -1) : VARYING)
    text = text.replace(pattern, instead);
  text = text.replace(/\s+/gu, ' ').trim().slice(0, LONGEST).trim();
  return /\p{L}/u.test(text.replace(/\{\w+\}/gu, '')) ? text : null;
}

const LABEL = /^\s*(?:E\s{2,}|[→✘×●] |=> |(?:Output|stdout|stderr): +|(?:FAILED|ERROR) \S.*? - )/u;
/** The place of an error before it, and its class, code or level: in a plain message. */
const PLACE_BEFORE =
  /^(?:\{path\}(?:[:(]\{n\}[:,{}n]*\)?)?:? (?:- )?|[\w.-]+\.[a-z]{1,5}(?:[:(]\{n\}[:,{}n]*\)?)?:? (?:- )?(?=[a-z.]*(?:error|exception)\b|[a-z]{1,4}\{n\}: ))/u;
const CLASS_BEFORE =
  /^(?:uncaught |(?:fatal )?error(?:\[e\{n\}\])? ?(?:ts\{n\})?: |(?:npm|pnpm) (?:err!|error) |[a-z_][\w.$]*(?:error|exception|warning|failure|failed|interrupt|exit|panic)(?: \[\w+\])?: |panic(?:ked)?: |[a-z]{1,4}\{n\}: )/u;
/** Words of which a message consists that only says that something failed. */
const GENERIC =
  /^(?:\W|\d|\b(?:n|a|the|with|in|of|to|errors?|err|fail|failed|failures?|exit|exited|code|status|process|command|npm|pnpm|yarn|make|tests?|test suite|script|returned|completed|finished|lifecycle|elifecycle|none|run|runs|see|above|build|task|execution|non|zero|found|problems?|warnings?)\b)*$/u;

/**
 * {@link fingerprintOf} without the place and the error's class before it.
 * @param keepNumbers Whether messages that differ in a number differ.
 * @returns null where the message only says that something failed.
 * @example reasonKey("AssertionError: expected 3 to be 4") === reasonKey("E   expected 5 to be 6") // "expected {n} to be {n}"
 */
export function reasonKey(reason: string, keepNumbers = false): string | null {
  let text = plainMessage(reason.replace(LABEL, ''), keepNumbers)?.replace(PLACE_BEFORE, '') ?? '';
  // `Error: TypeError: …`, and no deeper.
  for (let times = 0; times < 3; times++) text = text.replace(CLASS_BEFORE, '');
  return GENERIC.test(text.replace(/\{\w+\}/gu, '')) ? null : text.trim();
}

/** How long a test took, after its name: `(3 ms)`, `0.12s`. */
const DURATION = /(?<!\s)\s*\(?\b\d+(?:\.\d+)?\s?m?s\)?$/u;
/** The module, class or package before a test's own name: headings and summaries of one run differ in it. */
const OWNER = /^(?:[^\s[(]*(?:::|\\)|(?:[\w$/-]+\.)+(?=\w+(?:[[(/]|$))|[\w:]+#)/u;
const LONGEST_NAME = 300;

/** What names one test: with suites and parameters (`suite > case`, `test_x[1]`), without parameters, without suites. */
export type TestKeys = Readonly<Record<'name' | 'whole' | 'leaf', string>>;

/**
 * What names one test in every spelling of its runner: without file, class, package and duration, `>` between
 * suites.
 * @param file As the name may begin with it; null: unknown.
 * @returns null where it is no name.
 * @example testKeys('a.py::TestDate::test_leap[a::b]', null) // { name: 'test_leap[a::b]', whole: 'test_leap', leaf: 'test_leap[a::b]' }
 */
export function testKeys(name: string, file: string | null): TestKeys | null {
  const full = name.replace(DURATION, '').replace(/ > $/u, '').trim();
  if (full === '' || full.length > LONGEST_NAME) return null;
  const parts = full.split(/(?<!\s)\s+[>›]\s+/u);
  const [first = ''] = parts;
  if (parts.length > 1 && (first === file || /^[^\s:]*[\w/]\.[a-z]\w{0,4}$/u.test(first))) parts.shift();
  const joined =
    parts.length > 1 ? parts.join(' > ') : (parts[0] ?? '').replace(OWNER, '').replace(/\(\)$/u, '');
  if (joined === '') return null;
  const leaf = parts.length > 1 ? (parts.at(-1) ?? '') : joined;
  const ends = ['[', ' with data set ', ...(joined.endsWith(')') ? ['('] : [])]
    .map((mark) => joined.indexOf(mark, 1))
    .filter((at) => at > 0);
  return { name: joined, whole: joined.slice(0, Math.min(joined.length, ...ends)).trim(), leaf };
}
