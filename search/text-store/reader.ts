import type { ReadContext, Slot } from '../../runtime/index.js';
import { damping, rarity, type WordQuery } from '../bm25.js';
import {
  CHUNK_DOCS,
  headerName,
  headerOf,
  ID_DOCS,
  type IndexHeader,
  IndexNames,
  LENGTHS,
  type TextIndexType,
  weightedLength,
} from './definition.js';
import { documentsIn, groupOf, idsIn, lengthsOf, type StoredDocument, stretchIds } from './documents.js';
import { chunkSizes, decodedCounts, eachPosting, frequencyOf, weightedCount } from './postings.js';

/** Postings that are cached decoded, of all words of an index together: 12 bytes each. */
const MOST_POSTINGS = 2_000_000;
/** Documents whose ids are cached: some 200 bytes each. */
const MOST_IDS = 100_000;

/** A document that has words of a query. */
export interface FoundDocument {
  readonly id: string;
  /** Of the largest score that any document could get for this query: from 0 to 1. */
  readonly score: number;
}

/** What fields count. */
interface Weighing<F extends string> {
  /** What a word in each field counts; fields left out count nothing. Default: the index's own. */
  readonly weights?: Readonly<Partial<Record<F, number>>>;
  /**
   * What having a word counts at all, besides how often and in how short a document it stands (1). It keeps short documents
   * from winning by their length alone (BM25+: Lv and Zhai, "Lower-bounding term frequency normalization", 2011). Default: 0.
   */
  readonly having?: number;
}

/** How a search is done. */
export interface SearchOptions<F extends string> extends Weighing<F> {
  /** The most documents that are wanted. */
  readonly limit: number;
  /** Ids of the documents that may be found. Default: all. */
  readonly within?: Iterable<string>;
}

/** What a reader needs of a run. */
export type ReadableShelf = Pick<ReadContext, 'blobs' | 'blobsUnder' | 'cached' | 'version'>;

/** Where a word stands, and what it counts there. */
interface Impacts {
  /** Numbers of documents, in ascending order; only those in which it counts anything. */
  readonly docs: Int32Array;
  /** The part of what the word is worth that each gets: BM25's share, from 0 to 1, and what having the word counts. */
  readonly shares: Float64Array;
}

/** What was read of one generation of an index. */
class IndexCache {
  readonly #impacts = new Map<string, Impacts>();
  readonly #frequencies = new Map<string, number>();
  readonly #ids = new Map<number, string>();
  readonly #numbers = new Map<string, number | null>();
  #postings = 0;

  /** @param lengths Codes of the lengths of documents, by number. */
  constructor(
    readonly header: IndexHeader,
    readonly lengths: Uint8Array,
  ) {}

  impacts(key: string): Impacts | undefined {
    return this.#impacts.get(key);
  }

  keepImpacts(key: string, impacts: Impacts): void {
    this.#grow(impacts.docs.length);
    this.#impacts.set(key, impacts);
  }

  frequency(word: string): number | undefined {
    return this.#frequencies.get(word);
  }

  keepFrequency(word: string, count: number): void {
    this.#grow(1);
    this.#frequencies.set(word, count);
  }

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

  #grow(more: number): void {
    this.#postings += more;
    if (this.#postings <= MOST_POSTINGS) return;
    this.#frequencies.clear();
    this.#impacts.clear();
    this.#postings = more;
  }
}

/** The newest generation of each index of a graph, by name. */
const INDEX_CACHES: Slot<Map<string, IndexCache>> = { name: 'words of text indexes', make: () => new Map() };

/** A word of a query that some document has. */
interface Term {
  readonly word: string;
  /** The most that the word can add to a score. */
  readonly worth: number;
}

/**
 * Ranks the documents of an index by BM25 over weighted fields: a word in a field of weight 2 counts as if it stood
 * there twice (Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", 2004). What is found
 * depends on the documents alone.
 */
export class TextIndexReader<F extends string> {
  #opened: Promise<{ readonly names: IndexNames; readonly cache: IndexCache }> | null = null;

  constructor(
    private readonly shelf: ReadableShelf,
    private readonly type: TextIndexType<F>,
  ) {}

