import type { ByteReader, ByteWriter } from './bytes.js';
import { GONE, widthOf } from './counts.js';

/** Postings of one word, by the number of the document. */
export interface Postings {
  /** Numbers of documents, in ascending order. */
  readonly docs: readonly number[];
  /** The counts of the first document, then those of the second…, as `counts.ts` has them. */
  readonly counts: readonly number[];
}

/** Postings that are being put together. */
export interface OpenPostings extends Postings {
  readonly docs: number[];
  readonly counts: number[];
}

/** None yet. */
export function openPostings(): OpenPostings {
  return { docs: [], counts: [] };
}

/** No postings. */
export const NO_POSTINGS: Postings = { docs: [], counts: [] };

/**
 * Writes postings, of which there is one at the least: how many there are, the last document where they are several, then
 * numbers of documents as differences, each with its counts.
 */
export function writePostings(to: ByteWriter, postings: Postings): void {
  to.number(postings.docs.length);
  if (postings.docs.length > 1) to.number(postings.docs.at(-1) ?? 0);
  writeBehind(to, 0, postings);
}

/**
 * Writes postings and more behind them, where that is all that changes: nothing that is there has to be decoded.
 *
 * @param from At what {@link writePostings} wrote, with nothing behind it.
 * @param most More postings than these are not written.
 * @returns How many postings there are then; null, with nothing written, where this cannot be done.
 */
export function appendPostings(
  to: ByteWriter,
  from: ByteReader,
  more: Postings,
  most: number,
): number | null {
  const before = from.number();
  const size = before + more.docs.length;
  const several = before > 1 ? from.number() : null;
  const rest = from.rest();
  const last = several ?? from.number();
  if (size > most || (more.docs[0] ?? 0) <= last || more.counts.includes(GONE)) return null;
  to.number(size);
  to.number(more.docs.at(-1) ?? last);
  to.raw(rest);
  writeBehind(to, last, more);
  return size;
}

function writeBehind(to: ByteWriter, last: number, { docs, counts }: Postings): void {
  let before = last;
  let next = 0;
  for (const doc of docs) {
    to.number(doc - before);
    before = doc;
    for (const end = next + widthOf(counts[next] ?? 0); next < end; next++) to.number(counts[next] ?? 0);
  }
}

/** Reads what {@link writePostings} wrote. */
export function readPostings(from: ByteReader): Postings {
  const size = from.number();
  if (size > 1) from.number();
  const to = openPostings();
  let doc = 0;
  for (let at = 0; at < size; at++) {
    doc += from.number();
    to.docs.push(doc);
    readCounts(from, to.counts);
  }
  return to;
}

/** Reads the counts of one document, behind those that are there. */
export function readCounts(from: ByteReader, to: number[]): void {
  const first = from.number();
  to.push(first);
  for (let left = widthOf(first); left > 1; left--) to.push(from.number());
}

/**
 * Postings with some of them taken out and others put in.
 *
 * @param changes Counts of {@link GONE} take out.
 */
export function changedPostings(before: Postings, changes: Postings): Postings {
  const to = openPostings();
  const [old, young] = [walk(before), walk(changes)];
  while (old.doc < Infinity || young.doc < Infinity) {
    const { doc } = old;
    if (young.doc <= doc) young.take(to);
    if (young.taken === doc) old.skip();
    else if (doc < young.doc) old.take(to);
  }
  return to;
}

/** Goes over postings in their order. */
function walk({ docs, counts }: Postings) {
  let [at, next] = [0, 0];
  const walker = {
    /** The document that is next; Infinity: there is none. */
    doc: docs[0] ?? Infinity,
    /** The one that was taken last. */
    taken: -1,
    take(to: OpenPostings): void {
      const end = next + widthOf(counts[next] ?? 0);
      if (counts[next] !== GONE) {
        to.docs.push(walker.doc);
        for (let one = next; one < end; one++) to.counts.push(counts[one] ?? 0);
      }
      walker.taken = walker.doc;
      walker.skip();
    },
    skip(): void {
      next += widthOf(counts[next] ?? 0);
      walker.doc = docs[++at] ?? Infinity;
    },
  };
  return walker;
}

/** Postings in stretches, each of as many documents as have their number divided by a size in common. */
export function* stretches(
  { docs, counts }: Postings,
  size: number,
): Generator<[stretch: number, part: Postings]> {
  let next = 0;
  for (let from = 0; from < docs.length; ) {
    const stretch = Math.floor((docs[from] ?? 0) / size);
    const first = next;
    let to = from;
    for (; to < docs.length && Math.floor((docs[to] ?? 0) / size) === stretch; to++)
      next += widthOf(counts[next] ?? 0);
    yield [stretch, { docs: docs.slice(from, to), counts: counts.slice(first, next) }];
    from = to;
  }
}
