import type { Slot } from '../../runtime/index.js';
import { type IndexHeader, isSameHeader } from './header.js';
import type { Impacts } from './impacts.js';
import type { Postings } from './postings.js';
import { CHUNK_DOCS, frequencyOf, type TermRecord } from './records.js';

/** Postings that are kept decoded, of all words of an index together: 12 to some 30 bytes each. */
const MOST_POSTINGS = 2_000_000;
/** Documents whose ids are kept: some 200 bytes each. */
const MOST_IDS = 100_000;

/** Searches at once, each of which needs a score for every document. */
const MOST_SPARE = 4;

/** What was read of one generation of an index: what searches ask for again and again is not decoded anew. */
export class KnownTerms {
  readonly header: IndexHeader;
  readonly #terms = new Map<string, TermRecord | null>();
  readonly #frequencies = new Map<string, number>();
  readonly #chunks = new Map<string, Postings>();
  /** By scoring, then by word. */
  readonly #impacts = new Map<string, Map<string, Impacts>>();
  readonly #spare: Float64Array[] = [];
  readonly #ids = new Map<number, string>();
  readonly #numbers = new Map<string, number | null>();
  /** Codes of the lengths of documents, by number: as far as they were read. */
  readonly lengths: Uint8Array;
  readonly #stretches = new Set<number>();
  #postings = 0;

  constructor(header: IndexHeader) {
    this.header = header;
    this.lengths = new Uint8Array(Math.ceil(header.next / CHUNK_DOCS) * CHUNK_DOCS);
  }

  /** Whether the lengths of a stretch of documents were read. */
  hasLengths(stretch: number): boolean {
    return this.#stretches.has(stretch);
  }

  keepLengths(stretch: number, codes: Uint8Array): void {
    this.lengths.set(codes, stretch * CHUNK_DOCS);
    this.#stretches.add(stretch);
  }

  /** A word's record; null: no document has it; undefined: it was not read. */
  term(word: string): TermRecord | null | undefined {
    return this.#terms.get(word);
  }

  keepTerm(word: string, record: TermRecord | null): void {
    this.#grow(record?.postings?.docs.length ?? 1);
    this.#terms.set(word, record);
  }

  /** How many documents have a word; undefined: that was not read. */
  frequency(word: string): number | undefined {
    const record = this.#terms.get(word);
    if (record === undefined) return this.#frequencies.get(word);
    return record === null ? 0 : frequencyOf(record);
  }

  keepFrequency(word: string, count: number): void {
    this.#grow(1);
    this.#frequencies.set(word, count);
  }

  /** The id of the document with a number; undefined: it was not read. */
  id(number: number): string | undefined {
    return this.#ids.get(number);
  }

  /** The number of the document with an id; null: there is none; undefined: it was not read. */
  number(id: string): number | null | undefined {
    return this.#numbers.get(id);
  }

  /** @param number Null: there is no such document. */
  keepId(id: string, number: number | null): void {
    if (this.#numbers.size >= MOST_IDS) {
      this.#ids.clear();
      this.#numbers.clear();
    }
    this.#numbers.set(id, number);
    if (number !== null) this.#ids.set(number, id);
  }

  chunk(name: string): Postings | undefined {
    return this.#chunks.get(name);
  }

  keepChunk(name: string, postings: Postings): void {
    this.#grow(postings.docs.length);
    this.#chunks.set(name, postings);
  }

  /** What a word counts in all its documents; undefined: it was not put together. @param scoring Its name. */
  impacts(scoring: string, word: string): Impacts | undefined {
    return this.#impacts.get(scoring)?.get(word);
  }

  keepImpacts(scoring: string, word: string, impacts: Impacts): void {
    this.#grow(impacts.docs.length);
    const known = this.#impacts.get(scoring);
    if (known) known.set(word, impacts);
    else this.#impacts.set(scoring, new Map([[word, impacts]]));
  }

  /** A score for every document, all 0; given back by {@link giveBack}, where they are 0 again. */
  scores(): Float64Array {
    return this.#spare.pop() ?? new Float64Array(this.header.next);
  }

  giveBack(scores: Float64Array): void {
    if (this.#spare.length < MOST_SPARE) this.#spare.push(scores);
  }

  #grow(more: number): void {
    this.#postings += more;
    if (this.#postings <= MOST_POSTINGS) return;
    this.#terms.clear();
    this.#frequencies.clear();
    this.#chunks.clear();
    this.#impacts.clear();
    this.#postings = more;
  }
}

/** What is kept of the newest generation of every index of a graph. */
export class KnownIndexes {
  readonly #byName = new Map<string, KnownTerms>();

  /** Who reads an older generation, or goes on with one, has what was read of that to itself. */
  of(name: string, header: IndexHeader): KnownTerms {
    const known = this.#byName.get(name);
    if (known && isSameHeader(known.header, header)) return known;
    const fresh = new KnownTerms(header);
    if (!known || header.generation >= known.header.generation) this.#byName.set(name, fresh);
    return fresh;
  }
}

/** Where a graph keeps them. */
export const KNOWN_INDEXES: Slot<KnownIndexes> = {
  name: 'words of text indexes',
  make: () => new KnownIndexes(),
};
