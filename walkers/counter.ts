import { compareText } from '../runtime/index.js';

/** Counts by name. */
export class Counter {
  readonly #counts = new Map<string, number>();
  /** The sum of all counts. */
  total = 0;

  /** Counts one more of a name. */
  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.total++;
  }

  /** The largest count first; ties by name. */
  sorted(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a, x], [b, y]) => y - x || compareText(a, b)));
  }
}
