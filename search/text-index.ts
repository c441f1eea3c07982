import { damping, rarity, type WordQuery } from './bm25.js';

/** An owner that has some of the words, by its best document. */
export interface Hit {
  readonly owner: string;
  /** Which of the owner's documents, from 0 in the order in which they were added. */
  readonly part: number;
  /** Of the largest score that any document could get for this query: from 0 to 1. */
  readonly score: number;
}

/** Documents as if there were no others: by them it is told what is rare, and how long a text usually is. */
interface Among {
  readonly has: (slot: number) => boolean;
  readonly size: number;
  /** The sum of their lengths. */
  readonly length: number;
}

interface Document {
  readonly owner: string;
  readonly part: number;
  /** Words, each counted by the weight of its field. */
  readonly length: number;
  readonly words: readonly string[];
}

/** Where a word stands: documents by their slot, and how often, by the weights of the fields. */
interface Postings {
  readonly slots: number[];
  readonly counts: number[];
}

/**
 * An inverted index in memory that ranks by BM25 over weighted fields: a word in a field of weight 2 counts as if it
 * stood there twice (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", 2004).
 * What it answers depends on the documents that it holds, never on the order in which they came and went.
 */
export class TextIndex<F extends string> {
  /** By slot; slots of documents that were taken out are used again. */
  readonly #documents: (Document | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #postings = new Map<string, Postings>();
  readonly #slotsOf = new Map<string, number[]>();
  #size = 0;
  #length = 0;

  /** @param weights Of the fields; whole numbers keep lengths exact. */
  constructor(private readonly weights: Readonly<Record<F, number>>) {}

  /** Adds one document of an owner: the words of its fields, each as often as it stands there. */
  add(owner: string, fields: Readonly<Partial<Record<F, readonly string[]>>>): void {
    const counts = new Map<string, number>();
    let length = 0;
    for (const field in this.weights) {
      const words = fields[field] ?? [];
      const weight = this.weights[field];
      length += weight * words.length;
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight);
    }
    const slot = this.#free.pop() ?? this.#documents.length;
    const slots = this.#slotsOf.get(owner) ?? [];
    this.#slotsOf.set(owner, slots);
    this.#documents[slot] = { owner, part: slots.length, length, words: [...counts.keys()] };
    this.#size++;
    slots.push(slot);
    this.#length += length;
    for (const [word, count] of counts) {
      const postings = this.#postings.get(word);
      if (postings) {
        postings.slots.push(slot);
        postings.counts.push(count);
      } else this.#postings.set(word, { slots: [slot], counts: [count] });
    }
  }

  /** Takes out all documents of an owner. */
  remove(owner: string): void {
    for (const slot of this.#slotsOf.get(owner) ?? []) {
      const document = this.#documents[slot];
      if (!document) continue;
      this.#documents[slot] = undefined;
      this.#free.push(slot);
      this.#size--;
      this.#length -= document.length;
      for (const word of document.words) this.#removePosting(word, slot);
    }
    this.#slotsOf.delete(owner);
  }

  /**
   * Every owner that has a word of the query, with its best document; in no order.
   *
   * @param owners Who is looked at, as if there were no others; default: all.
   */
  search(query: WordQuery, owners?: Iterable<string>): Hit[] {
    const among = this.#among(owners);
    const scores = new Float64Array(this.#documents.length);
    const dampings = Float64Array.from(this.#documents, (document) => this.#damping(document, among));
    let most = 0;
    for (const [word, weight] of query) {
      const postings = this.#postings.get(word);
      const worth = weight * rarity(among.size, having(postings, among));
      most += worth;
      if (!postings) continue;
      const { slots, counts } = postings;
      for (let i = 0; i < slots.length; i++) {
        const [slot, count] = [slots[i] ?? 0, counts[i] ?? 0];
        if (among.has(slot))
          scores[slot] = (scores[slot] ?? 0) + (worth * count) / (count + (dampings[slot] ?? 0));
      }
    }
    return this.#bestOfOwners(scores, most);
  }

  /**
   * The words of a query that tell some owners apart, those that count much and that few of them have first; what more
   * than half of them have tells nothing (of such words the classic formula of rarity is negative). Each comes with
   * what it counts times how rare it is.
   *
   * @param most How many words, at most.
   */
  narrowed(query: WordQuery, most: number, owners?: Iterable<string>): WordQuery {
    const among = this.#among(owners);
    const worths: [word: string, weight: number, worth: number][] = [];
    for (const [word, weight] of query) {
      const count = having(this.#postings.get(word), among);
      if (count > 0 && count <= among.size / 2)
        worths.push([word, weight, weight * rarity(among.size, count)]);
    }
    worths.sort(([a, , x], [b, , y]) => y - x || (a < b ? -1 : 1));
    return new Map(worths.slice(0, most).map(([word, , worth]) => [word, worth]));
  }

  /** The words of a query that count most in one document of an owner, the most telling first; ties by word. */
  telling(query: WordQuery, { owner, part }: Pick<Hit, 'owner' | 'part'>, most: number): string[] {
    const slot = this.#slotsOf.get(owner)?.[part];
    if (slot === undefined) return [];
    const damping = this.#damping(this.#documents[slot], this.#among());
    const found: [word: string, share: number][] = [];
    for (const [word, weight] of query) {
      const postings = this.#postings.get(word);
      const at = postings?.slots.indexOf(slot) ?? -1;
      if (!postings || at < 0) continue;
      const count = postings.counts[at] ?? 0;
      const worth = weight * rarity(this.#size, postings.slots.length);
      found.push([word, (worth * count) / (count + damping)]);
    }
    found.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    return found.slice(0, most).map(([word]) => word);
  }

  #among(owners?: Iterable<string>): Among {
    if (!owners) return { has: () => true, size: this.#size, length: this.#length };
    const inside = new Uint8Array(this.#documents.length);
    let [size, length] = [0, 0];
    for (const owner of new Set(owners))
      for (const slot of this.#slotsOf.get(owner) ?? []) {
        inside[slot] = 1;
        size++;
        length += this.#documents[slot]?.length ?? 0;
      }
    return { has: (slot) => inside[slot] === 1, size, length };
  }

  /** What a word's count is saturated by in a document: more in a long one. */
  #damping(document: Document | undefined, among: Among): number {
    return damping(document?.length ?? 0, among.length / Math.max(1, among.size));
  }

  #bestOfOwners(scores: Float64Array, most: number): Hit[] {
    const best = new Map<string, Hit>();
    for (const [slot, score] of scores.entries()) {
      const document = this.#documents[slot];
      if (!document || score === 0) continue;
      const { owner, part } = document;
      const known = best.get(owner);
      const share = most > 0 ? score / most : 0;
      if (!known || share > known.score || (share === known.score && part < known.part))
        best.set(owner, { owner, part, score: share });
    }
    return [...best.values()];
  }

  #removePosting(word: string, slot: number): void {
    const postings = this.#postings.get(word);
    const at = postings?.slots.indexOf(slot) ?? -1;
    if (!postings || at < 0) return;
    postings.slots.splice(at, 1);
    postings.counts.splice(at, 1);
    if (postings.slots.length === 0) this.#postings.delete(word);
  }
}

/** How many of the documents have the word of these postings. */
function having(postings: Postings | undefined, { has }: Among): number {
  let count = 0;
  for (const slot of postings?.slots ?? []) if (has(slot)) count++;
  return count;
}
