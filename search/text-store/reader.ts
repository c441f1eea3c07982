import type { ReadContext } from '../../runtime/index.js';
import type { WordQuery } from '../bm25.js';
import { rarity } from '../rarity.js';
import type { TextIndexType } from './definition.js';
import { chunkOfDoc, DocumentShelf } from './document-shelf.js';
import type { StoredDocument } from './documents.js';
import { headerOf, type IndexHeader } from './header.js';
import { eachAmong, type Impacts, Scoring, type Weighing } from './impacts.js';
import { KNOWN_INDEXES, KnownTerms } from './known-terms.js';
import { headerName, IndexNames } from './names.js';
import { NO_POSTINGS, type Postings } from './postings.js';
import { chunkOf, frequencyIn, frequencyOf, type TermRecord, termOf } from './records.js';
import { type ScoredDocument, Tally } from './tally.js';

/** Of a word's chunks, the share that is read where others are not needed. */
const FEW = 0.5;
/** What no sum of floating point numbers is wrong by. */
const ROUNDING = 1 + 1e-9;
/** So many documents more than are wanted are gathered before those that come last are left out. */
const GATHERED = 1000;

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

/** The state of an index, and what is read and known of it. */
interface Opened {
  readonly header: IndexHeader;
  readonly names: IndexNames;
  readonly known: KnownTerms;
  readonly documents: DocumentShelf;
}

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
  #opened: Opened | null = null;

  constructor(
    private readonly shelf: ReadableShelf,
    private readonly type: TextIndexType<F>,
  ) {}

  /** How many documents there are. */
  async size(): Promise<number> {
    return (await this.#open()).header.size;
  }

  /** How many documents have each of the words; words that none has are left out. */
  async frequencies(words: Iterable<string>): Promise<Map<string, number>> {
    const { known, names } = await this.#open();
    const all = [...new Set(words)];
    const missing = all.filter((word) => known.frequency(word) === undefined);
    const found = await this.#read(missing.map((word) => names.term(word)));
    const read = new Map(
      missing.map((word, at) => {
        const bytes = found[at];
        return [word, bytes ? frequencyIn(bytes) : 0];
      }),
    );
    const frequencies = new Map<string, number>();
    for (const word of all) {
      const count = known.frequency(word) ?? read.get(word) ?? 0;
      if (count > 0) frequencies.set(word, count);
    }
    for (const [word, count] of read) known.keepFrequency(word, count);
    return frequencies;
  }

  /** The documents that fit a query best, the best first; ties by id. */
  async search(
    query: WordQuery,
    { limit, within, weights, having }: SearchOptions<F>,
  ): Promise<FoundDocument[]> {
    const { terms, most } = await this.#terms(query);
    if (terms.length === 0 || limit <= 0) return [];
    const { known, documents } = await this.#open();
    const allowed = within ? inOrder((await documents.numbersOf(within)).keys()) : null;
    if (allowed?.length === 0) return [];
    const scoring = await this.#scoring({ weights, having });
    const scores = known.scores();
    const left = this.#mostBehind(terms, scoring, known);
    const tally = new Tally(scores, left[0] ?? 0);
    for (const [at, term] of terms.entries()) {
      const { worth } = term;
      tally.close(limit, left[at] ?? 0);
      const among = tally.candidates ?? allowed;
      const impacts = known.impacts(scoring.name, term.word) ?? (await this.#impacts(term, scoring, among));
      const { docs, shares } = impacts;
      if (among) eachAmong(impacts, among, (doc, share) => tally.add(doc, scoring.points(worth, share)));
      else
        for (let at = 0; at < docs.length; at++)
          tally.add(docs[at] ?? 0, scoring.points(worth, shares[at] ?? 0));
    }
    const { above, tied } = tally.best(limit);
    tally.done();
    known.giveBack(scores);
    const best = [...(await this.#named(above)), ...(await this.#firstOf(tied, limit - above.length))];
    return best
      .map(({ id, score }) => ({ id, score: score / most }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  /** The scores that documents get for a query, by id; those that have none of its words are left out. */
  async scores(
    query: WordQuery,
    ids: Iterable<string>,
    weighing: Weighing<F> = {},
  ): Promise<Map<string, number>> {
    const { known, documents } = await this.#open();
    const numbers = await documents.numbersOf(ids);
    if (numbers.size === 0) return new Map();
    const { terms, most } = await this.#terms(query);
    const wanted = inOrder(numbers.keys());
    const scoring = await this.#scoring(weighing);
    const sums = new Map<number, number>();
    for (const term of terms) {
      const impacts = known.impacts(scoring.name, term.word) ?? (await this.#impacts(term, scoring, wanted));
      eachAmong(impacts, wanted, (doc, share) =>
        sums.set(doc, (sums.get(doc) ?? 0) + scoring.points(term.worth, share)),
      );
    }
    return new Map([...sums].map(([doc, sum]) => [numbers.get(doc) ?? '', sum / most]));
  }

  /** What documents say, by id: lengths of their fields, and counts per field by word; of those that there are. */
  async documents(ids: Iterable<string>): Promise<Map<string, StoredDocument>> {
    return (await this.#open()).documents.documents(ids);
  }

  /** The ids of all documents, in no order. */
  async ids(): Promise<string[]> {
    return (await this.#open()).documents.all();
  }

  /** The words of a query that are there, with the most telling first; and the largest score that one could get. */
  async #terms(query: WordQuery): Promise<{ terms: Term[]; most: number }> {
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

  /** Of each word, the most that it and those behind it can add to a score. */
  #mostBehind(terms: readonly Term[], scoring: Scoring<F>, known: KnownTerms): readonly number[] {
    let sum = 0;
    const sums = [...terms].reverse().map(({ word, worth }) => {
      const most = known.impacts(scoring.name, word)?.most ?? 1 + scoring.having;
      sum += scoring.points(worth, most);
      return sum * ROUNDING;
    });
    return sums.reverse();
  }

  async #scoring(weighing: Weighing<F>): Promise<Scoring<F>> {
    return new Scoring(this.type, (await this.#open()).header, weighing);
  }

  /** What a word counts, and where, of one of which that is not kept. @param wanted The only documents that matter, in ascending order; null: all. */
  async #impacts(
    { word, record }: Term,
    scoring: Scoring<F>,
    wanted: ArrayLike<number> | null,
  ): Promise<Impacts> {
    const { known, documents } = await this.#open();
    const chunks = [...(record.chunks?.keys() ?? [])];
    const needed = wanted && new Set(Array.from(wanted, chunkOfDoc));
    const some = needed ? chunks.filter((chunk) => needed.has(chunk)) : chunks;
    if (some.length < FEW * chunks.length) {
      await documents.needLengths(some);
      return scoring.impactsOf(await this.#chunks(word, some, true), known.lengths);
    }
    await documents.needLengths(record.postings ? new Set(record.postings.docs.map(chunkOfDoc)) : chunks);
    const parts = record.postings ? [record.postings] : await this.#chunks(word, chunks, false);
    const impacts = scoring.impactsOf(parts, known.lengths);
    known.keepImpacts(scoring.name, word, impacts);
    return impacts;
  }

  /** @param kept Whether they are asked for again. */
  async #chunks(word: string, chunks: readonly number[], kept: boolean): Promise<Postings[]> {
    const opened = await this.#open();
    const { known } = opened;
    const names = chunks.map((chunk) => opened.names.chunk(word, chunk));
    const missing = names.filter((name) => known.chunk(name) === undefined);
    const found = await this.#read(missing);
    const read = new Map(
      missing.map((name, at) => {
        const bytes = found[at];
        return [name, bytes ? chunkOf(bytes) : NO_POSTINGS];
      }),
    );
    const all = names.map((name) => known.chunk(name) ?? read.get(name) ?? NO_POSTINGS);
    if (kept) for (const [name, postings] of read) known.keepChunk(name, postings);
    return all;
  }

  async #records(words: readonly string[]): Promise<Map<string, TermRecord>> {
    const { known, names } = await this.#open();
    const missing = words.filter((word) => known.term(word) === undefined);
    const found = await this.#read(missing.map((word) => names.term(word)));
    const read = new Map(
      missing.map((word, at) => {
        const bytes = found[at];
        return [word, bytes ? termOf(bytes) : null];
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

  async #named(docs: readonly ScoredDocument[]): Promise<FoundDocument[]> {
    const ids = await (await this.#open()).documents.idsOf(docs.map(({ doc }) => doc));
    return docs.map(({ doc, score }) => ({ id: ids.get(doc) ?? '', score }));
  }

  /** Those of some documents that come first by id. */
  async #firstOf(docs: readonly ScoredDocument[], most: number): Promise<FoundDocument[]> {
    const first: FoundDocument[] = [];
    const cut = () => first.sort((a, b) => (a.id < b.id ? -1 : 1)).splice(most);
    for (const one of await this.#named(docs)) if (first.push(one) > most + GATHERED) cut();
    cut();
    return first;
  }

  async #read(names: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return names.length === 0 ? [] : this.shelf.blobs(names, this.type.layer);
  }

  async #open(): Promise<Opened> {
    if (this.#opened) return this.#opened;
    const [bytes] = await this.#read([headerName(this.type)]);
    const header = headerOf(bytes);
    const names = new IndexNames(this.type, header);
    const known = this.#knownTerms(header);
    this.#opened = {
      header,
      names,
      known,
      documents: new DocumentShelf(this.shelf, this.type, names, known),
    };
    return this.#opened;
  }

  /** What is kept beside the graph of this generation; a run that may write keeps what it reads to itself. */
  #knownTerms(header: IndexHeader): KnownTerms {
    const { version, kept } = this.shelf;
    return version === null ? new KnownTerms(header) : kept(KNOWN_INDEXES).of(this.type.name, header);
  }
}

function inOrder(numbers: Iterable<number>): Int32Array {
  return Int32Array.from(numbers).sort();
}
