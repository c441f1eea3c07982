import { ByteWriter } from './bytes.js';
import type { TextIndexType } from './definition.js';
import type { IndexNames } from './names.js';
import { changedPostings, NO_POSTINGS, type OpenPostings, type Postings, stretches } from './postings.js';
import {
  CHUNK_DOCS,
  chunkBytes,
  chunkOf,
  frequencyOf,
  INLINE_POSTINGS,
  longerChunk,
  longerTerm,
  type TermRecord,
  termBytes,
  termOf,
} from './records.js';
import type { WritableShelf } from './writer.js';

/** What is new of words: postings, of documents that have the word no more with counts of `GONE`. */
export type TermChanges = ReadonlyMap<string, OpenPostings>;

/** Records that are read in one round trip. */
const AT_ONCE = 2000;

interface DueChunk {
  readonly word: string;
  readonly chunk: number;
  readonly changes: Postings;
}

/** Brings the records of words up to date. */
export class TermWriter {
  readonly #scratch = new ByteWriter();

  /** @param isFresh Whether there is nothing yet. */
  constructor(
    private readonly shelf: WritableShelf,
    private readonly type: TextIndexType,
    private readonly names: IndexNames,
    private readonly isFresh: boolean,
  ) {}

  async change(changes: TermChanges): Promise<void> {
    const words = [...changes.keys()].sort();
    for (let from = 0; from < words.length; from += AT_ONCE)
      await this.#changeSome(words.slice(from, from + AT_ONCE), changes);
  }

  async #changeSome(words: readonly string[], changes: TermChanges): Promise<void> {
    const stored = await this.#read(words.map((word) => this.names.term(word)));
    /** How many postings there are by chunk, of common words. */
    const chunked = new Map<string, Map<number, number>>();
    const due: DueChunk[] = [];
    for (const [at, word] of words.entries()) {
      const bytes = stored[at];
      const own = changes.get(word) ?? NO_POSTINGS;
      const longer = bytes && longerTerm(this.#scratch, bytes, own);
      if (longer) {
        this.#put(this.names.term(word), longer);
        continue;
      }
      const record: TermRecord = bytes ? termOf(bytes) : { postings: NO_POSTINGS, chunks: null };
      if (record.chunks) {
        chunked.set(word, new Map(record.chunks));
        for (const [chunk, part] of stretches(own, CHUNK_DOCS)) due.push({ word, chunk, changes: part });
        continue;
      }
      const postings = changedPostings(record.postings, own);
      if (postings.docs.length <= INLINE_POSTINGS) this.#putTerm(word, { postings, chunks: null });
      else this.#putChunks(word, postings);
    }
    for (let from = 0; from < due.length; from += AT_ONCE)
      await this.#changeChunks(due.slice(from, from + AT_ONCE), chunked);
    for (const [word, chunks] of chunked) this.#putTerm(word, { postings: null, chunks });
  }

  /** A word that became common. */
  #putChunks(word: string, postings: Postings): void {
    const chunks = new Map<number, number>();
    for (const [chunk, part] of stretches(postings, CHUNK_DOCS)) {
      chunks.set(chunk, part.docs.length);
      this.#put(this.names.chunk(word, chunk), chunkBytes(part));
    }
    this.#putTerm(word, { postings: null, chunks });
  }

  async #changeChunks(
    due: readonly DueChunk[],
    chunked: ReadonlyMap<string, Map<number, number>>,
  ): Promise<void> {
    const found = await this.#read(due.map(({ word, chunk }) => this.names.chunk(word, chunk)));
    for (const [at, { word, chunk, changes }] of due.entries()) {
      const bytes = found[at];
      const chunks = chunked.get(word);
      const longer = bytes && longerChunk(this.#scratch, bytes, changes);
      if (longer) {
        this.#put(this.names.chunk(word, chunk), longer.bytes);
        chunks?.set(chunk, longer.size);
        continue;
      }
      const before = bytes ? chunkOf(bytes) : NO_POSTINGS;
      const after = changedPostings(before, changes);
      const size = after.docs.length;
      this.#put(this.names.chunk(word, chunk), size === 0 ? undefined : chunkBytes(after));
      if (size === 0) chunks?.delete(chunk);
      else chunks?.set(chunk, size);
    }
  }

  async #read(names: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return this.isFresh ? [] : this.shelf.blobs(names, this.type.layer);
  }

  #putTerm(word: string, record: TermRecord): void {
    const bytes = frequencyOf(record) === 0 ? undefined : termBytes(record);
    this.#put(this.names.term(word), bytes);
  }

  #put(name: string, value: Uint8Array | undefined): void {
    this.shelf.putBlob(name, value, this.type.layer);
  }
}
