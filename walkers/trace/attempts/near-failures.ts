import type { AttemptFailures } from './stored/records.js';

/** Of a reason that fewer attempts failed for it is not known whether it is common. */
const FEWEST_COMMON = 3;

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

  /**
   * Whether to fail for one of some reasons tells no failure from another: several attempts did, and most of them in
   * other tests than any one of them.
   */
  isCommon(reasons: Iterable<string>): boolean {
    const asked = new Set(reasons);
    const attempts = new Set([...asked].flatMap((reason) => [...this.failedFor(reason)]));
    if (attempts.size < FEWEST_COMMON) return false;
    const together = new Map<string, number>();
    for (const id of attempts)
      for (const test of this.#testsFor(asked, id)) together.set(test, (together.get(test) ?? 0) + 1);
    return together.size > 0 && Math.max(...together.values()) <= attempts.size / 2;
  }

  /** The tests of those failing outputs of an attempt that failed for one of some reasons. */
  #testsFor(asked: ReadonlySet<string>, id: string): ReadonlySet<string> {
    const { runs, told } = this.attempts.get(id) ?? { runs: NO_RUNS, told: NO_RUNS };
    const failed = [...runs.values(), ...told.values()].filter(({ reasons }) =>
      [...reasons].some((reason) => asked.has(reason)),
    );
    return new Set(failed.flatMap(({ tests }) => tests.map(({ whole }) => whole)));
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
const NO_RUNS: AttemptFailures['runs'] = new Map();
