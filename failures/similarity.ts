import { isWithin, plainPath, verificationOf } from './commands.js';
import { reasonKey, type TestKeys, testKeys } from './fingerprint.js';
import { isTestFile } from './output.js';
import type { Failure } from './parse.js';

/*
 * What failed is compared as a set, by a Jaccard index that weighs tests by their rarity: the share of all that failed in
 * either. A measure that forgives the larger set finds every big breakage similar.
 */

/** The share of the score that tests have where the question names some; the rest is the text. */
const TESTS = 0.8;
/** What a run that stopped early takes from the share of its tests, where the other run names many more. */
const START_DOUBT = 0.4;
const REASONS = 0.5;
/** Words that a message needs to tell one cause from another, if nothing in it is a name or quoted. */
const DISTINCTIVE_WORDS = 4;
/** What assertion libraries and interpreters say of any value. */
const STOCK = new Set(
  (
    'assert assertion expected received actual to be not have been equal equals strictly deeply strict deep true false null none nil undefined nan ' +
    'is in of the a an and or with at least most but got was were called times time times contain contains include included match matches length ' +
    'object objects has no attribute attributes cannot read properties property reading type types str int float list dict tuple bool string number ' +
    'array function functions value values error errors exception index out range iterable unpack supported between instances subscriptable callable are failed failure fails ' +
    'missing required positional argument arguments takes given key keys snapshot mismatched same than greater less unexpected raise raised did throw thrown for from by id path n time address it that this maximum recursion depth exceeded call stack size usage options file dir see more help unrecognized asymmetric matcher didn but equality'
  ).split(' '),
);

/** Characters of a question that may name a test in words. */
const LONGEST_WORDS = 300;

/** A test that failed, as it is compared. */
export interface TestTerm extends TestKeys {
  readonly said: string;
  /** Its file, as the output spells it; null: none. */
  readonly file: string | null;
  /** Key of its message; null: unknown, or it says only that something failed. */
  readonly reason: string | null;
  /** The class of its error: `KeyError`; null: unknown. */
  readonly kind: string | null;
}

/** What a failure is compared by. */
export interface FailureTerms {
  readonly tests: readonly TestTerm[];
  /** Keys of all messages, those of tests too. */
  readonly reasons: ReadonlySet<string>;
  /** The same with their numbers. */
  readonly exact: ReadonlySet<string>;
  /** How many failed, at least as many as are named; null: unknown. */
  readonly count: number | null;
  readonly stopped: boolean;
  /** Test files and folders that the command named; empty: all were run, or it is not known. */
  readonly scope: readonly string[];
}

/** Takes a parsed failure apart. */
export function failureTerms(failure: Failure, scope: readonly string[] = []): FailureTerms {
  const { tests, reasons, reason, counts, stopped } = failure;
  const terms = tests.flatMap(({ name, file, reason: why }): TestTerm[] => {
    const keys = testKeys(name, file);
    const reason = why === null ? null : reasonKey(why);
    return keys ? [{ said: name, file, ...keys, reason, kind: kindIn(why ?? '') }] : [];
  });
  const own = [...tests.flatMap((test) => test.reason ?? []), ...reasons];
  const said = own.length > 0 ? own : [reason];
  return {
    tests: terms,
    reasons: new Set(said.flatMap((one) => reasonKey(one) ?? [])),
    exact: new Set(said.flatMap((one) => reasonKey(one, true) ?? [])),
    count: counts === null ? null : Math.max(counts.failed, tests.length),
    stopped,
    scope,
  };
}

/** The class of error that a text names first. */
function kindIn(text: string): string | null {
  return /\b\p{Lu}\w{0,80}(?:Error|Exception)\b/u.exec(text)?.[0] ?? null;
}

/**
 * The tests that one line of words names with the class of their error, `KeyError in test_login`: no output has it so, and it
 * is as good evidence as one. Empty where it does not name both.
 */
export function namedTests(words: string): readonly TestTerm[] {
  const kind = words.length > LONGEST_WORDS || words.includes('\n') ? null : kindIn(words);
  const names = kind === null ? [] : (words.match(/[\w./:[\]-]{1,200}/gu) ?? []);
  return names.flatMap((said): TestTerm[] => {
    const keys = /test/iu.test(said) && said !== kind ? testKeys(said, null) : null;
    return keys ? [{ said, file: null, ...keys, reason: null, kind }] : [];
  });
}

/** Files and folders of tests that a command names; empty: all, or it is not known. */
export function scopeOf(command: string | null): readonly string[] {
  const run = command === null ? null : verificationOf(command);
  return run?.kind === 'test' ? run.paths.map((path) => path.split('::')[0] ?? path) : [];
}

