import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteReader, ByteWriter } from './bytes.js';
import { countsAt, eachCount, pushCounts, widthOf } from './counts.js';
import type { TextIndexType } from './definition.js';
import { FrontReader, FrontWriter } from './front-coded.js';
import { readCounts } from './postings.js';

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

/** A document to be made: the words that it has, and how often each stands in each field, in their order. */
export type MadeDocument = Pick<StoredDocument, 'id' | 'words'>;

/** The words of the documents of a group. */
export interface GroupWords {
  /** All of them, each once. */
  readonly words: readonly string[];
  /** In the order of the group. */
  readonly documents: readonly DocumentWords[];
}

/** The words of one document. */
export interface DocumentWords {
  /** The places of its words among those of the group, in ascending order. */
  readonly words: readonly number[];
  /** The counts of each, one behind the other, as `counts.ts` has them. */
  readonly counts: readonly number[];
}

/**
 * The documents of a group as they are stored, made on any thread: for `TextIndexWriter.putGroup`. Each word stands there
 * once for all documents: those of a group have many in common.
 */
export function madeDocuments(documents: Iterable<MadeDocument>): Uint8Array<ArrayBuffer> {
  const all = [...documents];
  const [to, says] = [new ByteWriter(), new ByteWriter()];
  to.number(all.length);
  const ids = new FrontWriter(to);
  for (const { id } of all) ids.put(id);
  const places = new Map<string, number>();
  for (const { words } of all) putDocument(says, words, places);
  const behind = says.take();
  says.number(places.size);
  for (const word of places.keys()) says.text(word);
  says.raw(behind);
  const plain = says.take();
  const packed = plain.length < LEAST_COMPRESSED ? plain : deflateRawSync(plain, { level: 1 });
  const isPacked = packed.length < plain.length;
  to.byte(isPacked ? 1 : 0);
  to.raw(isPacked ? packed : plain);
  return to.take();
}

/** @param places Gets the words that are new. */
function putDocument(to: ByteWriter, words: MadeDocument['words'], places: Map<string, number>): void {
  const own: (readonly [place: number, counts: readonly number[]])[] = [];
  for (const [word, perField] of words) {
    const counts: number[] = [];
    if (!pushCounts(counts, perField)) continue;
    let place = places.get(word);
    if (place === undefined) {
      place = places.size;
      places.set(word, place);
    }
    own.push([place, counts]);
  }
  own.sort(([a], [b]) => a - b);
  to.number(own.length);
  let next = 0;
  for (const [place, counts] of own) {
    to.number(place - next);
    next = place + 1;
    for (const count of counts) to.number(count);
  }
}

/** The ids of the documents that {@link madeDocuments} made, in the order of the group. */
export function idsOf(made: Uint8Array): string[] {
  return readIds(new ByteReader(made));
}

function readIds(from: ByteReader): string[] {
  const size = from.number();
  const ids = new FrontReader(from);
  return Array.from({ length: size }, () => ids.take());
}

/** The words of the documents that {@link madeDocuments} made. */
export function wordsOf(made: Uint8Array): GroupWords {
  const head = new ByteReader(made);
  const { length } = readIds(head);
  const isPacked = head.byte() === 1;
  const from = new ByteReader(isPacked ? inflateRawSync(head.rest()) : head.rest());
  const words = Array.from({ length: from.number() }, () => from.text());
  const documents = Array.from({ length }, (): DocumentWords => {
    const own: number[] = [];
    const counts: number[] = [];
    let next = 0;
    for (let left = from.number(); left > 0; left--) {
      next += from.number();
      own.push(next++);
      readCounts(from, counts);
    }
    return { words: own, counts };
  });
  return { words, documents };
}

/** How many words each field of a document has. */
export function lengthsOf({ fields }: Pick<TextIndexType, 'fields'>, { counts }: DocumentWords): number[] {
  const lengths = new Array<number>(fields.length).fill(0);
  for (let at = 0; at < counts.length; at += widthOf(counts[at] ?? 0))
    eachCount(counts, at, fields.length, (field, count) => {
      lengths[field] = (lengths[field] ?? 0) + count;
    });
  return lengths;
}

/** A document as those who ask for it get it. @param at Its place in the group. */
export function documentOf(
  type: Pick<TextIndexType, 'fields'>,
  id: string,
  { words, documents }: GroupWords,
  at: number,
): StoredDocument {
  const own = documents[at] ?? { words: [], counts: [] };
  let next = 0;
  const counted = own.words.map((place) => {
    const counts = countsAt(own.counts, next, type.fields.length);
    next += widthOf(own.counts[next] ?? 0);
    return [words[place] ?? '', counts] as const;
  });
  return { id, lengths: lengthsOf(type, own), words: new Map(counted) };
}
