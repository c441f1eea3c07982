/** A document by its number. */
export interface ScoredDocument {
  readonly doc: number;
  readonly score: number;
}

/** Adds up what documents score, by their numbers, and knows when no further document can be among the best. */
export class Tally {
  readonly #scores: Float64Array;
  #touched: number[] = [];
  #isClosed = false;

  /** @param size All numbers are lower. */
  constructor(size: number) {
    this.#scores = new Float64Array(size);
  }

  /** Points are more than 0. */
  add(doc: number, points: number): void {
    const before = this.#scores[doc] ?? 0;
    if (before === 0) this.#touched.push(doc);
    this.#scores[doc] = before + points;
  }

  has(doc: number): boolean {
    return (this.#scores[doc] ?? 0) > 0;
  }

  /**
   * Whether no document that has no score so far can be among the best any more. Once it is so, those that cannot
   * either are forgotten.
   *
   * @param left The most that any document can still get.
   */
  close(limit: number, left: number): boolean {
    if (this.#touched.length < limit) return false;
    const least = this.#leastOfBest(limit);
    if (!this.#isClosed && least <= left) return false;
    this.#isClosed = true;
    const kept: number[] = [];
    for (const doc of this.#touched) {
      if ((this.#scores[doc] ?? 0) + left >= least) kept.push(doc);
      else this.#scores[doc] = 0;
    }
    this.#touched = kept;
    return true;
  }

  /** The documents that have a score, by number. */
  candidates(): number[] {
    return this.#touched.sort((a, b) => a - b);
  }

  /** The best, in no order; and all that score as much as the last of them, by number. */
  best(limit: number): {
    readonly above: readonly ScoredDocument[];
    readonly tied: readonly ScoredDocument[];
  } {
    const least = this.#touched.length > limit ? this.#leastOfBest(limit) : 0;
    const above: ScoredDocument[] = [];
    const tied: ScoredDocument[] = [];
    for (const doc of this.candidates()) {
      const score = this.#scores[doc] ?? 0;
      if (score > least) above.push({ doc, score });
      else if (score === least) tied.push({ doc, score });
    }
    return { above, tied };
  }

  /** The score of the last of the best: the root of a heap of as many, whose root is its smallest. */
  #leastOfBest(limit: number): number {
    const heap = new Float64Array(limit);
    let size = 0;
    for (const doc of this.#touched) {
      const score = this.#scores[doc] ?? 0;
      if (size < limit) {
        heap[size] = score;
        rise(heap, size++);
      } else if (score > (heap[0] ?? 0)) {
        heap[0] = score;
        sink(heap);
      }
    }
    return size < limit ? 0 : (heap[0] ?? 0);
  }
}

function rise(heap: Float64Array, from: number): void {
  let at = from;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if ((heap[above] ?? 0) <= (heap[at] ?? 0)) return;
    swap(heap, at, above);
    at = above;
  }
}

function sink(heap: Float64Array): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const least = right < heap.length && (heap[right] ?? 0) < (heap[left] ?? 0) ? right : left;
    if ((heap[at] ?? 0) <= (heap[least] ?? 0)) return;
    swap(heap, at, least);
    at = least;
  }
}

function swap(heap: Float64Array, a: number, b: number): void {
  const value = heap[a] ?? 0;
  heap[a] = heap[b] ?? 0;
  heap[b] = value;
}
