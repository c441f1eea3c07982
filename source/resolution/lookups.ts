/**
 * One thing that a resolution can look at outside the file it resolves. `file:` what a file offers to others (its
 * interface, see `interfaceOf`); `stem:` whether there is a file of this path, its name taken up to the first dot;
 * `folder:` whether a folder holds Python files; `root:` which source roots hold a Python module of this first name.
 */
export type LookupKey = `file:${string}` | `stem:${string}` | `folder:${string}` | `root:${string}`;

/** An answer that was found before, with all that was looked at for it. */
export interface Remembered<T> {
  readonly value: T;
  readonly keys: ReadonlySet<LookupKey>;
}

/**
 * Records what is looked at, so that it is known which changes elsewhere can change a result. Whatever is asked of
 * another file, found or not, must be noted here, and whatever is cached must be cached through `remembered`.
 */
export class Lookups {
  readonly #open: Set<LookupKey>[] = [];

  /** Notes one thing as looked at, by whatever is being recorded. */
  note(key: LookupKey): void {
    this.#open[this.#open.length - 1]?.add(key);
  }

  /** Does some work and says what it looked at; a recording around this one gets it all too. */
  recorded<T>(work: () => T): Remembered<T> {
    const keys = new Set<LookupKey>();
    this.#open.push(keys);
    try {
      return { value: work(), keys };
    } finally {
      this.#open.pop();
      this.#noteAll(keys);
    }
  }

  /**
   * The answer in a cache, or else the one that `find` gives, which is kept when `keep` says that it is the whole
   * answer: what was cut short inside a circle depends on where the circle was entered.
   */
  remembered<T>(
    cache: Map<string, Remembered<T>>,
    key: string,
    find: () => T,
    keep: (value: T) => boolean = () => true,
  ): T {
    const known = cache.get(key);
    if (known) {
      this.#noteAll(known.keys);
      return known.value;
    }
    const found = this.recorded(find);
    if (keep(found.value)) cache.set(key, found);
    return found.value;
  }

  #noteAll(keys: ReadonlySet<LookupKey>): void {
    const outer = this.#open[this.#open.length - 1];
    if (outer) for (const key of keys) outer.add(key);
  }
}