/** Whether a message by its key says enough to tell causes apart: `assert False` does not. */
export function isDistinctive(reason: string): boolean {
  const plain = reason.replace(/\{\w+\}|\bexpect\([^()]{0,40}\)[.\w]*(?:\([^()]{0,40}\))?/gu, ' ');
  const words = plain.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  const own = words.filter(
    (word) => word.length > 2 && !STOCK.has(word) && !/(?:error|exception|exit|type|warning)$/u.test(word),
  );
  if (own.length >= DISTINCTIVE_WORDS) return true;
  return own.length >= 1 && (words.length >= 3 || own.length === words.length);
}

/** How much the name of a failing test says: the rarer, the more. At least 0. */
export type TestWorth = (name: string) => number;

/** Compares what failed, why, and in what words (`said`, 0 to 1). @returns null where nothing is shared. */
export function similarity(asked: FailureTerms, known: FailureTerms, worth: TestWorth, said: number) {
  const shown: Shown = [shownOf(asked, known), shownOf(known, asked)];
  // Of other tests a stock message says nothing.
  const isBare = asked.tests.length === 0 && known.tests.length === 0;
  const weight = (reason: string) => (isBare && !isDistinctive(reason) ? 0 : 1);
  const reasons = shareOf(asked.reasons, known.reasons, shown, weight);
  const text = asked.reasons.size === 0 ? said : REASONS * reasons + (1 - REASONS) * said;
  const keyOf = testKey(asked, known);
  const byName = new Map(asked.tests.map((test) => [keyOf(test), test]));
  const tests = known.tests.filter((test) => byName.has(keyOf(test)));
  const ofTests = () => testsShare(asked, known, shown, worth);
  const score = asked.tests.length === 0 ? text : TESTS * ofTests() + (1 - TESTS) * text;
  if (score <= 0) return null;
  return {
    score,
    tests,
    /** Those that failed for the same reason. */
    sameTests: tests.filter(
      (test) => test.reason !== null && byName.get(keyOf(test))?.reason === test.reason,
    ),
    reasons: [...asked.reasons].filter((reason) => known.reasons.has(reason)),
  };
}

/** What names a test in two failures: some lists of a runner leave out the suites. */
function testKey(a: FailureTerms, b: FailureTerms): (test: TestKeys) => string {
  const isBare = [...a.tests, ...b.tests].some(({ name, leaf }) => name === leaf);
  return isBare ? ({ leaf }) => leaf : ({ name }) => name;
}

type Shown = readonly [number, number];

/** Whether an output names only what failed first: the runner stopped there, or the text is cut before its summary. */
function isStart(run: FailureTerms, other: FailureTerms): boolean {
  return run.stopped || (run.count === null && other.count !== null);
}

/** What share of all that failed an output names; of a start, as if the other one were all of it. */
function shownOf(run: FailureTerms, other: FailureTerms): number {
  const named = run.tests.length;
  const all = isStart(run, other) ? (other.count ?? other.tests.length) : (run.count ?? named);
  return named > 0 && all > named ? named / all : 1;
}

/** What share of the failing tests is the same: a start is compared with what failed first in the other. */
function testsShare(a: FailureTerms, b: FailureTerms, shown: Shown, worth: TestWorth) {
  const most = Math.min(isStart(a, b) ? a.tests.length : Infinity, isStart(b, a) ? b.tests.length : Infinity);
  const keysOf = (run: FailureTerms, { scope }: FailureTerms) =>
    new Set(inScope(run.tests, scope).slice(0, most).map(testKey(a, b)));
  if (!Number.isFinite(most)) return shareOf(keysOf(a, b), keysOf(b, a), shown, worth);
  const counts = [a, b].map(({ count, tests }) => count ?? tests.length);
  const doubt = START_DOUBT * (1 - Math.min(...counts) / (Math.max(...counts) || 1));
  return (1 - doubt) * shareOf(keysOf(a, b), keysOf(b, a), [1, 1], worth);
}

/** Of tests that only one of two commands ran nothing is known. */
function inScope(tests: readonly TestTerm[], scope: readonly string[]): readonly TestTerm[] {
  const isIn = (file: string) =>
    scope.some((path) => isWithin(file, plainPath(path)) || file.endsWith(`/${path}`));
  return tests.filter(({ file }) => scope.length === 0 || file === null || !isTestFile(file) || isIn(file));
}

function shareOf(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
  [ofA, ofB]: Shown,
  worth: TestWorth = () => 1,
): number {
  const sum = (things: Iterable<string>) => [...things].reduce((all, thing) => all + worth(thing), 0);
  const [wholeA, wholeB] = [sum(a) / ofA, sum(b) / ofB];
  const shared = sum([...a].filter((thing) => b.has(thing)));
  const both = Math.min(shared / Math.min(ofA, ofB), wholeA, wholeB);
  const either = wholeA + wholeB - both;
  return either > 0 ? both / either : 0;
}