  /** How many documents there are. */
  async size(): Promise<number> {
    return (await this.#open()).cache.header.size;
  }

  /** How many documents have each of the words; words that none has are left out. */
  async frequencies(words: Iterable<string>): Promise<Map<string, number>> {
    const { cache, names } = await this.#open();
    const counts = new Map([...words].map((word) => [word, cache.frequency(word)]));
    const missing = [...counts].flatMap(([word, count]) => (count === undefined ? [word] : []));
    const found = await this.#read(missing.map((word) => names.term(word)));
    for (const [at, word] of missing.entries()) counts.set(word, frequencyOf(found[at]));
    for (const word of missing) cache.keepFrequency(word, counts.get(word) ?? 0);
    return new Map([...counts].flatMap(([word, count = 0]) => (count > 0 ? [[word, count]] : [])));
  }

  /** The documents that fit a query best, the best first; ties by id. */
  async search(query: WordQuery, { limit, within, ...weighing }: SearchOptions<F>): Promise<FoundDocument[]> {
    const { scores, docs } = await this.#scored(query, weighing);
    const allowed = within ? await this.#numbersOf(within) : null;
    const found = allowed ? docs.filter((doc) => allowed.has(doc)) : docs;
    if (limit <= 0 || found.length === 0) return [];
    const ordered = Float64Array.from(found, (doc) => scores[doc] ?? 0).sort();
    const least = ordered[Math.max(0, ordered.length - limit)] ?? 0;
    // Of those with the score of the last, the ids decide.
    const best = found.filter((doc) => (scores[doc] ?? 0) >= least);
    const ids = await this.#idsOf(best);
    return best
      .map((doc) => ({ id: ids.get(doc) ?? '', score: scores[doc] ?? 0 }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }

  /** The scores that documents get for a query, by id; those that have none of its words are left out. */
  async scores(query: WordQuery, ids: Iterable<string>): Promise<Map<string, number>> {
    const numbers = await this.#numbersOf(ids);
    if (numbers.size === 0) return new Map();
    const { scores } = await this.#scored(query, {});
    return new Map([...numbers].flatMap(([doc, id]) => (scores[doc] ? [[id, scores[doc]] as const] : [])));
  }

  /** What documents say, by id: lengths of their fields, and counts per field by word; of those that there are. */
  async documents(ids: Iterable<string>): Promise<Map<string, StoredDocument>> {
    const wanted = new Set(ids);
    const fields = this.type.fields.length;
    const documents = new Map<string, StoredDocument>();
    for (const { made } of await this.#groups(wanted))
      for (const document of documentsIn(made)) {
        const { id, words, counts } = document;
        if (!wanted.has(id)) continue;
        const counted = new Map(words.map((word, at) => [word, decodedCounts(counts[at] ?? [], fields)]));
        documents.set(id, { id, lengths: lengthsOf(document, fields), words: counted });
      }
    return documents;
  }

  /** The ids of all documents, in no order. */
  async ids(): Promise<string[]> {
    const { names } = await this.#open();
    const ids: string[] = [];
    for await (const page of this.shelf.blobsUnder(names.group(''), this.type.layer))
      for (const { value } of page) ids.push(...idsIn(groupOf(value).made));
    return ids;
  }

  /** The score of every document that has a word of the query, by number; as a share of the largest that one could get. */
  async #scored(
    query: WordQuery,
    { weights, having = 0 }: Weighing<F>,
  ): Promise<{ scores: Float64Array; docs: number[] }> {
    const { cache } = await this.#open();
    const { header } = cache;
    const frequencies = await this.frequencies(query.keys());
    let most = 0;
    const terms: Term[] = [];
    for (const [word, weight] of query) {
      const worth = weight * rarity(header.size, frequencies.get(word) ?? 0);
      most += worth;
      if (frequencies.has(word)) terms.push({ word, worth });
    }
    // A fixed order makes sums of floating point numbers the same whatever the order of the query.
    terms.sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1));
    const used = this.type.fields.map((field) =>
      weights ? (weights[field] ?? 0) : this.type.weights[field],
    );
    const all = await this.#impacts(terms, used, having);
    const scores = new Float64Array(header.next);
    const docs: number[] = [];
    for (const [at, { worth }] of terms.entries()) {
      const { docs: having_, shares } = all[at] ?? NO_IMPACTS;
      for (let i = 0; i < having_.length; i++) {
        const doc = having_[i] ?? 0;
        const before = scores[doc] ?? 0;
        if (before === 0) docs.push(doc);
        scores[doc] = before + (worth * (shares[i] ?? 0)) / (1 + having);
      }
    }
    for (const doc of docs) scores[doc] = (scores[doc] ?? 0) / (most || 1);
    return { scores, docs };
  }

  /** What each word counts, and where. */
  async #impacts(terms: readonly Term[], weights: readonly number[], having: number): Promise<Impacts[]> {
    const { cache, names } = await this.#open();
    const scoring = `${weights.join(' ')} ${having}`;
    const keyOf = (word: string) => `${scoring} ${word}`;
    const missing = terms.filter(({ word }) => !cache.impacts(keyOf(word)));
    const records = await this.#read(missing.map(({ word }) => names.term(word)));
    const read = new Map<string, Impacts>();
    for (const [at, { word }] of missing.entries()) {
      const record = records[at];
      if (!record) continue;
      const chunks = chunkSizes(record);
      const parts = chunks
        ? await this.#read([...chunks.keys()].map((chunk) => names.chunk(word, chunk)))
        : [record];
      const impacts = this.#impactsOf(parts, weights, having, cache);
      read.set(word, impacts);
      cache.keepImpacts(keyOf(word), impacts);
    }
    return terms.map(({ word }) => read.get(word) ?? cache.impacts(keyOf(word)) ?? NO_IMPACTS);
  }

