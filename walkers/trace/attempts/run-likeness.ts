import type { FailedRun } from './failed-run.js';
import type { FailingTest } from './failing-names.js';

/*
 * A failure is alike when the same failed for the same reason. What failed is compared as a set: a change that breaks
 * three of the twenty tests that another broke is another change. So it is the share of all that failed in either
 * (Jaccard), each by its rarity; a measure that forgives the larger set finds every big breakage alike.
 */

/** What the tests weigh where both name some: single cases, and what they are cases of; the rest is the text. */
const CASES = 0.7;
const WHOLES = 0.1;
/** What the reasons weigh within the text; the rest are its telling words. */
const REASONS = 0.5;

/** How much a test, a reason or a word tells: the rarer, the more. */
export type Worth = (thing: string) => number;

/** Of what kinds of things the worth is asked. */
export interface Worths {
  readonly test: Worth;
  readonly reason: Worth;
  readonly word: Worth;
}

/** How alike two failing outputs are, from 0 to 1. */
export interface RunLikeness {
  readonly score: number;
  /** The share of the reasons of either that both have. */
  readonly reasons: number;
}

/** Compares what failed, why, and in what words. */
export function runLikeness(asked: FailedRun, known: FailedRun, worths: Worths): RunLikeness {
  const shown: Shown = [shownOf(asked, known), shownOf(known, asked)];
  const reasons = shareOf(asked.reasons, known.reasons, worths.reason, shown);
  const words = shareOf(asked.words, known.words, worths.word, shown);
  const text = REASONS * reasons + (1 - REASONS) * words;
  if (asked.tests.length === 0) return { score: text, reasons };
  const { cases, wholes } = testsShare(asked, known, worths.test, shown);
  return { score: CASES * cases + WHOLES * wholes + (1 - CASES - WHOLES) * text, reasons };
}

/** What share of two outputs there is, each from above 0 to 1. */
type Shown = readonly [number, number];

/** Whether an output names only what failed first: the runner stopped there, or the text is cut before its summary. */
function isStart(run: FailedRun, other: FailedRun): boolean {
  return run.stopped || (run.count === null && other.count !== null);
}

/** What share of all that failed an output names; of a start, as if the other one were all of it. */
function shownOf(run: FailedRun, other: FailedRun): number {
  const named = run.tests.length;
  const all = isStart(run, other) ? (other.count ?? other.tests.length) : (run.count ?? named);
  return named > 0 && all > named ? named / all : 1;
}

/**
 * What share of the failing tests is the same, as far as both could tell: of tests that only one of them ran nothing is
 * known; a start is compared with what failed first in the other; where an output names only a part of what failed, the
 * rest is taken to be like it.
 */
function testsShare(a: FailedRun, b: FailedRun, worth: Worth, shown: Shown) {
  const most = Math.min(isStart(a, b) ? a.tests.length : Infinity, isStart(b, a) ? b.tests.length : Infinity);
  const ofA = inScope(a.tests, b.scope).slice(0, most);
  const ofB = inScope(b.tests, a.scope).slice(0, most);
  const names = (tests: readonly FailingTest[]) => new Set(tests.map(({ name }) => name));
  const wholes = (tests: readonly FailingTest[]) => new Set(tests.map(({ whole }) => whole));
  return {
    cases: shareOf(names(ofA), names(ofB), worth, Number.isFinite(most) ? WHOLE : shown),
    wholes: shareOf(wholes(ofA), wholes(ofB), worth, WHOLE),
  };
}

function inScope(tests: readonly FailingTest[], scope: readonly string[]): readonly FailingTest[] {
  if (scope.length === 0) return tests;
  return tests.filter(({ file }) => file === null || scope.some((path) => isIn(file, path)));
}

function isIn(file: string, path: string): boolean {
  return file === path || file.endsWith(`/${path}`) || file.startsWith(`${path.replace(/[/\\]$/u, '')}/`);
}

/** Jaccard's share of two sets by worth. @param shown What share of each set is there. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>, worth: Worth, [ofA, ofB]: Shown): number {
  let both = 0;
  let wholeA = 0;
  let wholeB = 0;
  for (const thing of a) {
    const counts = worth(thing);
    wholeA += counts;
    if (b.has(thing)) both += counts;
  }
  for (const thing of b) wholeB += worth(thing);
  wholeA /= ofA;
  wholeB /= ofB;
  both = Math.min(both / Math.min(ofA, ofB), wholeA, wholeB);
  const either = wholeA + wholeB - both;
  return either > 0 ? both / either : 0;
}

const WHOLE: Shown = [1, 1];
