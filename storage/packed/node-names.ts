/** Bytes that a name takes beside its characters: the string's head, its places in the table and in the list. */
const PER_NAME = 72;

/** Ids of nodes and the whole numbers from 0 that stand for them in typed arrays. */
export class NodeNames {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  /** See {@link NodeNames.shared}. */
  readonly #shared = new Map<string, unknown>();
  #bytes = 0;
  /** Marks of nodes: those that {@link Met} has are its stamp. */
  #stamps = new Int32Array(0);
  #stamp = 0;

  /** How many there are: every number is less. */
  get count(): number {
    return this.#names.length;
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of an id, given out when it is first asked for. */
  numberOf(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#names.length;
    this.#numbers.set(id, number);
    this.#names.push(id);
    this.#bytes += PER_NAME + id.length;
    return number;
  }

  knownNumberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  nameOf(number: number): string {
    return this.#names[number] ?? '';
  }

  /** What packs have in common, made once: it is told by its name alone. */
  shared<T>(name: string, make: () => T): T {
    const known = this.#shared.get(name) as T | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.#shared.set(name, made);
    return made;
  }

  /** An empty set of the numbers that there are, for what ends before another is asked for: all use the same marks. */
  met(): Met {
    if (this.#stamps.length < this.count || this.#stamp === LAST_STAMP) {
      this.#stamps = new Int32Array(this.count + (this.count >>> 1));
      this.#stamp = 0;
    }
    this.#stamp += 1;
    return new Met(this.#stamps, this.#stamp);
  }
}

/** Nodes that a hop has met, in that order: a mark in a typed array is cheaper than a place in a Set. */
export class Met {
  readonly numbers: number[] = [];

  constructor(
    private readonly stamps: Int32Array,
    private readonly stamp: number,
  ) {}

  has(number: number): boolean {
    return this.stamps[number] === this.stamp;
  }

  add(number: number): void {
    this.stamps[number] = this.stamp;
    this.numbers.push(number);
  }
}

const LAST_STAMP = 0x7fffffff;
