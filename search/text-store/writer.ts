import type { WriteContext } from '../../runtime/index.js';
import { append, type Layer } from '../../schema/index.js';
import {
  CHUNK_DOCS,
  familyPrefix,
  headerName,
  headerOf,
  ID_DOCS,
  type IndexHeader,
  IndexNames,
  lengthCode,
  NO_DOCUMENTS,
  type TextIndexType,
} from './definition.js';
import {
  changedIds,
  changedLengths,
  documentsIn,
  type GroupDocument,
  groupBytes,
  groupOf,
  lengthsOf,
  type MadeDocument,
  madeDocuments,
} from './documents.js';
import {
  type Counts,
  changedPostings,
  chunkSizes,
  chunkSizesBytes,
  decodedCounts,
  Postings,
  postingsBytes,
} from './postings.js';

/** A word's own record holds as many postings; those of more common words are in chunks beside it. */
const INLINE_POSTINGS = 128;
/** Records that are read in one round trip. */
const AT_ONCE = 2000;
const GONE: Counts = [];

/** What a writer needs of a run. */
export type WritableShelf = Pick<WriteContext, 'blobs' | 'blobsUnder' | 'putBlob'>;

/** How the documents of an index change, and what changes with them. */
class DocumentChanges {
  /** Postings that are new, by word; of documents that have the word no more with counts of {@link GONE}. */
  readonly terms = new Map<string, Postings>();
  /** Codes of lengths, by number; 0: it is gone. */
  readonly lengths = new Map<number, number>();
  /** Ids that came, by number; null: it is gone. */
  readonly ids = new Map<number, string | null>();
  readonly #totals: number[];
  #next: number;
  #size: number;

  constructor(
    private readonly type: TextIndexType,
    private readonly header: IndexHeader,
  ) {
    this.#totals = type.fields.map((_, field) => header.lengths[field] ?? 0);
    this.#next = header.next;
    this.#size = header.size;
  }

  get isEmpty(): boolean {
    return this.lengths.size === 0;
  }

  /** The state of the index with the changes. */
  get changedHeader(): IndexHeader {
    const { generation, epoch } = this.header;
    return {
      generation: generation + 1,
      epoch,
      next: this.#next,
      size: this.#size,
      lengths: this.#totals,
    };
  }

  /** Replaces the documents of a group. The numbers of its documents: those that it had keep theirs. */
  take(stored: Uint8Array | null, made: Uint8Array | null): number[] {
    const group = stored && groupOf(stored);
    const before = group ? documentsIn(group.made) : [];
    const known = new Map(
      before.map((document, at) => [document.id, { document, number: group?.numbers[at] ?? 0 }]),
    );
    const numbers = (made ? documentsIn(made) : []).map((document) => {
      const old = known.get(document.id);
      known.delete(document.id);
      const number = old?.number ?? this.#next++;
      if (!old) this.ids.set(number, document.id);
      this.#change(number, old?.document ?? null, document);
      return number;
    });
    for (const { number, document } of known.values()) {
      this.ids.set(number, null);
      this.#change(number, document, null);
    }
    return numbers;
  }

  #change(number: number, before: GroupDocument | null, after: GroupDocument | null): void {
    const fields = this.type.fields.length;
    const [was, is] = [before, after].map((document) => (document ? lengthsOf(document, fields) : []));
    for (const field of this.#totals.keys())
      this.#totals[field] = (this.#totals[field] ?? 0) + (is?.[field] ?? 0) - (was?.[field] ?? 0);
    this.lengths.set(number, after ? lengthCode(this.type, is ?? []) : 0);
    this.#size += (after ? 1 : 0) - (before ? 1 : 0);
    const old = new Map(before?.words.map((word, at) => [word, before.counts[at] ?? GONE]));
    for (const [at, word] of (after?.words ?? []).entries()) {
      const counts = after?.counts[at] ?? GONE;
      if (!before || !isEqual(counts, old.get(word) ?? GONE)) this.#note(word, number, counts);
      old.delete(word);
    }
    for (const word of old.keys()) this.#note(word, number, GONE);
  }

  #note(word: string, number: number, counts: Counts): void {
    let postings = this.terms.get(word);
    if (!postings) {
      postings = new Postings();
      this.terms.set(word, postings);
    }
    postings.add(number, counts);
  }
}

function isEqual(a: Counts, b: Counts): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

