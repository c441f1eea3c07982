import type { ReadContext } from '../../runtime/index.js';
import { ID_DOCS, idsIn } from './by-number.js';
import type { TextIndexType } from './definition.js';
import { documentOf, idsOf, type StoredDocument, wordsOf } from './documents.js';
import { groupOf } from './group-record.js';
import type { KnownTerms } from './known-terms.js';
import type { IndexNames } from './names.js';
import { CHUNK_DOCS } from './records.js';

/** What is stored of the documents of an index, as one run reads it. */
export class DocumentShelf {
  constructor(
    private readonly shelf: Pick<ReadContext, 'blobs' | 'blobsUnder'>,
    private readonly type: Pick<TextIndexType, 'layer' | 'fields' | 'groupOf'>,
    private readonly names: IndexNames,
    private readonly known: KnownTerms,
  ) {}

  /** The ids of all documents, in no order. */
  async all(): Promise<string[]> {
    const ids: string[] = [];
    for await (const page of this.shelf.blobsUnder(this.names.group(''), this.type.layer))
      for (const { value } of page) ids.push(...idsOf(groupOf(value).made));
    return ids;
  }

  /** What documents say, by id; of those that there are. */
  async documents(ids: Iterable<string>): Promise<Map<string, StoredDocument>> {
    const wanted = new Set(ids);
    const documents = new Map<string, StoredDocument>();
    for (const bytes of await this.#groups(wanted)) {
      const { made } = groupOf(bytes);
      const words = wordsOf(made);
      for (const [at, id] of idsOf(made).entries())
        if (wanted.has(id)) documents.set(id, documentOf(this.type, id, words, at));
    }
    return documents;
  }

  /** Ids by number. */
  async idsOf(numbers: readonly number[]): Promise<Map<number, string>> {
    const ids = new Map<number, string>();
    const missing = new Set<number>();
    for (const number of numbers) {
      const id = this.known.id(number);
      if (id === undefined) missing.add(Math.floor(number / ID_DOCS));
      else ids.set(number, id);
    }
    const wanted = new Set(numbers);
    const stretches = [...missing];
    const found = await this.#read(stretches.map((stretch) => this.names.ids(stretch)));
    for (const [at, stretch] of stretches.entries())
      for (const [place, id] of idsIn(found[at] ?? new Uint8Array(0))) {
        const number = stretch * ID_DOCS + place;
        if (!wanted.has(number)) continue;
        ids.set(number, id);
        this.known.keepId(id, number);
      }
    return ids;
  }

  /** Ids by number, of those that are documents here. */
  async numbersOf(ids: Iterable<string>): Promise<Map<number, string>> {
    const all = [...new Set(ids)];
    const missing = all.filter((id) => this.known.number(id) === undefined);
    const read = new Map<string, number>();
    for (const bytes of await this.#groups(missing)) {
      const { numbers, made } = groupOf(bytes);
      for (const [at, id] of idsOf(made).entries()) read.set(id, numbers[at] ?? 0);
    }
    const numbers = new Map<number, string>();
    for (const id of all) {
      const number = this.known.number(id) ?? read.get(id) ?? null;
      if (number !== null) numbers.set(number, id);
    }
    for (const id of missing) this.known.keepId(id, read.get(id) ?? null);
    return numbers;
  }

  /** Reads the lengths of documents, by the stretches of their numbers, into what is known. */
  async needLengths(stretches: Iterable<number>): Promise<void> {
    const missing = [...stretches].filter((stretch) => !this.known.hasLengths(stretch));
    const found = await this.#read(missing.map((stretch) => this.names.lengths(stretch)));
    for (const [at, stretch] of missing.entries())
      this.known.keepLengths(stretch, found[at] ?? new Uint8Array(0));
  }

  /** The groups that documents belong to, each once; those that are there. */
  async #groups(ids: Iterable<string>): Promise<Uint8Array[]> {
    const groups = new Set(Array.from(ids, (id) => this.type.groupOf(id)));
    const found = await this.#read(Array.from(groups, (group) => this.names.group(group)));
    return found.filter((bytes) => bytes !== undefined);
  }

  async #read(names: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return names.length === 0 ? [] : this.shelf.blobs(names, this.type.layer);
  }
}

/** The chunk or stretch that a document belongs to. */
export function chunkOfDoc(number: number): number {
  return Math.floor(number / CHUNK_DOCS);
}
