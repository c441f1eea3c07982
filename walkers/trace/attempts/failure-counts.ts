import { rarity } from '../../../search/index.js';
import type { FailedRun } from './failed-run.js';
import type { Worths } from './run-likeness.js';

/** Which attempts failed with which tests, and how many with which reasons and words. */
export class FailureCounts {
  readonly #attempts = new Set<string>();
  readonly #tests = new Map<string, Set<string>>();
  readonly #reasons = new Map<string, number>();
  readonly #words = new Map<string, number>();

  /** Attempts in which a test failed, by its own name or by what it is a case of. */
  failedWith(test: string): ReadonlySet<string> {
    return this.#tests.get(test) ?? NOBODY;
  }

  /** How much tests, reasons and words tell: the fewer of the attempts that failed have them, the more. */
  worths(): Worths {
    const byCount: number[] = [];
    const worth = (having: number) => {
      byCount[having] ??= rarity(this.#attempts.size, having);
      return byCount[having];
    };
    return {
      test: (name) => worth(this.failedWith(name).size),
      reason: (reason) => worth(this.#reasons.get(reason) ?? 0),
      word: (word) => worth(this.#words.get(word) ?? 0),
    };
  }

  /** Takes in what failed in an attempt. */
  add(attempt: string, runs: Iterable<FailedRun>): void {
    const { tests, reasons, words } = thingsOf(runs);
    if (tests.size + reasons.size + words.size > 0) this.#attempts.add(attempt);
    for (const test of tests) {
      const failed = this.#tests.get(test);
      if (failed) failed.add(attempt);
      else this.#tests.set(test, new Set([attempt]));
    }
    for (const reason of reasons) count(this.#reasons, reason, 1);
    for (const word of words) count(this.#words, word, 1);
  }

  /** Takes out what {@link add} took in. */
  remove(attempt: string, runs: Iterable<FailedRun>): void {
    const { tests, reasons, words } = thingsOf(runs);
    this.#attempts.delete(attempt);
    for (const test of tests) {
      const failed = this.#tests.get(test);
      failed?.delete(attempt);
      if (failed?.size === 0) this.#tests.delete(test);
    }
    for (const reason of reasons) count(this.#reasons, reason, -1);
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

function count(counts: Map<string, number>, thing: string, change: 1 | -1): void {
  const having = (counts.get(thing) ?? 0) + change;
  if (having > 0) counts.set(thing, having);
  else counts.delete(thing);
}

const NOBODY: ReadonlySet<string> = new Set();
