import type { ReadContext } from '../../runtime/index.js';
import { rarity } from '../rarity.js';
import { type TextIndexType, weightedLength } from './definition.js';
import { documentIdOf, documentOf, type StoredDocument } from './documents.js';
import { KNOWN_INDEXES, KnownTerms } from './known-terms.js';
import { IndexNames } from './names.js';
import { LENGTHS, NO_POSTINGS, type Postings } from './postings.js';
import {
  CHUNK_DOCS,
  chunkOf,
  frequencyOf,
  headerOf,
  type IndexHeader,
  numberOf,
  type TermRecord,
  termOf,
} from './records.js';
import { type ScoredDocument, Tally } from './tally.js';

/** BM25's saturation of repeated words and normalisation by length: the usual values (Robertson and Zaragoza, 2009). */
const SATURATION = 1.2;
const LENGTH = 0.75;
/** Documents of one score whose ids are all read, to see which come first. */
const MOST_SORTED = 2000;

/** What is looked for: words, and how much each of them counts. */
export type WordWeights = ReadonlyMap<string, number>;

/** A document that has words of a query. */
export interface FoundDocument {
  readonly id: string;
  /** Of the largest score that any document could get for this query: from 0 to 1. */
  readonly score: number;
}

/** How a search is done. */
export interface SearchOptions<F extends string> {
  /** The most documents that are wanted. */
  readonly limit: number;
  /** Ids of the documents that may be found. Default: all. */
  readonly within?: Iterable<string>;
  /** What a word in each field counts; fields left out count nothing. Default: the index's own. */
  readonly weights?: Readonly<Partial<Record<F, number>>>;
  /**
   * What having a word counts at all, beside how often and in how short a document it stands (1). It keeps short documents
   * from winning by their length alone (BM25+: Lv and Zhai, "Lower-bounding term frequency normalization", 2011). Default: 0.
   */
  readonly having?: number;
}

/** What a reader needs of a run. */
export type ReadableShelf = Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'version'>;

interface Term {
  readonly word: string;
  readonly record: TermRecord;
  /** The most that the word can add to a score. */
  readonly worth: number;
}

/**
 * Ranks the documents of an index by BM25 over weighted fields: a word in a field of weight 2 counts as if it stood
 * there twice (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", 2004). Words
 * are taken with the most telling first; once what is left cannot bring a new document among the best, it is looked
 * up for those alone that may be (MaxScore: Turtle and Flood, 1995). So what is found is exact, and depends on the
 * documents alone.
 */
export class TextIndexReader<F extends string> {
  readonly #shelf: ReadableShelf;
  readonly #type: TextIndexType<F>;
  readonly #names: IndexNames;
  #opened: { readonly header: IndexHeader; readonly known: KnownTerms } | null = null;

  constructor(shelf: ReadableShelf, type: TextIndexType<F>) {
    this.#shelf = shelf;
    this.#type = type;
    this.#names = new IndexNames(type);
  }

