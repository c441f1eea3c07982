import type { WriteContext } from '../../runtime/index.js';
import { ByteWriter } from './bytes.js';
import type { TextIndexType } from './definition.js';
import {
  documentBytes,
  documentIdOf,
  documentLength,
  documentOf,
  documentsIn,
  readDocument,
  type StoredDocument,
} from './documents.js';
import { IndexNames } from './names.js';
import { GONE, type OpenPostings, openPostings } from './postings.js';
import { headerBytes, headerOf, numberBytes, numberOf } from './records.js';
import { TermWriter } from './term-changes.js';

/** What a writer needs of a run. */
export type WritableShelf = Pick<WriteContext, 'blobs' | 'blobsUnder' | 'putBlob'>;

/** A document that changes, by its number. */
interface Change {
  readonly id: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | null;
}

/**
 * Changes an index of texts in the run's own commit, with the records that it speaks of: neither is there without the
 * other. Puts and removals wait until {@link TextIndexWriter.flush}; nothing is read before. What is put as it is there
 * already costs two look-ups and writes nothing.
 */
export class TextIndexWriter<F extends string> {
  readonly #shelf: WritableShelf;
  readonly #type: TextIndexType<F>;
  readonly #names: IndexNames;
  /** Documents as they are stored, by id; null: removed. */
  #waiting = new Map<string, Uint8Array | null>();

  constructor(shelf: WritableShelf, type: TextIndexType<F>) {
    this.#shelf = shelf;
    this.#type = type;
    this.#names = new IndexNames(type);
  }

  /** How many documents wait for {@link TextIndexWriter.flush}. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Of what stays behind {@link TextIndexWriter.clear}: the count of changes that readers tell states apart by. */
  get headerName(): string {
    return this.#names.header;
  }

  /** Takes a document in; one with this id is replaced. Fields that are absent are empty. */
  put(id: string, fields: Readonly<Partial<Record<F, readonly string[]>>>): void {
    const all = this.#type.fields;
    const words = new Map<string, number[]>();
    for (const [at, field] of all.entries())
      for (const word of fields[field] ?? []) {
        const counts = words.get(word) ?? new Array<number>(all.length).fill(0);
        counts[at] = (counts[at] ?? 0) + 1;
        words.set(word, counts);
      }
    this.#waiting.set(id, documentBytes(new ByteWriter(), { id, words }, all.length));
  }

  /** Takes in what `madeDocuments` made. The ids of the documents. */
  putMade(made: Uint8Array): string[] {
    const ids: string[] = [];
    for (const bytes of documentsIn(made)) {
      const id = documentIdOf(bytes);
      this.#waiting.set(id, bytes);
      ids.push(id);
    }
    return ids;
  }

  /** Takes a document out; one that is not there is no error. */
  remove(id: string): void {
    this.#waiting.set(id, null);
  }