/**
 * Changes an index of texts in the run's own commit, with the records that it describes: neither is there without the
 * other. Puts and removals wait until {@link TextIndexWriter.flush}; nothing is read before. A group that is put as it is
 * already stored costs one look-up and writes nothing.
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

  /** The name of what stays after {@link TextIndexWriter.clear}: the count of changes by which readers tell states apart. */
  get headerName(): string {
    return headerName(this.type);
  }

  /** Puts or replaces a document that is a group of its own. Fields that are absent are empty. */
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

  /** Removes a document that is a group of its own; one that is not there is no error. */
  remove(id: string): void {
    this.removeGroup(id);
  }

  /** Puts the documents of a group, all that it has from now on. @param made By `madeDocuments`. */
  putGroup(group: string, made: Uint8Array): void {
    this.#waiting.set(group, made);
  }

  /**
   * Replaces some fields of documents of a group, and adds those documents that it does not have. What else the group has
   * stays.
   */
  async putInGroup(group: string, documents: readonly MadeDocument[], fields: readonly F[]): Promise<void> {
    const names = new IndexNames(this.type, await this.#header());
    const stored = (await this.#read([names.group(group)]))[0];
    const made = this.#waiting.get(group) ?? (stored && groupOf(stored).made);
    const all = new Map((made ? documentsIn(made) : []).map((one) => [one.id, this.#perField(one)]));
    const replaced = new Set(fields.map((field) => this.type.fields.indexOf(field)));
    for (const { id, words } of documents) {
      const merged = new Map<string, number[]>();
      for (const [word, counts] of all.get(id) ?? [])
        merged.set(
          word,
          counts.map((count, at) => (replaced.has(at) ? 0 : count)),
        );
      for (const [word, counts] of words) {
        const own = merged.get(word) ?? new Array<number>(this.type.fields.length).fill(0);
        merged.set(
          word,
          own.map((count, at) => (replaced.has(at) ? (counts[at] ?? 0) : count)),
        );
      }
      all.set(id, merged);
    }
    this.putGroup(group, madeDocuments([...all].map(([id, words]) => ({ id, words }))));
  }

  #perField({ words, counts }: GroupDocument): Map<string, number[]> {
    const { length } = this.type.fields;
    return new Map(words.map((word, at) => [word, decodedCounts(counts[at] ?? [], length)]));
  }

  /** Removes a group; one that is not there is no error. */
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
      const before = stored[at] ?? null;
      const isSame = before && made ? Buffer.compare(groupOf(before).made, made) === 0 : before === made;
      if (isSame) continue;
      const numbers = changes.take(before, made);
      this.#put(names.group(group), made && numbers.length > 0 ? groupBytes({ numbers, made }) : undefined);
    }
    if (changes.isEmpty) return;
    const words = [...changes.terms].sort(([a], [b]) => (a < b ? -1 : 1));
    for (let from = 0; from < words.length; from += AT_ONCE)
      await this.#changeTerms(words.slice(from, from + AT_ONCE), names, isFresh);
    await this.#changeStretches(changes.lengths, CHUNK_DOCS, (one) => names.lengths(one), changedLengths);
    await this.#changeStretches(changes.ids, ID_DOCS, (one) => names.ids(one), changedIds);
    this.#putHeader(changes.changedHeader);
  }

  /** Takes everything out, what waits too. It is found no more; {@link sweepIndexes} deletes what is left of it. */
  async clear(): Promise<void> {
    this.#waiting = new Map();
    const { generation, epoch } = await this.#header();
    this.#putHeader({ ...NO_DOCUMENTS, generation: generation + 1, epoch: epoch + 1 });
  }

  /** Deletes up to `most` blobs of earlier states of this index. How many they were. */
  async sweep(most: number): Promise<number> {
    const { prefix } = new IndexNames(this.type, await this.#header());
    const isOld = (name: string) => !name.startsWith(prefix) && name !== this.headerName;
    const { layer, name } = this.type;
    return sweepBlobs(this.shelf, { prefix: familyPrefix(`${name}/`), layer, most }, isOld);
  }

  async #changeTerms(
    changes: readonly (readonly [word: string, postings: Postings])[],
    names: IndexNames,
    isFresh: boolean,
  ): Promise<void> {
    const stored = isFresh ? [] : await this.#read(changes.map(([word]) => names.term(word)));
    for (const [at, [word, noted]] of changes.entries()) {
      const bytes = stored[at];
      const own = noted.sorted();
      const sizes = (bytes && chunkSizes(bytes)) ?? null;
      const postings = sizes ? own : changedPostings(bytes, own);
      if (sizes || postings.size > INLINE_POSTINGS)
        await this.#changeChunks(word, sizes ?? new Map(), postings, names);
      else this.#put(names.term(word), postings.size === 0 ? undefined : postingsBytes(postings));
    }
  }

  /** Changes the chunks of a common word, or makes them for one that became common. */
  async #changeChunks(
    word: string,
    sizes: Map<number, number>,
    changes: Postings,
    names: IndexNames,
  ): Promise<void> {
    const byChunk = new Map<number, Postings>();
    for (let at = 0; at < changes.size; ) {
      const number = Math.floor((changes.docs[at] ?? 0) / CHUNK_DOCS);
      const own = changes.upTo(at, (number + 1) * CHUNK_DOCS);
      byChunk.set(number, own);
      at += own.size;
    }
    const chunks = [...byChunk.keys()];
    const before = sizes.size === 0 ? [] : await this.#read(chunks.map((chunk) => names.chunk(word, chunk)));
    for (const [at, [chunk, own]] of [...byChunk].entries()) {
      const after = changedPostings(before[at], own);
      this.#put(names.chunk(word, chunk), after.size === 0 ? undefined : postingsBytes(after));
      if (after.size === 0) sizes.delete(chunk);
      else sizes.set(chunk, after.size);
    }
    this.#put(names.term(word), sizes.size === 0 ? undefined : chunkSizesBytes(sizes));
  }

  /** Changes what is stored by number, stretch by stretch. */
  async #changeStretches<T>(
    changes: ReadonlyMap<number, T>,
    size: number,
    nameOf: (stretch: number) => string,
    changed: (before: Uint8Array | undefined, changes: readonly [number, T][]) => Uint8Array | undefined,
  ): Promise<void> {
    const stretches = new Map<number, [number, T][]>();
    for (const change of changes) append(stretches, Math.floor(change[0] / size), change);
    const names = [...stretches.keys()].map(nameOf);
    const before = await this.#read(names);
    for (const [at, own] of [...stretches.values()].entries())
      this.#put(names[at] ?? '', changed(before[at], own));
  }

  #put(name: string, value: Uint8Array | undefined): void {
    this.shelf.putBlob(name, value, this.type.layer);
  }

  /** The state is plain text, so that a person can read it. */
  #putHeader(header: IndexHeader): void {
    this.#put(this.headerName, Buffer.from(JSON.stringify(header), 'utf8'));
  }

  async #header(): Promise<IndexHeader> {
    const [bytes] = await this.#read([this.headerName]);
    return headerOf(bytes);
  }

  #read(names: readonly string[]): Promise<(Uint8Array | undefined)[]> {
    return this.shelf.blobs(names, this.type.layer);
  }
}

