import type { AttemptFailures } from './stored/records.js';

/** What failed in some attempts, those that are nearest to a question: by test and by reason. */
export class NearFailures {
  readonly attempts: ReadonlyMap<string, AttemptFailures>;
  readonly #tests = new Map<string, Set<string>>();
  readonly #reasons = new Map<string, Set<string>>();

  constructor(attempts: ReadonlyMap<string, AttemptFailures>) {
    this.attempts = attempts;
    for (const [id, { runs, told }] of attempts)
      for (const { tests, reasons } of [...runs.values(), ...told.values()]) {
        for (const { name, whole } of tests) {
          addTo(this.#tests, name, id);
          addTo(this.#tests, whole, id);
        }
        for (const reason of reasons) addTo(this.#reasons, reason, id);
      }
  }

  /** Attempts in which a test failed, by its own name or by what it is a case of. */
  failedWith(test: string): ReadonlySet<string> {
    return this.#tests.get(test) ?? NOBODY;
  }

  /** Attempts that failed for a reason. */
  failedFor(reason: string): ReadonlySet<string> {
    return this.#reasons.get(reason) ?? NOBODY;
  }

  /** All tests that failed, by their own names and by what they are cases of. */
  tests(): IterableIterator<string> {
    return this.#tests.keys();
  }

  /** All reasons for which anything failed. */
  reasons(): IterableIterator<string> {
    return this.#reasons.keys();
  }
}

function addTo(attempts: Map<string, Set<string>>, thing: string, attempt: string): void {
  const failed = attempts.get(thing);
  if (failed) failed.add(attempt);
  else attempts.set(thing, new Set([attempt]));
}

const NOBODY: ReadonlySet<string> = new Set();
