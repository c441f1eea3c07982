import { ByteReader, ByteWriter } from './bytes.js';
import { FrontReader, FrontWriter } from './front-coded.js';
import { CHUNK_DOCS } from './records.js';

/** Documents, by their numbers, whose ids are stored together. */
export const ID_DOCS = 32;

/** The lengths of a stretch of {@link CHUNK_DOCS} documents with some of them changed, undefined without any: one code a byte. */
export function changedLengths(
  before: Uint8Array | undefined,
  changes: Iterable<readonly [number: number, code: number]>,
): Uint8Array | undefined {
  const codes = new Uint8Array(CHUNK_DOCS);
  codes.set(before ?? []);
  for (const [number, code] of changes) codes[number % CHUNK_DOCS] = code;
  let size = codes.length;
  while (size > 0 && codes[size - 1] === 0) size--;
  return size === 0 ? undefined : codes.subarray(0, size);
}

/** The ids of a stretch of {@link ID_DOCS} documents with some of them changed, undefined without any. @param changes Null: it is gone. */
export function changedIds(
  before: Uint8Array | undefined,
  changes: Iterable<readonly [number: number, id: string | null]>,
): Uint8Array | undefined {
  const ids = new Map(before ? idsIn(before) : []);
  for (const [number, id] of changes) {
    if (id === null) ids.delete(number % ID_DOCS);
    else ids.set(number % ID_DOCS, id);
  }
  if (ids.size === 0) return undefined;
  const to = new ByteWriter();
  const texts = new FrontWriter(to);
  for (const [place, id] of [...ids].sort(([a], [b]) => a - b)) {
    to.byte(place);
    texts.put(id);
  }
  return to.take();
}

/** The ids of a stretch, by the place in it. */
export function* idsIn(bytes: Uint8Array): Generator<[place: number, id: string]> {
  const from = new ByteReader(bytes);
  const texts = new FrontReader(from);
  while (!from.isAtEnd) yield [from.byte(), texts.take()];
}