  /** The ids that begin with this, of documents that are committed. */
  async idsUnder(prefix: string): Promise<string[]> {
    const ids: string[] = [];
    const start = this.#names.number('');
    for await (const page of this.#shelf.blobsUnder(this.#names.number(prefix), this.#type.layer))
      for (const { name } of page) ids.push(name.slice(start.length));
    return ids;
  }

  /** Writes what waits, into the run's commit. */
  async flush(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#waiting = new Map();
    const [bytes] = await this.#read([this.#names.header]);
    const header = headerOf(bytes);
    let { next, size } = header;
    const isFresh = next === 0;
    const numbers = isFresh ? [] : await this.#read(waiting.map(([id]) => this.#names.number(id)));
    const known = numbers.map((found) => (found ? numberOf(found) : undefined));
    const stored = isFresh ? [] : await this.#documents(known);
    const changes: [number: number, change: Change][] = [];
    for (const [at, [id, after]] of waiting.entries()) {
      const before = stored[at];
      if (before ? after !== null && Buffer.compare(before, after) === 0 : after === null) continue;
      changes.push([known[at] ?? next++, { id, before, after }]);
      size += (after ? 1 : 0) - (before ? 1 : 0);
    }
    if (changes.length === 0) return;
    const lengths = this.#type.fields.map((_, field) => header.lengths[field] ?? 0);
    const terms = new Map<string, OpenPostings>();
    // Postings are ordered by these numbers.
    for (const [number, change] of changes.sort(([a], [b]) => a - b))
      this.#write(number, change, terms, lengths);
    await new TermWriter(this.#shelf, this.#type, this.#names, isFresh).change(terms);
    this.#put(this.#names.header, headerBytes({ generation: header.generation + 1, next, size, lengths }));
  }

  /** Takes everything out, what waits too; only the header stays. */
  async clear(): Promise<void> {
    this.#waiting = new Map();
    const [bytes] = await this.#read([this.#names.header]);
    for await (const page of this.#shelf.blobsUnder(this.#names.prefix, this.#type.layer))
      for (const { name } of page) this.#put(name, undefined);
    const { generation } = headerOf(bytes);
    this.#put(this.#names.header, headerBytes({ generation: generation + 1, next: 0, size: 0, lengths: [] }));
  }

  #put(name: string, value: Uint8Array | undefined): void {
    this.#shelf.putBlob(name, value, this.#type.layer);
  }

  #read(names: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return this.#shelf.blobs(names, this.#type.layer);
  }

  async #documents(numbers: readonly (number | undefined)[]): Promise<(Uint8Array | undefined)[]> {
    const there = numbers.filter((number) => number !== undefined);
    const found = await this.#read(there.map((number) => this.#names.document(number)));
    const byNumber = new Map(there.map((number, at) => [number, found[at]]));
    return numbers.map((number) => (number === undefined ? undefined : byNumber.get(number)));
  }

  /** Writes one document, and notes what its words have to be told. */
  #write(
    number: number,
    { id, before, after }: Change,
    terms: Map<string, OpenPostings>,
    lengths: number[],
  ): void {
    this.#put(this.#names.document(number), after ?? undefined);
    if (!before || !after) this.#put(this.#names.number(id), after ? numberBytes(number) : undefined);
    const fields = this.#type.fields.length;
    const postingsOf = (word: string): OpenPostings => {
      const postings = terms.get(word) ?? openPostings();
      if (postings.docs.length === 0) terms.set(word, postings);
      return postings;
    };
    const grow = (more: readonly number[], sign: 1 | -1) => {
      for (const field of lengths.keys()) lengths[field] = (lengths[field] ?? 0) + sign * (more[field] ?? 0);
    };
    if (!before && after) {
      let length = -1;
      const { lengths: own } = readDocument(after, fields, (word, read, lengths) => {
        if (length < 0) length = documentLength(this.#type, { lengths });
        const { docs, lengths: known, counts } = postingsOf(word);
        docs.push(number);
        known.push(length);
        read(counts);
      });
      grow(own, 1);
      return;
    }
    const old = before ? documentOf(before, fields) : NOTHING;
    const young = after ? documentOf(after, fields) : NOTHING;
    grow(old.lengths, -1);
    grow(young.lengths, 1);
    const note = (word: string, length: number, counts: readonly number[]) => {
      const known = postingsOf(word);
      known.docs.push(number);
      known.lengths.push(length);
      for (let field = 0; field < fields; field++) known.counts.push(counts[field] ?? 0);
    };
    for (const word of old.words.keys()) if (!young.words.has(word)) note(word, GONE, []);
    const length = documentLength(this.#type, young);
    const known = documentLength(this.#type, old) === length ? old : NOTHING;
    for (const [word, counts] of young.words)
      if (!isEqual(known.words.get(word), counts)) note(word, length, counts);
  }
}

/** A document without words. */
const NOTHING: Omit<StoredDocument, 'id'> = { lengths: [], words: new Map() };

function isEqual(a: readonly number[] | undefined, b: readonly number[]): boolean {
  return a !== undefined && a.length === b.length && a.every((value, at) => value === b[at]);
}