  #impactsOf(
    parts: readonly (Uint8Array | undefined)[],
    weights: readonly number[],
    having: number,
    { header, lengths }: IndexCache,
  ): Impacts {
    const usual = weightedLength(this.type, header.lengths) / Math.max(1, header.size);
    const dampings = LENGTHS.map((length) => damping(length, usual));
    const docs: number[] = [];
    const shares: number[] = [];
    for (const part of parts)
      if (part)
        eachPosting(part, (doc, counts) => {
          const count = weightedCount(counts, weights);
          if (count === 0) return;
          docs.push(doc);
          shares.push(count / (count + (dampings[lengths[doc] ?? 0] ?? 0)) + having);
        });
    return { docs: Int32Array.from(docs), shares: Float64Array.from(shares) };
  }

  /** Ids by number. */
  async #idsOf(numbers: readonly number[]): Promise<Map<number, string>> {
    const { cache, names } = await this.#open();
    const missing = numbers.filter((number) => cache.id(number) === undefined);
    const stretches = [...new Set(missing.map((number) => Math.floor(number / ID_DOCS)))];
    const found = await this.#read(stretches.map((stretch) => names.ids(stretch)));
    const read = new Map<number, string>();
    for (const [at, stretch] of stretches.entries())
      for (const [place, id] of stretchIds(found[at] ?? new Uint8Array(0)))
        read.set(stretch * ID_DOCS + place, id);
    const ids = new Map(numbers.map((number) => [number, cache.id(number) ?? read.get(number) ?? '']));
    for (const number of missing) cache.keepId(ids.get(number) ?? '', number);
    return ids;
  }

  /** Ids by number, of those that are documents here. */
  async #numbersOf(ids: Iterable<string>): Promise<Map<number, string>> {
    const { cache } = await this.#open();
    const all = [...new Set(ids)];
    const missing = all.filter((id) => cache.number(id) === undefined);
    const read = new Map<string, number>();
    for (const { numbers, made } of await this.#groups(missing))
      for (const [at, id] of idsIn(made).entries()) read.set(id, numbers[at] ?? 0);
    const found = new Map<number, string>();
    for (const id of all) {
      const number = read.get(id) ?? cache.number(id) ?? null;
      if (number !== null) found.set(number, id);
    }
    for (const id of missing) cache.keepId(id, read.get(id) ?? null);
    return found;
  }

  /** The groups of documents, each once; those that are there. */
  async #groups(ids: Iterable<string>) {
    const { names } = await this.#open();
    const groups = new Set(Array.from(ids, (id) => this.type.groupOf(id)));
    const found = await this.#read(Array.from(groups, (group) => names.group(group)));
    return found.flatMap((bytes) => (bytes ? [groupOf(bytes)] : []));
  }

  async #read(names: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return names.length === 0 ? [] : this.shelf.blobs(names, this.type.layer);
  }

  #open() {
    this.#opened ??= this.#opening();
    return this.#opened;
  }

  /** The newest generation is cached with the graph. A run that may write, or reads an older one, has a cache of its own. */
  async #opening() {
    const { version, cached } = this.shelf;
    const [bytes] = await this.#read([headerName(this.type)]);
    const header = headerOf(bytes);
    const names = new IndexNames(this.type, header);
    const caches = version === null ? null : cached(INDEX_CACHES);
    const known = caches?.get(this.type.name);
    if (known && JSON.stringify(known.header) === JSON.stringify(header)) return { names, cache: known };
    const stretches = Array.from({ length: Math.ceil(header.next / CHUNK_DOCS) }, (_, stretch) => stretch);
    const lengths = new Uint8Array(stretches.length * CHUNK_DOCS);
    for (const [stretch, codes] of (await this.#read(stretches.map((one) => names.lengths(one)))).entries())
      if (codes) lengths.set(codes, stretch * CHUNK_DOCS);
    const cache = new IndexCache(header, lengths);
    if (!known || header.generation >= known.header.generation) caches?.set(this.type.name, cache);
    return { names, cache };
  }
}

const NO_IMPACTS: Impacts = { docs: new Int32Array(), shares: new Float64Array() };

/** An index of texts, as a run reads it. */
export function readIndex<F extends string>(
  context: ReadableShelf,
  type: TextIndexType<F>,
): TextIndexReader<F> {
  return new TextIndexReader(context, type);
}

/** The words of an index that begin so, in byte order. */
export async function* wordsBeginning(
  { blobs, blobsUnder }: Pick<ReadContext, 'blobs' | 'blobsUnder'>,
  type: Pick<TextIndexType, 'name' | 'layer'>,
  beginning: string,
): AsyncGenerator<string> {
  const [header] = await blobs([headerName(type)], type.layer);
  const names = new IndexNames(type, headerOf(header));
  for await (const page of blobsUnder(names.term(beginning), type.layer))
    for (const { name } of page) yield name.slice(names.term('').length);
}
