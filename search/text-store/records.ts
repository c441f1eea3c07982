import { z } from 'zod';
import { ByteReader, ByteWriter } from './bytes.js';
import { appendPostings, type Postings, readPostings, writePostings } from './postings.js';

/** As many postings stand in the word's own record; those of more common words in chunks beside it. */
export const INLINE_POSTINGS = 128;
/** Numbers of documents that one chunk of postings is for. */
export const CHUNK_DOCS = 512;

const headerSchema = z.strictObject({
  /** Another one after every change. */
  generation: z.number().int(),
  /** The number that the next new document gets. */
  next: z.number().int(),
  /** How many documents there are. */
  size: z.number().int(),
  /** The words of each field, of all documents together. */
  lengths: z.array(z.number().int()),
});

/** The state of an index. */
export type IndexHeader = Readonly<z.infer<typeof headerSchema>>;

/** A word's record: its postings, or by chunk how many there are. */
export type TermRecord =
  | { readonly postings: Postings; readonly chunks: null }
  | { readonly postings: null; readonly chunks: ReadonlyMap<number, number> };

/** In plain text, so that a person can read it. */
export function headerBytes(header: IndexHeader): Uint8Array {
  return Buffer.from(JSON.stringify(header), 'utf8');
}

/** The state that is stored; that of an index without documents where there is none. */
export function headerOf(bytes: Uint8Array | undefined): IndexHeader {
  return bytes
    ? headerSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')))
    : { generation: 0, next: 0, size: 0, lengths: [] };
}

/** Whether two are of one state of an index. */
export function isSameHeader(a: IndexHeader, b: IndexHeader): boolean {
  return (
    a.generation === b.generation &&
    a.next === b.next &&
    a.size === b.size &&
    a.lengths.every((length, at) => length === b.lengths[at])
  );
}

/** A word's record as it is stored. */
export function termBytes({ postings, chunks }: TermRecord, fields: number): Uint8Array {
  const to = new ByteWriter();
  to.byte(postings ? 0 : 1);
  if (postings) writePostings(to, postings, fields);
  else
    for (const [chunk, size] of [...(chunks ?? [])].sort(([a], [b]) => a - b)) {
      to.number(chunk);
      to.number(size);
    }
  return to.take();
}

/** The record of a word that is stored. */
export function termOf(bytes: Uint8Array, fields: number): TermRecord {
  const from = new ByteReader(bytes);
  if (from.byte() === 0) return { postings: readPostings(from, fields), chunks: null };
  const chunks = new Map<number, number>();
  while (!from.isAtEnd) chunks.set(from.number(), from.number());
  return { postings: null, chunks };
}

/** How many documents have the word. */
export function frequencyOf({ postings, chunks }: TermRecord): number {
  if (postings) return postings.docs.length;
  let sum = 0;
  for (const size of chunks?.values() ?? []) sum += size;
  return sum;
}

/** The same of a word's record as it is stored: its postings are not read. */
export function frequencyIn(bytes: Uint8Array): number {
  const from = new ByteReader(bytes);
  if (from.byte() === 0) return from.number();
  let sum = 0;
  while (!from.isAtEnd) {
    from.number();
    sum += from.number();
  }
  return sum;
}

/** A chunk of postings as it is stored. */
export function chunkBytes(postings: Postings, fields: number): Uint8Array {
  const to = new ByteWriter();
  writePostings(to, postings, fields);
  return to.take();
}

/** The postings of a chunk that is stored. */
export function chunkOf(bytes: Uint8Array, fields: number): Postings {
  return readPostings(new ByteReader(bytes), fields);
}

/**
 * A word's own record with more postings behind those that it has; null where it has to be read for that.
 *
 * @param to Holds nothing yet.
 */
export function longerTerm(
  to: ByteWriter,
  bytes: Uint8Array,
  more: Postings,
  fields: number,
): Uint8Array | null {
  const from = new ByteReader(bytes);
  if (from.byte() !== 0) return null;
  to.byte(0);
  const size = appendPostings(to, from, more, { fields, most: INLINE_POSTINGS });
  const longer = to.take();
  return size === null ? null : longer;
}

/** As {@link longerTerm}, of a chunk; and how many postings it has then. */
export function longerChunk(
  to: ByteWriter,
  bytes: Uint8Array,
  more: Postings,
  fields: number,
): { readonly bytes: Uint8Array; readonly size: number } | null {
  const size = appendPostings(to, new ByteReader(bytes), more, { fields, most: CHUNK_DOCS });
  return size === null ? null : { bytes: to.take(), size };
}

/** The number of a document as it is stored. */
export function numberBytes(number: number): Uint8Array {
  const to = new ByteWriter();
  to.number(number);
  return to.take();
}

/** The number that is stored. */
export function numberOf(bytes: Uint8Array): number {
  return new ByteReader(bytes).number();
}