  /** How many documents there are. */
  async size(): Promise<number> {
    return (await this.#open()).header.size;
  }

  /** How many documents have each of the words; words that none has are left out. */
  async frequencies(words: Iterable<string>): Promise<Map<string, number>> {
    const records = await this.#records([...new Set(words)]);
    return new Map([...records].map(([word, record]) => [word, frequencyOf(record)]));
  }

  /** The documents that fit a query best, the best first; ties by id. */
  async search(
    query: WordWeights,
    { limit, within, weights, having }: SearchOptions<F>,
  ): Promise<FoundDocument[]> {
    const { terms, most } = await this.#terms(query);
    if (terms.length === 0 || limit <= 0) return [];
    const inside = within ? await this.#numbersOf(within) : null;
    if (inside?.size === 0) return [];
    const allowed = inside && [...inside.keys()].sort((a, b) => a - b);
    const { header } = await this.#open();
    const score = this.#scorer(header, weights, having);
    const tally = new Tally(header.next);
    let left = terms.reduce((sum, { worth }) => sum + worth, 0);
    for (const term of terms) {
      const { worth } = term;
      const closed = tally.close(limit, left);
      const parts = await this.#postings(term, closed ? tally.candidates() : allowed);
      for (const part of parts)
        score(part, worth, (doc, points) => {
          if (closed ? tally.has(doc) : (inside?.has(doc) ?? true)) tally.add(doc, points);
        });
      left -= worth;
    }
    const { above, tied } = tally.best(limit);
    const best = [...above, ...(await this.#firstOf(tied, limit - above.length))];
    const ids = await this.#idsOf(best.map(({ doc }) => doc));
    return best
      .map(({ doc, score }) => ({ id: ids.get(doc) ?? '', score: score / most }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  /** The scores that documents get for a query, by id; those that have none of its words are left out. */
  async scores(
    query: WordWeights,
    ids: Iterable<string>,
    { weights, having }: Pick<SearchOptions<F>, 'weights' | 'having'> = {},
  ): Promise<Map<string, number>> {
    const { terms, most } = await this.#terms(query);
    const numbers = await this.#numbersOf(ids);
    const wanted = [...numbers.keys()].sort((a, b) => a - b);
    const score = this.#scorer((await this.#open()).header, weights, having);
    const sums = new Map<number, number>();
    for (const term of terms)
      for (const part of await this.#postings(term, wanted))
        score(part, term.worth, (doc, points) => {
          if (numbers.has(doc)) sums.set(doc, (sums.get(doc) ?? 0) + points);
        });
    return new Map([...sums].map(([doc, sum]) => [numbers.get(doc) ?? '', sum / most]));
  }

  /** What a document says: lengths of its fields, and counts per field by word; undefined where there is none. */
  async document(id: string): Promise<Pick<StoredDocument, 'lengths' | 'words'> | undefined> {
    const [number] = (await this.#numbersOf([id])).keys();
    if (number === undefined) return undefined;
    const [bytes] = await this.#read([this.#names.document(number)]);
    return bytes && documentOf(bytes, this.#type.fields.length);
  }

  /** The words of a query that are there, with the most telling first; and the largest score that one could get. */
  async #terms(query: WordWeights): Promise<{ terms: Term[]; most: number }> {
    const { header } = await this.#open();
    const records = await this.#records([...query.keys()]);
    let most = 0;
    const terms: Term[] = [];
    for (const [word, weight] of query) {
      const record = records.get(word);
      const worth = weight * rarity(header.size, record ? frequencyOf(record) : 0);
      most += worth;
      if (record) terms.push({ word, record, worth });
    }
    terms.sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1));
    return { terms, most: most || 1 };
  }

  /** Gives each posting of a part its points. */
  #scorer(header: IndexHeader, weights: Readonly<Partial<Record<F, number>>> | undefined, having = 0) {
    const { fields, weights: own } = this.#type;
    const used = fields.map((field) => (weights ? (weights[field] ?? 0) : own[field]));
    const usual = weightedLength(this.#type, header.lengths) / Math.max(1, header.size);
    const dampings = LENGTHS.map(
      (length) => SATURATION * (1 - LENGTH + (LENGTH * length) / Math.max(1, usual)),
    );
    return (
      { docs, lengths, counts }: Postings,
      worth: number,
      take: (doc: number, points: number) => void,
    ): void => {
      for (let at = 0; at < docs.length; at++) {
        let count = 0;
        for (let field = 0; field < used.length; field++)
          count += (used[field] ?? 0) * (counts[at * used.length + field] ?? 0);
        if (count === 0) continue;
        const often = count / (count + (dampings[lengths[at] ?? 0] ?? 0));
        take(docs[at] ?? 0, (worth * (often + having)) / (1 + having));
      }
    };
  }

  /** A word's postings. @param wanted Numbers of the only documents that matter, in ascending order; null: all. */
  async #postings({ word, record }: Term, wanted: readonly number[] | null): Promise<readonly Postings[]> {
    if (record.postings) return [record.postings];
    const chunks = [...record.chunks.keys()];
    const needed = wanted && new Set(wanted.map((doc) => Math.floor(doc / CHUNK_DOCS)));
    return this.#chunks(
      chunks.filter((chunk) => needed?.has(chunk) ?? true).map((chunk) => this.#names.chunk(word, chunk)),
    );
  }

  async #chunks(names: readonly string[]): Promise<Postings[]> {
    const { known } = await this.#open();
    const missing = names.filter((name) => known.chunk(name) === undefined);
    const found = await this.#read(missing);
    const read = new Map(
      missing.map((name, at) => {
        const bytes = found[at];
        return [name, bytes ? chunkOf(bytes, this.#type.fields.length) : NO_POSTINGS];
      }),
    );
    const all = names.map((name) => known.chunk(name) ?? read.get(name) ?? NO_POSTINGS);
    for (const [name, postings] of read) known.keepChunk(name, postings);
    return all;
  }

  async #records(words: readonly string[]): Promise<Map<string, TermRecord>> {
    const { known } = await this.#open();
    const missing = words.filter((word) => known.term(word) === undefined);
    const found = await this.#read(missing.map((word) => this.#names.term(word)));
    const read = new Map(
      missing.map((word, at) => {
        const bytes = found[at];
        return [word, bytes ? termOf(bytes, this.#type.fields.length) : null];
      }),
    );
    const records = new Map<string, TermRecord>();
    for (const word of words) {
      const record = known.term(word) ?? read.get(word);
      if (record) records.set(word, record);
    }
    for (const [word, record] of read) known.keepTerm(word, record);
    return records;
  }

  /**
   * Those of some documents that may come first by id. Of very many only the first ones: names are read in the order of
   * ids until there are as many, which takes the fewer the more documents there are.
   */
  async #firstOf(docs: readonly ScoredDocument[], most: number): Promise<readonly ScoredDocument[]> {
    if (docs.length <= MOST_SORTED) return docs;
    const byNumber = new Map(docs.map((one) => [one.doc, one]));
    const first: ScoredDocument[] = [];
    for await (const page of this.#shelf.blobsUnder(this.#names.number(''), this.#type.layer))
      for (const { value } of page) {
        const one = byNumber.get(numberOf(value));
        if (one) first.push(one);
        if (first.length >= most) return first;
      }
    return first;
  }

  /** Ids by number. */
  async #idsOf(numbers: readonly number[]): Promise<Map<number, string>> {
    const { known } = await this.#open();
    const missing = numbers.filter((number) => known.id(number) === undefined);
    const found = await this.#read(missing.map((number) => this.#names.document(number)));
    const ids = new Map(numbers.map((number) => [number, known.id(number) ?? '']));
    for (const [at, number] of missing.entries()) {
      const id = documentIdOf(found[at] ?? new Uint8Array(0));
      ids.set(number, id);
      known.keepId(id, number);
    }
    return ids;
  }

  /** Ids by number, of those that are documents here. */
  async #numbersOf(ids: Iterable<string>): Promise<Map<number, string>> {
    const { known } = await this.#open();
    const all = [...new Set(ids)];
    const missing = all.filter((id) => known.number(id) === undefined);
    const found = await this.#read(missing.map((id) => this.#names.number(id)));
    const read = new Map(
      missing.map((id, at) => {
        const bytes = found[at];
        return [id, bytes ? numberOf(bytes) : null];
      }),
    );
    const numbers = new Map<number, string>();
    for (const id of all) {
      const number = known.number(id) ?? read.get(id) ?? null;
      if (number !== null) numbers.set(number, id);
    }
    for (const [id, number] of read) known.keepId(id, number);
    return numbers;
  }

  async #read(names: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return names.length === 0 ? [] : this.#shelf.blobs(names, this.#type.layer);
  }

  async #open(): Promise<{ readonly header: IndexHeader; readonly known: KnownTerms }> {
    if (this.#opened) return this.#opened;
    const [bytes] = await this.#read([this.#names.header]);
    const header = headerOf(bytes);
    this.#opened = { header, known: this.#knownTerms(header) };
    return this.#opened;
  }

  /** What is kept beside the graph of this generation; a run that may write keeps what it reads to itself. */
  #knownTerms(header: IndexHeader): KnownTerms {
    const { version, kept } = this.#shelf;
    return version === null ? new KnownTerms(header) : kept(KNOWN_INDEXES).of(this.#type.name, header);
  }
}
