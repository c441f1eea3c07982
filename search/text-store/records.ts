import { ByteReader, ByteWriter } from './bytes.js';
import { appendPostings, type Postings, readPostings, writePostings } from './postings.js';

/** As many postings stand in the word's own record; those of more common words in chunks beside it. */
export const INLINE_POSTINGS = 128;
/** Documents, by their numbers, that one chunk of postings and one stretch of lengths is for. */
export const CHUNK_DOCS = 512;

/** A word's record: its postings, or by chunk how many there are. */
export type TermRecord =
  | { readonly postings: Postings; readonly chunks: null }
  | { readonly postings: null; readonly chunks: ReadonlyMap<number, number> };

/** Begins the record of a word whose postings are in chunks; others begin with how many they are. */
const IN_CHUNKS = 0;

/** A word's record as it is stored. */
export function termBytes({ postings, chunks }: TermRecord): Uint8Array {
  const to = new ByteWriter();
  if (postings) writePostings(to, postings);
  else {
    to.number(IN_CHUNKS);
    for (const [chunk, size] of [...(chunks ?? [])].sort(([a], [b]) => a - b)) {
      to.number(chunk);
      to.number(size);
    }
  }
  return to.take();
}

/** The record of a word that is stored. */
export function termOf(bytes: Uint8Array): TermRecord {
  if (bytes[0] !== IN_CHUNKS) return { postings: readPostings(new ByteReader(bytes)), chunks: null };
  const from = new ByteReader(bytes.subarray(1));
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
  const first = from.number();
  if (first !== IN_CHUNKS) return first;
  let sum = 0;
  while (!from.isAtEnd) {
    from.number();
    sum += from.number();
  }
  return sum;
}

/** A chunk of postings as it is stored. */
export function chunkBytes(postings: Postings): Uint8Array {
  const to = new ByteWriter();
  writePostings(to, postings);
  return to.take();
}

/** The postings of a chunk that is stored. */
export function chunkOf(bytes: Uint8Array): Postings {
  return readPostings(new ByteReader(bytes));
}

/**
 * A word's own record with more postings behind those that it has; null where it has to be read for that.
 *
 * @param to Holds nothing yet.
 */
export function longerTerm(to: ByteWriter, bytes: Uint8Array, more: Postings): Uint8Array | null {
  if (bytes[0] === IN_CHUNKS) return null;
  return longer(to, bytes, more, INLINE_POSTINGS)?.bytes ?? null;
}

/** As {@link longerTerm}, of a chunk; and how many postings it has then. */
export function longerChunk(to: ByteWriter, bytes: Uint8Array, more: Postings) {
  return longer(to, bytes, more, CHUNK_DOCS);
}

function longer(
  to: ByteWriter,
  bytes: Uint8Array,
  more: Postings,
  most: number,
): { readonly bytes: Uint8Array; readonly size: number } | null {
  const size = appendPostings(to, new ByteReader(bytes), more, most);
  return size === null ? null : { bytes: to.take(), size };
}
