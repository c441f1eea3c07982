import { ByteReader, ByteWriter } from './bytes.js';
import { type TextIndexType, weightedLength } from './definition.js';
import { lengthCode, readCounts, writeCounts } from './postings.js';

/** Words, each with how often it stands there. */
export type WordCounts = ReadonlyMap<string, number>;

/** What a document says. */
export interface StoredDocument {
  readonly id: string;
  /** Words of each field, each as often as it stands there. */
  readonly lengths: readonly number[];
  /** Counts per field, by word. */
  readonly words: ReadonlyMap<string, readonly number[]>;
}

/** A document to be made. */
export interface DocumentWords<F extends string> {
  readonly id: string;
  /** What is absent is empty. */
  readonly fields: Readonly<Partial<Record<F, WordCounts>>>;
}

/**
 * Documents as they are stored, made on any thread: for `TextIndexWriter.putMade`. The same words make the same bytes.
 */
export function madeDocuments<F extends string>(
  type: TextIndexType<F>,
  documents: Iterable<DocumentWords<F>>,
): Uint8Array<ArrayBuffer> {
  const [all, one] = [new ByteWriter(), new ByteWriter()];
  for (const document of documents) all.bytes(documentBytes(one, type, document));
  return all.take();
}

/** Each of the documents that {@link madeDocuments} made, as it is stored. */
export function* documentsIn(made: Uint8Array): Generator<Uint8Array> {
  const from = new ByteReader(made);
  while (!from.isAtEnd) yield from.bytes();
}

/** A document as it is stored. */
export function documentBytes<F extends string>(
  to: ByteWriter,
  { fields: all }: TextIndexType<F>,
  { id, fields }: DocumentWords<F>,
): Uint8Array {
  const lengths = new Array<number>(all.length).fill(0);
  const words = new Map<string, number[]>();
  for (const [at, field] of all.entries())
    for (const [word, count] of fields[field] ?? []) {
      lengths[at] = (lengths[at] ?? 0) + count;
      const counts = words.get(word);
      if (counts) counts[at] = count;
      else words.set(word, oneOf(all.length, at, count));
    }
  to.text(id);
  for (const length of lengths) to.number(length);
  for (const word of [...words.keys()].sort()) {
    to.text(word);
    writeCounts(to, words.get(word) ?? [], 0, all.length);
  }
  return to.take();
}

function oneOf(size: number, at: number, value: number): number[] {
  const all = new Array<number>(size).fill(0);
  all[at] = value;
  return all;
}

/** The document that is stored. */
export function documentOf(bytes: Uint8Array, fields: number): StoredDocument {
  const from = new ByteReader(bytes);
  const id = from.text();
  const lengths = Array.from({ length: fields }, () => from.number());
  const words = new Map<string, readonly number[]>();
  while (!from.isAtEnd) {
    const word = from.text();
    const counts: number[] = [];
    readCounts(from, counts, fields);
    words.set(word, counts);
  }
  return { id, lengths, words };
}

/** The id of a document alone. */
export function documentIdOf(bytes: Uint8Array): string {
  return new ByteReader(bytes).text();
}

/** The length of a document, as postings have it. */
export function documentLength(type: TextIndexType, { lengths }: Pick<StoredDocument, 'lengths'>): number {
  return lengthCode(weightedLength(type, lengths));
}