/** An index of texts, as a run changes it. */
export function writeIndex<F extends string>(
  context: WritableShelf,
  type: TextIndexType<F>,
): TextIndexWriter<F> {
  return new TextIndexWriter(context, type);
}

/** Some indexes, all whose names begin so. */
export interface IndexFamily {
  /** The prefix of the names of all of them, those of earlier versions too. */
  readonly family: string;
  readonly layer: Layer;
  /** Those that are in use. */
  readonly types: readonly TextIndexType[];
}

/** Takes everything out of the indexes of a family: nothing of it is found any more. */
export async function clearIndexes(shelf: WritableShelf, { types }: IndexFamily): Promise<void> {
  for (const type of types) await new TextIndexWriter(shelf, type).clear();
}

/**
 * Deletes some of what is left of the cleared indexes of a family, and of those that are not in use any more.
 *
 * @param most How many blobs one commit may delete.
 * @returns How many they were: where they are fewer than `most`, nothing is left.
 */
export async function sweepIndexes(
  shelf: WritableShelf,
  { family, layer, types }: IndexFamily,
  most: number,
): Promise<number> {
  const used = types.map(({ name }) => familyPrefix(`${name}/`));
  const isUnused = (name: string) => !used.some((prefix) => name.startsWith(prefix));
  let taken = await sweepBlobs(shelf, { prefix: familyPrefix(family), layer, most }, isUnused);
  for (const type of types) taken += await new TextIndexWriter(shelf, type).sweep(most - taken);
  return taken;
}

/**
 * Deletes blobs whose names begin so.
 *
 * @param most How many one commit may delete.
 * @returns How many they were: where they are fewer than `most`, none is left.
 */
export async function sweepBlobs(
  shelf: WritableShelf,
  { prefix, layer, most }: { readonly prefix: string; readonly layer: Layer; readonly most: number },
  isUnused: (name: string) => boolean = () => true,
): Promise<number> {
  let taken = 0;
  for await (const page of shelf.blobsUnder(prefix, layer))
    for (const { name } of page) {
      if (!isUnused(name)) continue;
      if (taken === most) return taken;
      shelf.putBlob(name, undefined, layer);
      taken++;
    }
  return taken;
}
