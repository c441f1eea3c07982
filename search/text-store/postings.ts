import type { ByteReader, ByteWriter } from './bytes.js';

/** Postings of one word by the number of the document, as columns. */
export interface Postings {
  /** Numbers of documents, in ascending order. */
  readonly docs: readonly number[];
  /** Lengths of the documents, by {@link lengthCode}. */
  readonly lengths: readonly number[];
  /** Those of the first document, then those of the second…: as many for each as the index has fields. */
  readonly counts: readonly number[];
}

/** Postings that are being put together. */
export interface OpenPostings extends Postings {
  readonly docs: number[];
  readonly lengths: number[];
  readonly counts: number[];
}

/** Stands for the length of a document that has the word no more. */
export const GONE = -1;

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

/**
 * Writes postings: how many there are and the last document, then numbers of documents as differences, and counts as
 * {@link writeCounts} does.
 */
export function writePostings(to: ByteWriter, postings: Postings, fields: number): void {
  to.number(postings.docs.length);
  to.number(postings.docs.at(-1) ?? 0);
  writeBehind(to, 0, postings, fields);
}

/**
 * Writes postings and more behind them, where that is all that changes: nothing that is there has to be read.
 *
 * @param from Behind it stands what {@link writePostings} wrote.
 * @param most More postings than these are not written.
 * @returns How many postings there are then; null, with nothing written, where this cannot be done.
 */
export function appendPostings(
  to: ByteWriter,
  from: ByteReader,
  more: Postings,
  { fields, most }: { readonly fields: number; readonly most: number },
): number | null {
  const size = from.number() + more.docs.length;
  const last = from.number();
  if (size > most || (more.docs[0] ?? 0) <= last || more.lengths.includes(GONE)) return null;
  to.number(size);
  to.number(more.docs.at(-1) ?? last);
  to.raw(from.rest());
  writeBehind(to, last, more, fields);
  return size;
}

function writeBehind(
  to: ByteWriter,
  last: number,
  { docs, lengths, counts }: Postings,
  fields: number,
): void {
  let before = last;
  for (let at = 0; at < docs.length; at++) {
    const doc = docs[at] ?? 0;
    to.number(doc - before);
    before = doc;
    to.byte(lengths[at] ?? 0);
    writeCounts(to, counts, at * fields, fields);
  }
}

/** Reads what {@link writePostings} wrote. */
export function readPostings(from: ByteReader, fields: number): Postings {
  const size = from.number();
  from.number();
  const to = openPostings();
  let doc = 0;
  for (let at = 0; at < size; at++) {
    doc += from.number();
    to.docs.push(doc);
    to.lengths.push(from.byte());
    readCounts(from, to.counts, fields);
  }
  return to;
}

/**
 * Writes how often a word stands in each field, behind a byte that tells the fields that have any.
 *
 * @param first Where its counts begin.
 */
export function writeCounts(to: ByteWriter, counts: readonly number[], first: number, fields: number): void {
  if (fields === 1) {
    to.number(counts[first] ?? 0);
    return;
  }
  let mask = 0;
  for (let field = 0; field < fields; field++) if (counts[first + field]) mask |= 1 << field;
  to.byte(mask);
  for (let field = 0; field < fields; field++) if (mask & (1 << field)) to.number(counts[first + field] ?? 0);
}

/** Reads what {@link writeCounts} wrote, behind what is there. */
export function readCounts(from: ByteReader, counts: number[], fields: number): void {
  const mask = fields === 1 ? 1 : from.byte();
  for (let field = 0; field < fields; field++) counts.push(mask & (1 << field) ? from.number() : 0);
}

/** None yet. */
export function openPostings(): OpenPostings {
  return { docs: [], lengths: [], counts: [] };
}

/**
 * Postings with some of them taken out and others put in.
 *
 * @param changes A length of {@link GONE} takes out.
 */
export function changedPostings(before: Postings, changes: Postings, fields: number): Postings {
  const to = openPostings();
  const take = ({ docs, lengths, counts }: Postings, at: number): void => {
    if (lengths[at] === GONE) return;
    to.docs.push(docs[at] ?? 0);
    to.lengths.push(lengths[at] ?? 0);
    for (let field = at * fields; field < (at + 1) * fields; field++) to.counts.push(counts[field] ?? 0);
  };
  let next = 0;
  for (const [at, doc] of before.docs.entries()) {
    while ((changes.docs[next] ?? Infinity) < doc) take(changes, next++);
    if (changes.docs[next] === doc) take(changes, next++);
    else take(before, at);
  }
  while (next < changes.docs.length) take(changes, next++);
  return to;
}

/** A stretch of postings. @param from The place of the first. @param to The place behind the last. */
export function somePostings({ docs, lengths, counts }: Postings, from: number, to: number): Postings {
  const fields = counts.length / Math.max(1, docs.length);
  return {
    docs: docs.slice(from, to),
    lengths: lengths.slice(from, to),
    counts: counts.slice(from * fields, to * fields),
  };
}
