/** Since when a path is dirty, and when it was last touched, by the count of the set. */
interface Touched {
  since: number;
  last: number;
}

/**
 * Paths that may be otherwise on disk than in the graph. Every note of a path is counted, so that what changes while it
 * is being indexed stays dirty, and whoever asks knows what was dirty when they asked.
 */
export class DirtyPaths {
  readonly #paths = new Map<string, Touched>();
  #count = 0;

  /** Where the count stands: what is noted from now on is later. */
  get mark(): number {
    return this.#count;
  }

  get size(): number {
    return this.#paths.size;
  }

  /** Notes a path. @param path Root-relative; a folder stands for all that is beneath it, `''` for everything. */
  add(path: string): void {
    this.#count++;
    const known = this.#paths.get(path);
    if (known) known.last = this.#count;
    else this.#paths.set(path, { since: this.#count, last: this.#count });
  }

  /** From now on everything is dirty, since the first of the paths was. */
  widen(): void {
    const since = Math.min(++this.#count, ...[...this.#paths.values()].map((one) => one.since));
    this.#paths.clear();
    this.#paths.set('', { since, last: this.#count });
  }

  /** The paths that were dirty when the count stood at `mark`, and still are. */
  at(mark: number): string[] {
    return [...this.#paths].flatMap(([path, { since }]) => (since <= mark ? [path] : []));
  }

  /** Paths are in the graph as they were on disk at some time after the count stood at `mark`. */
  settle(paths: Iterable<string>, mark: number): void {
    for (const path of paths) {
      const known = this.#paths.get(path);
      if (!known) continue;
      if (known.last <= mark) this.#paths.delete(path);
      else known.since = Math.max(known.since, mark + 1);
    }
  }
}
