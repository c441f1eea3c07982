/** A document by its number. */
export interface ScoredDocument {
  readonly doc: number;
  readonly score: number;
}

/** What share of what was left to get must be left still for candidates not to be looked through again. */
const WORTH_LOOKING = 0.5;

/** Adds up what documents score, by their numbers, and knows when no further document can be among the best. */
export class Tally {
  /** All documents that ever had a score. */
  readonly #touched: number[] = [];
  #candidates: Int32Array | null = null;
  /** The largest score. */
  #most = 0;
  /** The score of the last of the best when they were last looked for, and what could still be got then. */
  #least = 0;
  #looked: number;

  /**
   * @param scores One for every document, all 0; they are so again after {@link done}.
   * @param most The most that a document can get.
   */
  constructor(
    private readonly scores: Float64Array,
    most: number,
  ) {
    this.#looked = most;
  }

  /** Points are more than 0. */
  add(doc: number, points: number): void {
    const before = this.scores[doc] ?? 0;
    if (before === 0) this.#touched.push(doc);
    const after = before + points;
    this.scores[doc] = after;
    if (after > this.#most) this.#most = after;
  }

  /**
   * Looks whether no document that has no score so far can be among the best any more. Once it is so, those that cannot
   * either are forgotten. It looks only where it may be so: no score has grown by more than what could be got since the
   * last time. How often it looks changes no answer.
   *
   * @param left The most that any document can still get.
   */
  close(limit: number, left: number): void {
    if (this.#touched.length < limit || this.#most <= left) return;
    const isOpen = this.#candidates === null;
    if (isOpen ? this.#least + (this.#looked - left) <= left : left > WORTH_LOOKING * this.#looked) return;
    const least = this.#leastOfBest(limit);
    this.#looked = left;
    this.#least = least;
    if (isOpen && least <= left) return;
    const kept = this.#candidates ?? new Int32Array(this.#touched.length);
    const from = this.#candidates ?? this.#touched;
    let count = 0;
    for (let at = 0; at < from.length; at++) {
      const doc = from[at] ?? 0;
      if ((this.scores[doc] ?? 0) + left >= least) kept[count++] = doc;
      else this.scores[doc] = 0;
    }
    const few = kept.subarray(0, count);
    this.#candidates = isOpen ? few.slice().sort() : few;
  }

  /** Once no further document can be among the best: those that can, by number. Nothing is to be added to others. */
  get candidates(): Int32Array | null {
    return this.#candidates;
  }

  /** Makes all scores 0 again, for another one. */
  done(): void {
    for (const doc of this.#touched) this.scores[doc] = 0;
  }

  /** The best, in no order; and all that score as much as the last of them, by number. */
  best(limit: number): {
    readonly above: readonly ScoredDocument[];
    readonly tied: readonly ScoredDocument[];
  } {
    const docs = this.#candidates ?? Int32Array.from(this.#touched).sort();
    const least = docs.length > limit ? this.#leastOfBest(limit) : 0;
    const above: ScoredDocument[] = [];
    const tied: ScoredDocument[] = [];
    for (const doc of docs) {
      const score = this.scores[doc] ?? 0;
      if (score > least) above.push({ doc, score });
      else if (score === least) tied.push({ doc, score });
    }
    return { above, tied };
  }

  /** The score of the last of the best: the root of a heap of as many, whose root is its smallest. */
  #leastOfBest(limit: number): number {
    const heap = new Float64Array(limit);
    let size = 0;
    const docs = this.#candidates ?? this.#touched;
    for (let at = 0; at < docs.length; at++) {
      const score = this.scores[docs[at] ?? 0] ?? 0;
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
