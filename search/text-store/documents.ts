import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteReader, ByteWriter, FrontReader, FrontWriter } from './bytes.js';
import { CHUNK_DOCS, ID_DOCS } from './definition.js';
import { addCounts, type Counts, encodedCounts, readCounts, writeCounts } from './postings.js';

/** Less is stored as it is: compressing it would cost more than it brings. In bytes. */
const LEAST_COMPRESSED = 512;

/** What a document says. */
export interface StoredDocument {
  readonly id: string;
  /** Words of each field, each as often as it stands there. */
  readonly lengths: readonly number[];
  /** Counts per field, by word. */
  readonly words: ReadonlyMap<string, readonly number[]>;
}

/** A document to be made: its words, and how often each stands in each field, in their order. */
export type MadeDocument = Pick<StoredDocument, 'id' | 'words'>;

/** A document of a group: its id, its words, each once, and the encoded counts of each. */
export interface GroupDocument {
  readonly id: string;
  readonly words: readonly string[];
  readonly counts: readonly Counts[];
}

/**
 * The documents of a group as they are stored, made on any thread: for `TextIndexWriter.putGroup`. Each word stands there
 * once for all documents: those of a group have many in common.
 */
export function madeDocuments(documents: Iterable<MadeDocument>): Uint8Array<ArrayBuffer> {
  const all = [...documents];
  const [to, texts] = [new ByteWriter(), new ByteWriter()];
  to.number(all.length);
  const ids = new FrontWriter(to);
  for (const { id } of all) ids.put(id);
  const places = new Map<string, number>();
  for (const { words } of all) putDocument(texts, words, places);
  const documentBytes = texts.take();
  texts.number(places.size);
  for (const word of places.keys()) texts.text(word);
  texts.raw(documentBytes);
  const plain = texts.take();
  const packed = plain.length < LEAST_COMPRESSED ? plain : deflateRawSync(plain, { level: 1 });
  const isPacked = packed.length < plain.length;
  to.byte(isPacked ? 1 : 0);
  to.raw(isPacked ? packed : plain);
  return to.take();
}

/** @param places Gets the words that are new. */
function putDocument(to: ByteWriter, words: MadeDocument['words'], places: Map<string, number>): void {
  const own: (readonly [place: number, counts: Counts])[] = [];
  for (const [word, perField] of words) {
    const counts = encodedCounts(perField);
    if (counts.length === 0) continue;
    const place = places.get(word) ?? places.size;
    places.set(word, place);
    own.push([place, counts]);
  }
  own.sort(([a], [b]) => a - b);
  to.number(own.length);
  let next = 0;
  for (const [place, counts] of own) {
    to.number(place - next);
    next = place + 1;
    writeCounts(to, counts);
  }
}

/** The ids of the documents that {@link madeDocuments} made, in the order of the group. */
export function idsIn(made: Uint8Array): string[] {
  return readIds(new ByteReader(made));
}

function readIds(from: ByteReader): string[] {
  const size = from.number();
  const ids = new FrontReader(from);
  return Array.from({ length: size }, () => ids.take());
}

/** The documents that {@link madeDocuments} made. */
export function documentsIn(made: Uint8Array): GroupDocument[] {
  const head = new ByteReader(made);
  const ids = readIds(head);
  const isPacked = head.byte() === 1;
  const from = new ByteReader(isPacked ? inflateRawSync(head.rest()) : head.rest());
  const texts = Array.from({ length: from.number() }, () => from.text());
  return ids.map((id) => {
    const words: string[] = [];
    const counts: Counts[] = [];
    let next = 0;
    for (let left = from.number(); left > 0; left--) {
      next += from.number();
      words.push(texts[next++] ?? '');
      counts.push(readCounts(from));
    }
    return { id, words, counts };
  });
}

/** How many words each field of a document has. */
export function lengthsOf({ counts }: GroupDocument, fields: number): number[] {
  const lengths = new Array<number>(fields).fill(0);
  for (const one of counts) addCounts(lengths, one);
  return lengths;
}

/** A group of documents as it is stored. */
export interface GroupRecord {
  readonly numbers: readonly number[];
  /** What {@link madeDocuments} made. */
  readonly made: Uint8Array;
}

/** A group as bytes. Documents that came together have consecutive numbers, so differences are stored. */
export function groupBytes({ numbers, made }: GroupRecord): Uint8Array {
  const to = new ByteWriter();
  to.number(numbers.length);
  let next = 0;
  for (const number of numbers) {
    const ahead = number - next;
    to.number(ahead < 0 ? -2 * ahead - 1 : 2 * ahead);
    next = number + 1;
  }
  to.raw(made);
  return to.take();
}

/** A group from its bytes. */
export function groupOf(bytes: Uint8Array): GroupRecord {
  const from = new ByteReader(bytes);
  let next = 0;
  const numbers = Array.from({ length: from.number() }, () => {
    const ahead = from.number();
    const number = next + (ahead % 2 === 1 ? -(ahead + 1) / 2 : ahead / 2);
    next = number + 1;
    return number;
  });
  return { numbers, made: from.rest() };
}

/** The lengths of a stretch of {@link CHUNK_DOCS} documents with some of them changed, undefined without any: one code a byte. */
export function changedLengths(
  before: Uint8Array | undefined,
  changes: Iterable<readonly [number: number, code: number]>,
): Uint8Array | undefined {
  const codes = new Uint8Array(CHUNK_DOCS);
  codes.set(before ?? []);
  for (const [number, code] of changes) codes[number % CHUNK_DOCS] = code;
  const last = codes.findLastIndex((code) => code !== 0);
  return last < 0 ? undefined : codes.subarray(0, last + 1);
}

/** The ids of a stretch of {@link ID_DOCS} documents with some of them changed, undefined without any. @param changes Null: it is gone. */
export function changedIds(
  before: Uint8Array | undefined,
  changes: Iterable<readonly [number: number, id: string | null]>,
): Uint8Array | undefined {
  const ids = new Map(before ? stretchIds(before) : []);
  for (const [number, id] of changes)
    if (id === null) ids.delete(number % ID_DOCS);
    else ids.set(number % ID_DOCS, id);
  if (ids.size === 0) return undefined;
  const to = new ByteWriter();
  const texts = new FrontWriter(to);
  for (const [place, id] of [...ids].sort(([a], [b]) => a - b)) {
    to.byte(place);
    texts.put(id);
  }
  return to.take();
}

/** The ids of a stretch, by the place in it. */
export function* stretchIds(bytes: Uint8Array): Generator<[place: number, id: string]> {
  const from = new ByteReader(bytes);
  const texts = new FrontReader(from);
  while (!from.isAtEnd) yield [from.byte(), texts.take()];
}
