import { ByteReader, ByteWriter } from './bytes.js';

/*
 * The counts of a word in the fields of a document are a run of numbers. Nearly all words stand in one field: then it is
 * one even number, for the field and how often. Otherwise an odd number tells the fields, followed by the count of each.
 */

/** The counts of one word in one document, encoded; empty where the document has the word no more. */
export type Counts = readonly number[];

/** Nearly all counts are one small number: each is there once. */
const SMALL: Counts[] = Array.from({ length: 256 }, (_, number) => [number]);

/** Encodes counts per field. */
export function encodedCounts(counts: readonly number[]): Counts {
  // Most words stand in one field: the index of a large project asks millions of times.
  let [mask, last, used] = [0, 0, 0];
  for (let field = 0; field < counts.length; field++) {
    if (!counts[field]) continue;
    mask |= 1 << field;
    last = field;
    used++;
  }
  if (used === 0) return [];
  if (used === 1) {
    const only = (((counts[last] ?? 0) - 1) * counts.length + last) * 2;
    return SMALL[only] ?? [only];
  }
  return [mask * 2 + 1, ...counts.filter((count) => count > 0)];
}

/** Adds the count of each field. */
export function addCounts(sums: number[], counts: Counts): void {
  const first = counts[0] ?? 0;
  if (first % 2 === 0) {
    const field = (first / 2) % sums.length;
    sums[field] = (sums[field] ?? 0) + Math.floor(first / 2 / sums.length) + 1;
    return;
  }
  for (let field = 0, next = 1; field < sums.length; field++)
    if ((first >> (field + 1)) & 1) sums[field] = (sums[field] ?? 0) + (counts[next++] ?? 0);
}

/** The count of each field. */
export function decodedCounts(counts: Counts, fields: number): number[] {
  const decoded = new Array<number>(fields).fill(0);
  addCounts(decoded, counts);
  return decoded;
}

/** A word's weight in a document: its counts, each by the weight of its field. */
export function weightedCount(counts: Counts, weights: readonly number[]): number {
  const first = counts[0] ?? 0;
  if (first % 2 === 0) {
    const field = (first / 2) % weights.length;
    return (weights[field] ?? 0) * ((first / 2 - field) / weights.length + 1);
  }
  let sum = 0;
  for (let field = 0, next = 1; field < weights.length; field++)
    if ((first >> (field + 1)) & 1) sum += (weights[field] ?? 0) * (counts[next++] ?? 0);
  return sum;
}

/** Writes the counts of one document. */
export function writeCounts(to: ByteWriter, counts: Counts): void {
  for (const count of counts) to.number(count);
}

/** Reads the counts of one document. */
export function readCounts(from: ByteReader): Counts {
  const first = from.number();
  if (first % 2 === 0) return SMALL[first] ?? [first];
  const counts = [first];
  for (let mask = first >> 1; mask > 0; mask >>= 1) if (mask & 1) counts.push(from.number());
  return counts;
}

/** The counts of one word in documents, whose numbers ascend. */
export class Postings {
  readonly docs: number[] = [];
  readonly counts: Counts[] = [];

  get size(): number {
    return this.docs.length;
  }

  /** Adds a document. */
  add(doc: number, counts: Counts): void {
    this.docs.push(doc);
    this.counts.push(counts);
  }

  /** The same in the order of the documents, of which each is there once. */
  sorted(): Postings {
    const { docs, counts } = this;
    if (docs.every((doc, at) => at === 0 || doc > (docs[at - 1] ?? 0))) return this;
    const sorted = new Postings();
    for (const at of [...docs.keys()].sort((a, b) => (docs[a] ?? 0) - (docs[b] ?? 0)))
      sorted.add(docs[at] ?? 0, counts[at] ?? []);
    return sorted;
  }

  /** Those from a place on, up to the first of a document that is not below a number. */
  upTo(from: number, end: number): Postings {
    const part = new Postings();
    for (let at = from; at < this.size && (this.docs[at] ?? 0) < end; at++)
      part.add(this.docs[at] ?? 0, this.counts[at] ?? []);
    return part;
  }
}

/**
 * Postings as they are stored, of which there is one at the least: how many there are, the last document where they are
 * several, then numbers of documents as differences, each with its counts.
 */
export function postingsBytes({ docs, counts }: Postings): Uint8Array {
  const to = new ByteWriter();
  to.number(docs.length);
  if (docs.length > 1) to.number(docs.at(-1) ?? 0);
  let before = 0;
  for (const [at, doc] of docs.entries()) {
    to.number(doc - before);
    before = doc;
    writeCounts(to, counts[at] ?? []);
  }
  return to.take();
}

/** Reads stored postings, in the order of the documents. */
export function eachPosting(bytes: Uint8Array, take: (doc: number, counts: Counts) => void): void {
  const from = new ByteReader(bytes);
  const size = from.number();
  if (size > 1) from.number();
  let doc = 0;
  for (let at = 0; at < size; at++) {
    doc += from.number();
    take(doc, readCounts(from));
  }
}

/** Stored postings with some of them taken out and others put in. @param changes Without counts: the document goes. */
export function changedPostings(bytes: Uint8Array | undefined, changes: Postings): Postings {
  const postings = new Postings();
  let next = 0;
  /** Takes over the changes of documents below a number. */
  const upTo = (end: number) => {
    for (; next < changes.size && (changes.docs[next] ?? 0) < end; next++) {
      const counts = changes.counts[next] ?? [];
      if (counts.length > 0) postings.add(changes.docs[next] ?? 0, counts);
    }
  };
  if (bytes)
    eachPosting(bytes, (doc, counts) => {
      upTo(doc);
      if (changes.docs[next] !== doc) postings.add(doc, counts);
    });
  upTo(Infinity);
  return postings;
}

/** Begins the record of a word whose postings are in chunks; that of others begins with how many they are. */
const IN_CHUNKS = 0;

/** How many postings each chunk of a common word has; null for a word whose record holds its postings. */
export function chunkSizes(bytes: Uint8Array): Map<number, number> | null {
  if (bytes[0] !== IN_CHUNKS) return null;
  const from = new ByteReader(bytes.subarray(1));
  const sizes = new Map<number, number>();
  while (!from.isAtEnd) sizes.set(from.number(), from.number());
  return sizes;
}

/** The record of a common word. */
export function chunkSizesBytes(sizes: ReadonlyMap<number, number>): Uint8Array {
  const to = new ByteWriter();
  to.number(IN_CHUNKS);
  for (const [chunk, size] of [...sizes].sort(([a], [b]) => a - b)) {
    to.number(chunk);
    to.number(size);
  }
  return to.take();
}

/** How many documents have a word, by its stored record. */
export function frequencyOf(bytes: Uint8Array | undefined): number {
  if (!bytes) return 0;
  const sizes = chunkSizes(bytes);
  return sizes ? [...sizes.values()].reduce((sum, size) => sum + size, 0) : new ByteReader(bytes).number();
}
