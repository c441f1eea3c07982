import { rarity } from '../../../search/index.js';
import type { FailedRun } from './failed-run.js';
import type { Worths } from './run-likeness.js';

/** Which attempts failed with which tests, and how many with which reasons and words. */
export class FailureCounts {
  readonly #attempts = new Set<string>();
  readonly #tests = new Map<string, Set<string>>();
  readonly #reasons = new Map<string, Set<string>>();
  readonly #words = new Map<string, number>();

  /** Attempts in which a test failed, by its own name or by what it is a case of. */
  failedWith(test: string): ReadonlySet<string> {
    return this.#tests.get(test) ?? NOBODY;
  }

  /** Attempts that failed for a reason. */
  failedFor(reason: string): ReadonlySet<string> {
    return this.#reasons.get(reason) ?? NOBODY;
  }

  /** How many attempts failed with a word in the lines that tell it. */
  failedSaying(word: string): number {
    return this.#words.get(word) ?? 0;
  }

  /** All tests that failed, by their own names and by what they are cases of. */
  tests(): IterableIterator<string> {
    return this.#tests.keys();
  }

  /** All reasons for which anything failed. */
  reasons(): IterableIterator<string> {
    return this.#reasons.keys();
  }

  /** How much a thing tells that so many of the attempts that failed have. */
  worth(having: number): number {
    return rarity(this.#attempts.size, having);
  }

  /** How much tests, reasons and words tell: the fewer of the attempts that failed have them, the more. */
  worths(): Worths {
    const byCount: number[] = [];
    const worth = (having: number) => {
      byCount[having] ??= this.worth(having);
      return byCount[having];
    };
    return {
      test: (name) => worth(this.failedWith(name).size),
      reason: (reason) => worth(this.failedFor(reason).size),
      word: (word) => worth(this.failedSaying(word)),
    };
  }

  /** Takes in what failed in an attempt. */
  add(attempt: string, runs: Iterable<FailedRun>): void {
    const { tests, reasons, words } = thingsOf(runs);
    if (tests.size + reasons.size + words.size > 0) this.#attempts.add(attempt);
    for (const test of tests) addTo(this.#tests, test, attempt);
    for (const reason of reasons) addTo(this.#reasons, reason, attempt);
    for (const word of words) count(this.#words, word, 1);
  }

  /** Takes out what {@link add} took in. */
  remove(attempt: string, runs: Iterable<FailedRun>): void {
    const { tests, reasons, words } = thingsOf(runs);
    this.#attempts.delete(attempt);
    for (const test of tests) removeFrom(this.#tests, test, attempt);
    for (const reason of reasons) removeFrom(this.#reasons, reason, attempt);
    for (const word of words) count(this.#words, word, -1);
  }
}

/** All that failed in some runs, each once. */
function thingsOf(runs: Iterable<FailedRun>) {
  const things = { tests: new Set<string>(), reasons: new Set<string>(), words: new Set<string>() };
  for (const { tests, reasons, words } of runs) {
    for (const { name, whole } of tests) things.tests.add(name).add(whole);
    for (const reason of reasons) things.reasons.add(reason);
    for (const word of words) things.words.add(word);
  }
  return things;
}

function addTo(attempts: Map<string, Set<string>>, thing: string, attempt: string): void {
  const failed = attempts.get(thing);
  if (failed) failed.add(attempt);
  else attempts.set(thing, new Set([attempt]));
}

function removeFrom(attempts: Map<string, Set<string>>, thing: string, attempt: string): void {
  const failed = attempts.get(thing);
  failed?.delete(attempt);
  if (failed?.size === 0) attempts.delete(thing);
}

function count(counts: Map<string, number>, thing: string, change: 1 | -1): void {
  const having = (counts.get(thing) ?? 0) + change;
  if (having > 0) counts.set(thing, having);
  else counts.delete(thing);
}

const NOBODY: ReadonlySet<string> = new Set();
