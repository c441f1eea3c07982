import { LIMITS } from '../../schema/index.js';

/**
 * One thing that a resolution can look at outside the file it resolves. `file:` what a file offers to others (its
 * interface, see `interfaceOf`); `stem:` whether there is a file of this path, its name taken up to the first dot;
 * `folder:` whether a folder holds Python files; `root:` which source roots hold a Python module of this first name;
 * `derived:` which Python files have classes with a base of this last name; of units `package:` which files a package
 * has, or which packages a folder; `name:` which files of a package define a name or give it members; `has:` which
 * interfaces are found by a method; `document:` which documents define a name (see `documents.ts`);
 * {@link ANYTHING} stands for all there is.
 */
export type LookupKey =
  | `file:${string}`
  | `stem:${string}`
  | `folder:${string}`
  | `root:${string}`
  | `derived:${string}`
  | `package:${string}`
  | `name:${string}`
  | `has:${string}`
  | `document:${string}`
  | typeof ANYTHING;

/**
 * What an answer rests on that looked at more than {@link LIMITS}.lookups things: it is found again whenever anything
 * changes. Files that pass each other's names on in a ring would otherwise note the square of their number.
 */
export const ANYTHING = 'anything:';

/** An answer that was found before, with all that was looked at for it, by their numbers. */
export interface Remembered<T> {
  readonly value: T;
  readonly looked: readonly number[];
}

/**
 * Records what is looked at, so that it is known which changes elsewhere can change a result. Whatever is asked of
 * another file, found or not, must be noted here, and whatever is cached must be cached through `remembered`. Things
 * go by numbers: the same ones are looked at again and again, and their names are long.
 */
export class Lookups {
  readonly #keys: LookupKey[] = [ANYTHING];
  readonly #numbers = new Map<LookupKey, number>([[ANYTHING, ALL]]);
  readonly #outer: Recording[] = [];
  #recording: Recording | null = null;

  /** The number of a thing, for {@link note}. */
  numberOf(key: LookupKey): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#keys.push(key) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** The things that these numbers stand for. */
  keysOf(looked: readonly number[]): LookupKey[] {
    return looked.flatMap((number) => this.#keys[number] ?? []);
  }

  /** Notes one thing as looked at, by whatever is being recorded. */
  note(number: number): void {
    this.#recording?.add(number);
  }

  /** Does some work and says what it looked at; a recording around this one gets it all too. */
  recorded<T>(work: () => T): Remembered<T> {
    const recording = new Recording();
    const outer = this.#recording;
    if (outer) this.#outer.push(outer);
    this.#recording = recording;
    try {
      return { value: work(), looked: recording.looked };
    } finally {
      this.#recording = this.#outer.pop() ?? null;
      this.#noteAll(recording.looked);
    }
  }

  /**
   * The answer in a cache, or else the one that `find` gives, which is kept when `keep` says that it is the whole
   * answer: what was cut short inside a circle depends on where the circle was entered.
   */
  remembered<K, T>(
    cache: Map<K, Remembered<T>>,
    key: K,
    find: () => T,
    keep: (value: T) => boolean = always,
  ): T {
    const known = cache.get(key);
    if (known) {
      this.#noteAll(known.looked);
      return known.value;
    }
    const found = this.recorded(find);
    if (keep(found.value)) cache.set(key, found);
    return found.value;
  }

  #noteAll(looked: readonly number[]): void {
    const recording = this.#recording;
    if (recording && !recording.isFull) for (const number of looked) recording.add(number);
  }
}

function always(): boolean {
  return true;
}

/** Up to this many a list is searched as fast as a set. */
const FEW = 12;

/** The number of {@link ANYTHING}. */
const ALL = 0;

/** What was looked at, each thing once; of too many things that they are too many. */
class Recording {
  readonly looked: number[] = [];
  #seen: Set<number> | null = null;
  #last = -1;

  /** Whether too much was looked at for noting more. */
  get isFull(): boolean {
    return this.looked[0] === ALL;
  }

  add(number: number): void {
    if (number === this.#last || this.isFull) return;
    this.#last = number;
    if (this.#seen ? this.#seen.has(number) : this.looked.includes(number)) return;
    if (number === ALL || this.looked.length >= LIMITS.lookups.max) {
      this.looked.splice(0, Infinity, ALL);
      return;
    }
    this.looked.push(number);
    if (this.#seen) this.#seen.add(number);
    else if (this.looked.length > FEW) this.#seen = new Set(this.looked);
  }
}
