import type { FailedRun } from './failed-run.js';
import { type FailingTest, testNamed } from './failing-names.js';
import { reasonOf, reasonsOf } from './failure-text.js';
import type { NearFailures } from './near-failures.js';

/*
 * Who asks in own words says little, and all of it counts: "test_nested fails with TypeError", or a message that was
 * copied. It is no output of which a part is missing, so it is looked for as it stands: names of tests that are known
 * or look like it, messages that are known (whole, or how they begin) or look like it, and types of exceptions.
 */

/** Longer questions are outputs, or tasks. */
const LONGEST = 600;
const MOST_LINES = 6;
/** Tails of one line that are looked for as a message. */
const MOST_TAILS = 8;
/** Words that a message must have to tell itself from others: whole, whole with an exception's type; a beginning has one more. */
const FEWEST_WORDS = { plain: 3, typed: 2, begun: 1 };

/** A message by its exception, wherever it stands. */
const MESSAGE = /\b\w*(?:Error|Exception|Warning)\b(?:\[\w+\])?: \S/u;
const TYPE = /\b\p{Lu}\w*(?:Error|Exception|Warning)\b/gu;
/** Where a message may begin inside a line: behind a label. */
const LABELLED = /(?::| -) +/gu;
/** What no word of prose has. */
const IDENTIFIER = /[_[]|::|\p{Ll}\p{Lu}/u;
const TEST = /^(?:test_|Test[_\p{Lu}]|test\p{Lu})|_test$/u;
const FILE = /\.\p{Ll}{1,4}$/u;
/** The last part of a path. */
const PATH = /[\\/]([\w.@+-]+)(?![\\/\w.@+-])/gu;
/** What stands around a name in prose. */
const AROUND = /^[("'`]+|(?<![)"'`,.:;!?]|^[("'`]*)[)"'`,.:;!?]+$/gu;
/** Titles of tests are prose, too: they are meant where failures are talked of. */
const FAILS = /\b(?:fail\w*|error|broken|breaks?|throws?|tests?)\b/iu;

/** A message in a question. */
export interface NamedMessage {
  /** The reasons on record that it may be; none where nobody met it. */
  readonly reasons: ReadonlySet<string>;
  /** Names of the files in it, which reasons are without. */
  readonly files: readonly string[];
}

/** What a question in words names of a failure; one of `tests` and `messages` at least. */
export interface NamedFailure {
  /** Each under all its known names, and what it is a case of. */
  readonly tests: readonly { readonly names: ReadonlySet<string>; readonly whole: string | null }[];
  readonly messages: readonly NamedMessage[];
  /** Types of exceptions that no message is told of, in lower case. */
  readonly types: readonly string[];
}

/** Whether a question is in somebody's own words: short, and nothing that a runner summed up. */
export function isInWords(query: string, asked: FailedRun): boolean {
  return query.length <= LONGEST && linesOf(query).length <= MOST_LINES && asked.count === null;
}

/** What may be names of tests in a question, as {@link namedFailure} reads them. */
export function maybeTests(query: string): readonly FailingTest[] {
  return query.split(/\s+/u).flatMap((word) => {
    const bare = word.replace(AROUND, '');
    return FILE.test(bare) || !IDENTIFIER.test(bare) ? [] : (testNamed(bare, null) ?? []);
  });
}

/**
 * Reads what a question in words names; null where it names no failure.
 *
 * @param known What failed in the attempts whose failures are most like it.
 */
export function namedFailure(query: string, asked: FailedRun, known: NearFailures): NamedFailure | null {
  const tests = [...testsIn(query, asked.tests, known), ...titlesIn(query, known)];
  const messages: NamedMessage[] = [];
  const types = new Set<string>();
  for (const line of linesOf(query)) {
    const reasons = saidIn(line, known);
    const files = [...line.matchAll(PATH)].flatMap(([, file]) => file ?? []);
    if (reasons.size > 0 || reasonsOf(line).size > 0 || MESSAGE.test(line)) messages.push({ reasons, files });
    else for (const [type] of line.matchAll(TYPE)) types.add(type.toLowerCase());
  }
  return tests.length + messages.length > 0 ? { tests, messages, types: [...types] } : null;
}

function linesOf(query: string): string[] {
  return query.split('\n').filter((line) => line.trim() !== '');
}

function testsIn(query: string, printed: readonly FailingTest[], known: NearFailures) {
  const tests = new Map(printed.map((test) => [test.name, test]));
  for (const word of query.split(/\s+/u)) {
    const bare = word.replace(AROUND, '');
    const test = FILE.test(bare) || !IDENTIFIER.test(bare) ? null : testNamed(bare, null);
    if (!test) continue;
    const { name, whole } = test;
    const isKnown = known.failedWith(name).size + known.failedWith(whole).size > 0;
    if (isKnown || TEST.test(whole) || bare.includes('::')) tests.set(name, test);
  }
  return [...tests.values()].map(({ name, whole }) => ({ names: new Set([name]), whole }));
}

/** Known tests whose names have spaces: by their whole name, or by its last part. */
function titlesIn(query: string, known: NearFailures) {
  const titles = new Map<string, Set<string>>();
  for (const name of known.tests()) {
    if (!name.includes(' ')) continue;
    const title = name.slice(name.lastIndexOf(' > ') + 1).replace(/^> /u, '');
    const isMeant = FAILS.test(query) || query.trim() === title;
    if (!query.includes(name) && !(isMeant && query.includes(title) && tells(title.toLowerCase(), 0)))
      continue;
    titles.set(title, (titles.get(title) ?? new Set()).add(name));
  }
  return [...titles.values()].map((names) => ({ names, whole: null }));
}

/**
 * The reasons on record that a line tells: it has one of them in it, or a part of it is one, or how one begins, or the
 * line is what stands behind a label of one. Not both: behind their labels unlike errors are alike (`x: not found`).
 */
function saidIn(line: string, known: NearFailures): ReadonlySet<string> {
  const plain = line.trim().replace(/(?:…|\.{3})$/u, '');
  const bare = /^(["'`])((?:(?!\1).)*)\1$/u.exec(plain)?.[2] ?? plain;
  const starts = [0, ...[...bare.matchAll(LABELLED)].map(({ index, 0: label }) => index + label.length)];
  const parts = starts.slice(0, MOST_TAILS).flatMap((at) => reasonOf(bare.slice(at)) ?? []);
  const whole = reasonOf(bare);
  const said = new Set<string>();
  for (const reason of known.reasons())
    if (
      (whole !== null && tells(reason, 0) && hasPart(whole, reason)) ||
      parts.some((part) => isToldBy(reason, part, part === whole))
    )
      said.add(reason);
  return said;
}

/** Whether a part of a line is a reason, or how one begins. @param inside Whether it may stand behind a label of it. */
function isToldBy(reason: string, part: string, inside: boolean): boolean {
  const at = reason.indexOf(part);
  if (at < 0 || (at > 0 && !(inside && /(?::| -) $/u.test(reason.slice(0, at))))) return false;
  return tells(part, at + part.length === reason.length ? 0 : FEWEST_WORDS.begun);
}

function hasPart(line: string, reason: string): boolean {
  const at = line.indexOf(reason);
  if (at < 0) return false;
  return (
    !/[\p{L}\p{N}_]$/u.test(line.slice(0, at)) && !/^[\p{L}\p{N}_]/u.test(line.slice(at + reason.length))
  );
}

/** Whether a message says enough to be told from others. @param more Words that it needs beyond the fewest. */
function tells(message: string, more: number): boolean {
  const words = message.replace(/\{\w+\}/gu, ' ').match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  const isTyped = words.some((word) => /.(?:error|exception|warning)$/u.test(word));
  return words.length >= (isTyped ? FEWEST_WORDS.typed : FEWEST_WORDS.plain) + more;
}
