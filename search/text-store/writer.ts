import type { WriteContext } from '../../runtime/index.js';
import { type TextIndexType, weightedLength } from './definition.js';
import { IndexNames } from './names.js';
import { lengthCode, type Posting } from './postings.js';
import {
  documentBytes,
  documentOf,
  headerBytes,
  headerOf,
  numberBytes,
  numberOf,
  type StoredDocument,
} from './records.js';
import { changeTerms, type TermChanges } from './term-changes.js';

/** What a writer needs of a run. */
export type WritableShelf = Pick<WriteContext, 'blobs' | 'blobsUnder' | 'putBlob'>;

/**
 * Changes an index of texts in the run's own commit, with the records that it speaks of: neither is there without the
 * other. Puts and removals wait until {@link TextIndexWriter.flush}; nothing is read before. What is put as it is there
 * already costs two look-ups and writes nothing.
 */
export class TextIndexWriter<F extends string> {
  readonly #shelf: WritableShelf;
  readonly #type: TextIndexType<F>;
  readonly #names: IndexNames;
  /** By id; null: removed. */
  #waiting = new Map<string, StoredDocument | null>();

  constructor(shelf: WritableShelf, type: TextIndexType<F>) {
    this.#shelf = shelf;
    this.#type = type;
    this.#names = new IndexNames(type);
  }

  /** How many documents wait for {@link TextIndexWriter.flush}. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes a document in; one with this id is replaced. Fields that are absent are empty. */
  put(id: string, fields: Readonly<Partial<Record<F, readonly string[]>>>): void {
    this.#waiting.set(id, this.#document(id, fields));
  }

  /** Takes a document out; one that is not there is no error. */
  remove(id: string): void {
    this.#waiting.set(id, null);
  }

  /** Writes what waits, into the run's commit. */
  async flush(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#waiting = new Map();
    const { layer } = this.#type;
    const [bytes, ...numbers] = await this.#shelf.blobs(
      [this.#names.header, ...waiting.map(([id]) => this.#names.number(id))],
      layer,
    );
    const header = headerOf(bytes);
    let { next, size } = header;
    const lengths = this.#type.fields.map((_, field) => header.lengths[field] ?? 0);
    const known = numbers.map((found) => (found ? numberOf(found) : undefined));
    const stored = await this.#documents(known);
    const changes: TermChanges = new Map();
    let isChanged = false;
    for (const [at, [id, after]] of waiting.entries()) {
      const before = stored[at];
      if (before ? after !== null && isSame(before, after) : after === null) continue;
      isChanged = true;
      const number = known[at] ?? next++;
      for (const field of lengths.keys())
        lengths[field] = (lengths[field] ?? 0) + (after?.lengths[field] ?? 0) - (before?.lengths[field] ?? 0);
      size += (after ? 1 : 0) - (before ? 1 : 0);
      this.#note(changes, number, before, after);
      this.#put(this.#names.document(number), after ? documentBytes(after) : undefined);
      if (!before || !after) this.#put(this.#names.number(id), after ? numberBytes(number) : undefined);
    }
    if (!isChanged) return;
    await changeTerms(this.#shelf, this.#type, this.#names, changes);
    this.#put(this.#names.header, headerBytes({ generation: header.generation + 1, next, size, lengths }));
  }

  /** Takes everything out, what waits too. */
  async clear(): Promise<void> {
    this.#waiting = new Map();
    const { layer } = this.#type;
    const [bytes] = await this.#shelf.blobs([this.#names.header], layer);
    for await (const page of this.#shelf.blobsUnder(this.#names.prefix, layer))
      for (const { name } of page) this.#put(name, undefined);
    const { generation } = headerOf(bytes);
    this.#put(this.#names.header, headerBytes({ generation: generation + 1, next: 0, size: 0, lengths: [] }));
  }

  #put(name: string, value: Uint8Array | undefined): void {
    this.#shelf.putBlob(name, value, this.#type.layer);
  }

  async #documents(numbers: readonly (number | undefined)[]): Promise<(StoredDocument | undefined)[]> {
    const there = numbers.filter((number) => number !== undefined);
    const found = await this.#shelf.blobs(
      there.map((number) => this.#names.document(number)),
      this.#type.layer,
    );
    const byNumber = new Map(there.map((number, at) => [number, found[at]]));
    return numbers.map((number) => {
      const bytes = number === undefined ? undefined : byNumber.get(number);
      return bytes && documentOf(bytes, this.#type.fields.length);
    });
  }

  /** What a document says, in an order of its own: the same words make the same bytes. */
  #document(id: string, fields: Readonly<Partial<Record<F, readonly string[]>>>): StoredDocument {
    const all = this.#type.fields;
    const words = new Map<string, number[]>();
    for (const [at, field] of all.entries())
      for (const word of fields[field] ?? []) {
        const counts = words.get(word) ?? new Array<number>(all.length).fill(0);
        counts[at] = (counts[at] ?? 0) + 1;
        words.set(word, counts);
      }
    return {
      id,
      lengths: all.map((field) => fields[field]?.length ?? 0),
      words: new Map([...words].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }

  /** What the words of a document have to be told. */
  #note(
    changes: TermChanges,
    number: number,
    before: StoredDocument | undefined,
    after: StoredDocument | null,
  ): void {
    const note = (word: string, posting: Posting | null) => {
      const known = changes.get(word);
      if (known) known.set(number, posting);
      else changes.set(word, new Map([[number, posting]]));
    };
    const length = after ? lengthCode(weightedLength(this.#type, after.lengths)) : 0;
    const sameLength = before && after && lengthCode(weightedLength(this.#type, before.lengths)) === length;
    for (const word of before?.words.keys() ?? []) if (!after?.words.has(word)) note(word, null);
    for (const [word, counts] of after?.words ?? [])
      if (!sameLength || !isEqual(before.words.get(word), counts))
        note(word, { doc: number, length, counts });
  }
}

function isSame(a: StoredDocument, b: StoredDocument): boolean {
  if (!isEqual(a.lengths, b.lengths) || a.words.size !== b.words.size) return false;
  for (const [word, counts] of a.words) if (!isEqual(b.words.get(word), counts)) return false;
  return true;
}

function isEqual(a: readonly number[] | undefined, b: readonly number[]): boolean {
  return a !== undefined && a.length === b.length && a.every((value, at) => value === b[at]);
}
