import { compareText } from '../../runtime/index.js';

/** Counts by name. */
export class Counter {
  readonly #counts = new Map<string, number>();
  /** The sum of all counts. */
  total = 0;

  /** Counts so many more of a name; with a negative number fewer. */
  add(name: string, number = 1): void {
    const count = (this.#counts.get(name) ?? 0) + number;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
    this.total += number;
  }

  /** The largest count first; ties by name. */
  sorted(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(byCount));
  }

  /** The name of the largest count, of several the first; null when nothing was counted. */
  first(): string | null {
    let first: [string, number] | null = null;
    for (const one of this.#counts) if (!first || byCount(one, first) < 0) first = one;
    return first?.[0] ?? null;
  }
}

function byCount([a, x]: readonly [string, number], [b, y]: readonly [string, number]): number {
  return y - x || compareText(a, b);
}
