import type { ByteReader, ByteWriter } from './bytes.js';

/** Where a word stands in one document. */
export interface Posting {
  /** The document's number. */
  readonly doc: number;
  /** The document's length, by {@link lengthCode}. */
  readonly length: number;
  /** How often the word stands in each field, in the order of the index's fields. */
  readonly counts: readonly number[];
}

/** Postings of one word by the number of the document, as columns. */
export interface Postings {
  readonly docs: readonly number[];
  readonly lengths: readonly number[];
  /** Those of the first document, then those of the second…: as many for each as the index has fields. */
  readonly counts: readonly number[];
}

/** Steps of the code by which a length doubles: it is right to 4.5 %. */
const STEPS = 8;

/** A document's length as one byte, on a logarithmic scale: postings carry it, so that ranking reads nothing else. */
export function lengthCode(length: number): number {
  return length <= 1 ? 0 : Math.min(255, Math.round(STEPS * Math.log2(length)));
}

/** The lengths behind the codes. */
export const LENGTHS: readonly number[] = Array.from({ length: 256 }, (_, code) => 2 ** (code / STEPS));

/** No postings. */
export const NO_POSTINGS: Postings = { docs: [], lengths: [], counts: [] };

/** Writes postings: numbers of documents as differences, counts behind a byte that tells the fields that have any. */
export function writePostings(to: ByteWriter, { docs, lengths, counts }: Postings, fields: number): void {
  to.number(docs.length);
  let before = 0;
  for (const [at, doc] of docs.entries()) {
    to.number(doc - before);
    before = doc;
    to.byte(lengths[at] ?? 0);
    const first = at * fields;
    if (fields > 1) {
      let mask = 0;
      for (let field = 0; field < fields; field++) if (counts[first + field]) mask |= 1 << field;
      to.byte(mask);
    }
    for (let field = 0; field < fields; field++) {
      const count = counts[first + field] ?? 0;
      if (fields === 1 || count > 0) to.number(count);
    }
  }
}

/** Reads what {@link writePostings} wrote. */
export function readPostings(from: ByteReader, fields: number): Postings {
  const size = from.number();
  const docs = new Array<number>(size);
  const lengths = new Array<number>(size);
  const counts = new Array<number>(size * fields).fill(0);
  let doc = 0;
  for (let at = 0; at < size; at++) {
    doc += from.number();
    docs[at] = doc;
    lengths[at] = from.byte();
    const first = at * fields;
    if (fields === 1) {
      counts[first] = from.number();
      continue;
    }
    const mask = from.byte();
    for (let field = 0; field < fields; field++)
      if (mask & (1 << field)) counts[first + field] = from.number();
  }
  return { docs, lengths, counts };
}

/**
 * Postings with some of them taken out and others put in.
 *
 * @param changes By the number of the document, in ascending order; null takes out.
 */
export function changedPostings(
  { docs, lengths, counts }: Postings,
  changes: readonly (readonly [doc: number, posting: Posting | null])[],
  fields: number,
): Postings {
  const to = { docs: [] as number[], lengths: [] as number[], counts: [] as number[] };
  let next = 0;
  const take = (posting: Posting | null): void => {
    if (!posting) return;
    to.docs.push(posting.doc);
    to.lengths.push(posting.length);
    for (let field = 0; field < fields; field++) to.counts.push(posting.counts[field] ?? 0);
  };
  for (const [at, doc] of docs.entries()) {
    while ((changes[next]?.[0] ?? Infinity) < doc) take(changes[next++]?.[1] ?? null);
    if (changes[next]?.[0] === doc) {
      take(changes[next++]?.[1] ?? null);
      continue;
    }
    to.docs.push(doc);
    to.lengths.push(lengths[at] ?? 0);
    for (let field = 0; field < fields; field++) to.counts.push(counts[at * fields + field] ?? 0);
  }
  while (next < changes.length) take(changes[next++]?.[1] ?? null);
  return to;
}
