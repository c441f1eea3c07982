import { ByteReader, ByteWriter } from './bytes.js';
import { type TextIndexType, weightedLength } from './definition.js';
import { lengthCode, readCounts, writeCounts } from './postings.js';

/** What a document says. */
export interface StoredDocument {
  readonly id: string;
  /** Words of each field, each as often as it stands there. */
  readonly lengths: readonly number[];
  /** Counts per field, by word. */
  readonly words: ReadonlyMap<string, readonly number[]>;
}

/** A document to be made: the words that it has, and how often each stands in each field, in their order. */
export type MadeDocument = Pick<StoredDocument, 'id' | 'words'>;

/** Documents as they are stored, made on any thread: for `TextIndexWriter.putMade`. */
export function madeDocuments(
  { fields }: Pick<TextIndexType, 'fields'>,
  documents: Iterable<MadeDocument>,
): Uint8Array<ArrayBuffer> {
  const [all, one] = [new ByteWriter(), new ByteWriter()];
  for (const document of documents) all.bytes(documentBytes(one, document, fields.length));
  return all.take();
}

/** Each of the documents that {@link madeDocuments} made, as it is stored. */
export function* documentsIn(made: Uint8Array): Generator<Uint8Array> {
  const from = new ByteReader(made);
  while (!from.isAtEnd) yield from.bytes();
}

/** A document as it is stored. */
export function documentBytes(to: ByteWriter, { id, words }: MadeDocument, fields: number): Uint8Array {
  const lengths = new Array<number>(fields).fill(0);
  for (const counts of words.values())
    for (let field = 0; field < fields; field++)
      lengths[field] = (lengths[field] ?? 0) + (counts[field] ?? 0);
  to.text(id);
  for (const length of lengths) to.number(length);
  for (const [word, counts] of words) {
    if (!counts.some((count) => count > 0)) continue;
    to.text(word);
    writeCounts(to, counts, 0, fields);
  }
  return to.take();
}

/** The document that is stored. */
export function documentOf(bytes: Uint8Array, fields: number): StoredDocument {
  const words = new Map<string, readonly number[]>();
  const head = readDocument(bytes, fields, (word, read) => {
    const counts: number[] = [];
    read(counts);
    words.set(word, counts);
  });
  return { ...head, words };
}

/**
 * Reads a document word by word.
 *
 * @param take Gets each word; what it gets besides puts the counts of the word behind others, and has to be called.
 */
export function readDocument(
  bytes: Uint8Array,
  fields: number,
  take: (word: string, read: (counts: number[]) => void, lengths: readonly number[]) => void,
): Pick<StoredDocument, 'id' | 'lengths'> {
  const from = new ByteReader(bytes);
  const id = from.text();
  const lengths = Array.from({ length: fields }, () => from.number());
  const read = (counts: number[]) => readCounts(from, counts, fields);
  while (!from.isAtEnd) take(from.text(), read, lengths);
  return { id, lengths };
}

/** The id of a document alone. */
export function documentIdOf(bytes: Uint8Array): string {
  return new ByteReader(bytes).text();
}

/** The length of a document, as postings have it. */
export function documentLength(type: TextIndexType, { lengths }: Pick<StoredDocument, 'lengths'>): number {
  return lengthCode(weightedLength(type, lengths));
}
