import type { WriteContext } from '../../runtime/index.js';
import { append } from '../../schema/index.js';
import { changedIds, changedLengths, ID_DOCS } from './by-number.js';
import { ByteWriter } from './bytes.js';
import type { TextIndexType } from './definition.js';
import { DocumentChanges, type KnownSide } from './document-changes.js';
import { idsOf, madeDocuments, wordsOf } from './documents.js';
import { type GroupRecord, groupBytes, groupOf } from './group-record.js';
import { clearedHeader, headerBytes, headerOf, type IndexHeader } from './header.js';
import { familyPrefix, headerName, IndexNames } from './names.js';
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
import { sweepBlobs } from './sweep.js';

/** What is new of words: postings, of documents that have the word no more with counts of `GONE`. */
type TermChanges = ReadonlyMap<string, OpenPostings>;

/** Records that are read in one round trip. */
const AT_ONCE = 2000;

interface DueChunk {
  readonly word: string;
  readonly chunk: number;
  readonly changes: Postings;
}

/** Brings the records of words up to date. */
class TermWriter {
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

/** What a writer needs of a run. */
export type WritableShelf = Pick<WriteContext, 'blobs' | 'blobsUnder' | 'putBlob'>;

/**
 * Changes an index of texts in the run's own commit, with the records that it speaks of: neither is there without the
 * other. Puts and removals wait until {@link TextIndexWriter.flush}; nothing is read before. A group that is put as it is
 * there already costs one look-up and writes nothing.
 */
export class TextIndexWriter<F extends string> {
  /** Groups as `madeDocuments` makes them, by name; null: removed. */
  #waiting = new Map<string, Uint8Array | null>();

  constructor(
    private readonly shelf: WritableShelf,
    private readonly type: TextIndexType<F>,
  ) {}

  /** How many groups wait for {@link TextIndexWriter.flush}. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Of what stays behind {@link TextIndexWriter.clear}: the count of changes that readers tell states apart by. */
  get headerName(): string {
    return headerName(this.type);
  }

  /**
   * Takes a document in that is a group of its own; one with this id is replaced. Fields that are absent are empty.
   */
  put(id: string, fields: Readonly<Partial<Record<F, readonly string[]>>>): void {
    const all = this.type.fields;
    const words = new Map<string, number[]>();
    for (const [at, field] of all.entries())
      for (const word of fields[field] ?? []) {
        const counts = words.get(word) ?? new Array<number>(all.length).fill(0);
        counts[at] = (counts[at] ?? 0) + 1;
        words.set(word, counts);
      }
    this.putGroup(id, madeDocuments([{ id, words }]));
  }

  /** Takes out a document that is a group of its own; one that is not there is no error. */
  remove(id: string): void {
    this.removeGroup(id);
  }

  /** Takes in the documents of a group, all that it has from now on. @param made By `madeDocuments`. */
  putGroup(group: string, made: Uint8Array): void {
    this.#waiting.set(group, made);
  }

  /** Takes out a group; one that is not there is no error. */
  removeGroup(group: string): void {
    this.#waiting.set(group, null);
  }

  /** Writes what waits, into the run's commit. */
  async flush(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#waiting = new Map();
    const header = await this.#header();
    const names = new IndexNames(this.type, header);
    const isFresh = header.next === 0;
    const stored = isFresh ? [] : await this.#read(waiting.map(([group]) => names.group(group)));
    const changes = new DocumentChanges(this.type, header);
    for (const [at, [group, made]] of waiting.entries()) {
      const bytes = stored[at];
      const before = bytes ? groupOf(bytes) : null;
      if (before && made ? Buffer.compare(before.made, made) === 0 : before === made) continue;
      const numbers = changes.take(
        before && knownSide(before),
        made && { ids: idsOf(made), ...wordsOf(made) },
      );
      this.#put(names.group(group), made && numbers.length > 0 ? groupBytes({ numbers, made }) : undefined);
    }
    if (changes.isEmpty) return;
    const { terms, lengths, ids, next } = changes.result();
    await new TermWriter(this.shelf, this.type, names, isFresh).change(terms);
    await this.#changeStretches(lengths, CHUNK_DOCS, (stretch) => names.lengths(stretch), changedLengths);
    await this.#changeStretches(ids, ID_DOCS, (stretch) => names.ids(stretch), changedIds);
    this.#putHeader({ ...next, generation: header.generation + 1 });
  }

  /**
   * Takes everything out, what waits too. It is found no more, and {@link TextIndexWriter.sweep} takes away what is left
   * of it.
   */
  async clear(): Promise<void> {
    this.#waiting = new Map();
    this.#putHeader(clearedHeader(await this.#header()));
  }

  /**
   * Takes away some of what no reader finds any more: what clears left, and other forms of this index.
   *
   * @param most How many bytes' names one commit is meant for.
   * @returns How many they were: where they are fewer than `most`, nothing is left.
   */
  async sweep(most: number): Promise<number> {
    const { prefix } = new IndexNames(this.type, await this.#header());
    const isOver = (name: string) => !name.startsWith(prefix) && name !== this.headerName;
    return sweepBlobs(
      this.shelf,
      { prefix: familyPrefix(`${this.type.name}/`), layer: this.type.layer, most },
      isOver,
    );
  }

  #put(name: string, value: Uint8Array | undefined): void {
    this.shelf.putBlob(name, value, this.type.layer);
  }

  #putHeader(header: IndexHeader): void {
    this.#put(this.headerName, headerBytes(header));
  }

  async #header(): Promise<IndexHeader> {
    const [bytes] = await this.#read([this.headerName]);
    return headerOf(bytes);
  }

  #read(names: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return this.shelf.blobs(names, this.type.layer);
  }

  /** Brings what is stored by number up to date, stretch by stretch. */
  async #changeStretches<T>(
    changes: ReadonlyMap<number, T>,
    size: number,
    nameOf: (stretch: number) => string,
    changed: (before: Uint8Array | undefined, changes: readonly [number, T][]) => Uint8Array | undefined,
  ): Promise<void> {
    const stretches = new Map<number, [number, T][]>();
    for (const change of changes) {
      const stretch = Math.floor(change[0] / size);
      append(stretches, stretch, change);
    }
    const names = [...stretches.keys()].map(nameOf);
    const before = await this.#read(names);
    for (const [at, own] of [...stretches.values()].entries())
      this.#put(names[at] ?? '', changed(before[at], own));
  }
}

function knownSide({ numbers, made }: GroupRecord): KnownSide {
  return { numbers, ids: idsOf(made), ...wordsOf(made) };
}
