/** Bytes in memory for each byte of a record, about: names of properties are shared, values are objects. */
const PER_BYTE = 4;
const PER_RECORD = 200;

/**
 * What was decoded and asked for of late, by id. Two halves: what is asked for again moves to the younger one, and when
 * that is full the older one is let go.
 */
export class Recent<T> {
  readonly #most: number;
  #young = new Map<string, T>();
  #old = new Map<string, T>();
  #bytes = 0;

  /** @param most Bytes of memory, about. */
  constructor(most: number) {
    this.#most = most;
  }

  get(id: string): T | undefined {
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const old = this.#old.get(id);
    if (old === undefined) return undefined;
    this.#old.delete(id);
    // What it takes was told when it came; an average record stands for it.
    this.set(id, old, PER_RECORD);
    return old;
  }

  /** Keeps what is known under an id. @param size Bytes of the record that it comes from, or that comes to it. */
  set(id: string, known: T, size: number): void {
    this.#bytes += PER_RECORD + PER_BYTE * size;
    this.#young.set(id, known);
    if (this.#bytes < this.#most / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }

  delete(id: string): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }
}
