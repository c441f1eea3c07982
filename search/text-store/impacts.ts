import { damping } from '../bm25.js';
import { weightedCount, widthOf } from './counts.js';
import { type TextIndexType, weightedLength } from './definition.js';
import type { IndexHeader } from './header.js';
import { LENGTHS } from './lengths.js';
import type { Postings } from './postings.js';

/** Where a word stands, and what it counts there: what ranking reads of its postings, and reads again with every search. */
export interface Impacts {
  /** Numbers of documents, in ascending order; only those in which it counts anything. */
  readonly docs: Int32Array;
  /** Of each, which part of what the word is worth it gets: BM25's share, from 0 to 1, and what having the word counts. */
  readonly shares: Float64Array;
  /** The largest of these. */
  readonly most: number;
}

/** What fields count, as {@link SearchOptions} names it. */
export interface Weighing<F extends string> {
  readonly weights?: Readonly<Partial<Record<F, number>>> | undefined;
  readonly having?: number | undefined;
}

/** How words count in the documents of one generation of an index. */
export class Scoring<F extends string> {
  /** The same for scorings that give the same. */
  readonly name: string;
  readonly having: number;
  readonly #used: readonly number[];
  readonly #dampings: readonly number[];

  constructor(type: TextIndexType<F>, header: IndexHeader, { weights, having = 0 }: Weighing<F>) {
    this.having = having;
    this.#used = type.fields.map((field) => (weights ? (weights[field] ?? 0) : type.weights[field]));
    const usual = weightedLength(type, header.lengths) / Math.max(1, header.size);
    this.#dampings = LENGTHS.map((length) => damping(length, usual));
    this.name = [...this.#used, having].join(' ');
  }

  /** The share of what a word is worth that a document gets, as a part of the largest score. */
  points(worth: number, share: number): number {
    return (worth * share) / (1 + this.having);
  }

  /**
   * @param parts Of one word, in the order of documents.
   * @param lengths The codes of the lengths of all these documents, by number.
   */
  impactsOf(parts: readonly Postings[], lengths: Uint8Array): Impacts {
    const used = this.#used;
    const size = parts.reduce((sum, { docs }) => sum + docs.length, 0);
    const [docs, shares] = [new Int32Array(size), new Float64Array(size)];
    let [next, most] = [0, 0];
    for (const part of parts) {
      let at = 0;
      for (const doc of part.docs) {
        const count = weightedCount(part.counts, at, used);
        at += widthOf(part.counts[at] ?? 0);
        if (count === 0) continue;
        const often = count / (count + (this.#dampings[lengths[doc] ?? 0] ?? 0));
        docs[next] = doc;
        shares[next] = often + this.having;
        most = Math.max(most, often + this.having);
        next++;
      }
    }
    return { docs: docs.subarray(0, next), shares: shares.subarray(0, next), most };
  }
}

/**
 * Goes through those of some documents in which a word stands. Both lists ascend: from where one was found the next is
 * looked for in steps that double, so that few documents among very many cost little.
 */
export function eachAmong(
  { docs, shares }: Impacts,
  wanted: ArrayLike<number>,
  take: (doc: number, share: number) => void,
): void {
  let from = 0;
  for (let at = 0; at < wanted.length; at++) {
    const doc = wanted[at] ?? 0;
    let [step, to] = [1, from];
    while (to < docs.length && (docs[to] ?? 0) < doc) {
      from = to + 1;
      to += step;
      step *= 2;
    }
    to = Math.min(to, docs.length);
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((docs[middle] ?? 0) < doc) from = middle + 1;
      else to = middle;
    }
    if (from >= docs.length) return;
    if (docs[from] === doc) take(doc, shares[from] ?? 0);
  }
}
