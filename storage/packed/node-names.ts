/** Bytes that a name takes beside its characters: the string's head, its places in the table and in the list. */
const PER_NAME = 72;

/** Ids of nodes and the whole numbers from 0 that stand for them in typed arrays. */
export class NodeNames {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  #bytes = 0;

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
}
