import type { z } from 'zod';
import { CodewalkError } from './errors.js';

/** Characters of a value that an error repeats. */
const LONGEST_VALUE = 60;
/** Types in the words of people. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
};
/** How zod's own messages begin: those that a schema gives are shown as they are. */
const DEFAULT = /^(?:Invalid |Too (?:small|big): |Unrecognized key)/u;
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const UNFIT = 'it has another form than it must have';

type Issue = z.core.$ZodIssue;

/**
 * A zod error in plain words, its issues joined by semicolons: `content is missing`, `tags[0]: expected text, got a
 * number`.
 *
 * @param given What was checked: its offending values are named. Default: they are not.
 */
export function issuesText(error: z.ZodError, given?: unknown): string {
  return error.issues
    .map((issue) => {
      const path = pathText(issue.path);
      if (isMissing(issue, given)) return `${path || 'it'} is missing`;
      return path === '' ? issueText(issue) : `${path}: ${issueText(issue)}${valueText(issue.path, given)}`;
    })
    .join('; ');
}

/**
 * The error of an input that does not fit.
 *
 * @param name The walker's.
 * @param fields All that there are: named where one is missing or not known.
 * @param given What the caller gave. Default: what was checked.
 */
export function wrongInput(
  name: string,
  error: z.ZodError,
  fields: readonly string[],
  checked: unknown,
  given: unknown = checked,
): CodewalkError {
  const isOfFields = error.issues.some(
    (issue) => issue.code === 'unrecognized_keys' || isMissing(issue, checked),
  );
  const all = `Its fields are: ${[...new Set(fields)].join(', ') || 'none'}.`;
  return new CodewalkError('INVALID_INPUT', `${name}: ${issuesText(error, checked)}`, {
    input: given,
    suggestion: isOfFields ? all : '',
  });
}

function isMissing(issue: Issue, given: unknown): boolean {
  // Of words and unions zod does not say what it got.
  const isAbsent = given !== undefined && issue.path.length > 0 && valueAt(issue.path, given) === undefined;
  return DEFAULT.test(issue.message) && (isAbsent || receivedIn(issue) === 'undefined');
}

/** `tags[0].name` */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`))
    .join('');
}

/** ` (given: 6)`; empty where there is no value. */
function valueText(path: readonly PropertyKey[], given: unknown): string {
  const text = textOf(valueAt(path, given));
  if (text === undefined) return '';
  return ` (given: ${text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text})`;
}

function valueAt(path: readonly PropertyKey[], given: unknown): unknown {
  return path.reduce<unknown>((at, key) => Object(at)[key], given);
}

/** What is wrong with one value, without its name. */
export function issueText(issue: Issue): string {
  if (!DEFAULT.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
    case 'invalid_union':
      return expectedText(issue);
    case 'too_small':
      return sizeText(issue.origin, issue.inclusive ? 'at least' : 'more than', 'fewer', issue.minimum);
    case 'too_big':
      return sizeText(issue.origin, issue.inclusive ? 'at most' : 'less than', 'more', issue.maximum);
    case 'unrecognized_keys':
      return `there is no field '${issue.keys.join("', '")}'`;
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues.map(issueText).join(', ');
    default:
      return UNFIT;
  }
}

function sizeText(origin: string, bound: string, beyond: string, size: number | bigint): string {
  if (origin === 'string') return size === 1 ? 'it is empty' : `it has ${beyond} than ${size} characters`;
  return origin === 'array' ? `it has ${beyond} than ${size} entries` : `it is ${bound} ${size}`;
}

function expectedText(issue: Issue): string {
  const expected = [...new Set(expectedIn(issue))];
  if (expected.length === 0) return UNFIT;
  const received = receivedIn(issue);
  // What is no whole number shows that itself.
  const got = received === null || expected.includes(TYPES.int ?? '') ? '' : `, got ${typeText(received)}`;
  return `expected ${OR.format(expected)}${got}`;
}

/** What may stand there: of a union all that its parts take. */
function expectedIn(issue: Issue): string[] {
  if (issue.code === 'invalid_type') return [typeText(issue.expected)];
  if (issue.code === 'invalid_value') return issue.values.map(String);
  return issue.code === 'invalid_union' ? issue.errors.flat().flatMap(expectedIn) : [];
}

/** The type that was given, which only zod's message says; null where it does not. */
function receivedIn(issue: Issue): string | null {
  if (issue.code === 'invalid_union') return issue.errors.flat().map(receivedIn)[0] ?? null;
  return /received (\S+)$/u.exec(issue.message)?.[1] ?? null;
}

function typeText(type: string): string {
  return TYPES[type] ?? type;
}

/** As JSON; undefined where there is nothing, or nothing that JSON could say. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
