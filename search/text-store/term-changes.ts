import type { TextIndexType } from './definition.js';
import type { IndexNames } from './names.js';
import { changedPostings, NO_POSTINGS, type Posting, type Postings } from './postings.js';
import {
  CHUNK_DOCS,
  chunkBytes,
  chunkOf,
  frequencyOf,
  INLINE_POSTINGS,
  type TermRecord,
  termBytes,
  termOf,
} from './records.js';
import type { WritableShelf } from './writer.js';

/** What is new of words: by the number of the document a posting, or null where it has the word no more. */
export type TermChanges = Map<string, Map<number, Posting | null>>;

/** Records that are read in one round trip. */
const AT_ONCE = 2000;

type Changes = readonly (readonly [number: number, posting: Posting | null])[];

/** A chunk that changes. */
interface DueChunk {
  readonly word: string;
  readonly chunk: number;
  readonly changes: Changes;
}

/** Brings the records of words up to date. */
export async function changeTerms(
  shelf: WritableShelf,
  { layer, fields }: TextIndexType,
  names: IndexNames,
  changes: TermChanges,
): Promise<void> {
  const width = fields.length;
  const put = (name: string, value: Uint8Array | undefined) => shelf.putBlob(name, value, layer);
  const putTerm = (word: string, record: TermRecord) =>
    put(names.term(word), frequencyOf(record) === 0 ? undefined : termBytes(record, width));
  const words = [...changes.keys()].sort();
  for (let from = 0; from < words.length; from += AT_ONCE) {
    const some = words.slice(from, from + AT_ONCE);
    const stored = await shelf.blobs(
      some.map((word) => names.term(word)),
      layer,
    );
    const chunked = new Map<string, Map<number, number>>();
    const due: DueChunk[] = [];
    for (const [at, word] of some.entries()) {
      const bytes = stored[at];
      const record: TermRecord = bytes ? termOf(bytes, width) : { postings: NO_POSTINGS, chunks: null };
      const ordered = [...(changes.get(word) ?? [])].sort(([a], [b]) => a - b);
      if (record.chunks) {
        chunked.set(word, new Map(record.chunks));
        for (const [chunk, own] of byChunk(ordered)) due.push({ word, chunk, changes: own });
        continue;
      }
      const postings = changedPostings(record.postings, ordered, width);
      if (postings.docs.length <= INLINE_POSTINGS) {
        putTerm(word, { postings, chunks: null });
        continue;
      }
      const chunks = new Map<number, number>();
      for (const [chunk, part] of partsOf(postings, width)) {
        chunks.set(chunk, part.docs.length);
        put(names.chunk(word, chunk), chunkBytes(part, width));
      }
      putTerm(word, { postings: null, chunks });
    }
    for (let next = 0; next < due.length; next += AT_ONCE) {
      const some = due.slice(next, next + AT_ONCE);
      const found = await shelf.blobs(
        some.map(({ word, chunk }) => names.chunk(word, chunk)),
        layer,
      );
      for (const [at, { word, chunk, changes }] of some.entries()) {
        const bytes = found[at];
        const after = changedPostings(bytes ? chunkOf(bytes, width) : NO_POSTINGS, changes, width);
        const size = after.docs.length;
        put(names.chunk(word, chunk), size === 0 ? undefined : chunkBytes(after, width));
        const chunks = chunked.get(word);
        if (size === 0) chunks?.delete(chunk);
        else chunks?.set(chunk, size);
      }
    }
    for (const [word, chunks] of chunked) putTerm(word, { postings: null, chunks });
  }
}

function byChunk(changes: Changes): Map<number, Changes> {
  const parts = new Map<number, (readonly [number, Posting | null])[]>();
  for (const change of changes) {
    const chunk = Math.floor(change[0] / CHUNK_DOCS);
    const part = parts.get(chunk);
    if (part) part.push(change);
    else parts.set(chunk, [change]);
  }
  return parts;
}

/** Postings by the chunks that they belong to. */
function partsOf({ docs, lengths, counts }: Postings, width: number): [chunk: number, part: Postings][] {
  const parts: [number, Postings][] = [];
  for (let from = 0; from < docs.length; ) {
    const chunk = Math.floor((docs[from] ?? 0) / CHUNK_DOCS);
    let to = from;
    while (to < docs.length && Math.floor((docs[to] ?? 0) / CHUNK_DOCS) === chunk) to++;
    parts.push([
      chunk,
      {
        docs: docs.slice(from, to),
        lengths: lengths.slice(from, to),
        counts: counts.slice(from * width, to * width),
      },
    ]);
    from = to;
  }
  return parts;
}
