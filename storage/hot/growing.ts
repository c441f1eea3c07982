/** Typed arrays that grow at their end: what is in them takes as many bytes as it has, objects take ten times that. */
type Numbers = Int32Array | Uint16Array | Uint8Array;

/** The same numbers with room for at least `wanted`, half as much again as there was; the array itself where it has it. */
export function withRoom<T extends Numbers>(numbers: T, wanted: number): T {
  if (wanted <= numbers.length) return numbers;
  const length = Math.max(wanted, numbers.length + (numbers.length >>> 1), FEWEST);
  const grown = (
    numbers instanceof Int32Array
      ? new Int32Array(length)
      : numbers instanceof Uint16Array
        ? new Uint16Array(length)
        : new Uint8Array(length)
  ) as T;
  grown.set(numbers);
  return grown;
}

const FEWEST = 64;
const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;

/** Whole numbers by whole numbers from 0, zero where none was set: in pages, of which only those in use take room. */
export class PagedNumbers {
  readonly #pages: (Int32Array | undefined)[] = [];
  #used = 0;

  at(index: number): number {
    const page = this.#pages[index >>> PAGE_BITS];
    return page === undefined ? 0 : (page[index & (PAGE - 1)] ?? 0);
  }

  set(index: number, value: number): void {
    const at = index >>> PAGE_BITS;
    let page = this.#pages[at];
    if (page === undefined) {
      page = new Int32Array(PAGE);
      this.#pages[at] = page;
      this.#used += 1;
    }
    page[index & (PAGE - 1)] = value;
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#used * PAGE * Int32Array.BYTES_PER_ELEMENT;
  }
}
