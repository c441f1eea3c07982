import { afterPrefix, FIXED_TABLE } from './keys.js';
import type { Bytes } from './kv.js';
import type { IndexQuery } from './layer.js';

/** One value of a property that an index can hold; others (and absent ones) are not in it. */
export type IndexPart = string | number | boolean;
/** What an entry is about: a value, or those of several properties. */
export type IndexValue = IndexPart | readonly IndexPart[];

/** The position of the index that lists all nodes of an archetype; properties follow from 1. */
export const ALL_NODES = 0;

/** `several`: their number follows, and the values. */
const TAG = { false: 0x10, true: 0x11, number: 0x20, string: 0x30, several: 0x40 } as const;
/** Table, type code (2), position. */
const HEAD = 4;
/** Marks entries whose id is in the value, because UTF-8 would not give it back. */
const SURROGATE = /[\ud800-\udfff]/;

/** One entry of an index; its key sorts by (value, id) as JavaScript compares them. */
export interface IndexEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

const NOTHING = Buffer.alloc(0);

/** Whether a property's value has an index entry. */
export function isIndexable(value: unknown): value is IndexPart {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && !Number.isNaN(value))
  );
}

/** The entry of one node in one index; `value` undefined in the index of all nodes. */
export function indexEntry(
  typeCode: number,
  position: number,
  value: IndexValue | undefined,
  id: string,
): IndexEntry {
  const surrogates = SURROGATE.test(id);
  if (surrogates || (typeof value === 'string' && isOdd(value))) {
    const encoded = value === undefined ? NOTHING : encodeValue(value);
    const key = Buffer.concat([head(typeCode, position), encoded, encodeUnits(id)]);
    return { key, value: surrogates ? Buffer.from(id, 'utf16le') : NOTHING };
  }
  return { key: plainKey(typeCode, position, value, id), value: NOTHING };
}

/** Whether the bytes of a text are not just copied: surrogates, and the two characters that are escaped. */
function isOdd(value: string): boolean {
  return value.includes('\0') || value.includes('\u0001') || SURROGATE.test(value);
}

/** As {@link indexEntry} makes it of parts, in one piece: every node has several, and hardly any is odd. */
function plainKey(typeCode: number, position: number, value: IndexValue | undefined, id: string): Buffer {
  const isText = typeof value === 'string';
  const encoded = value === undefined || isText ? NOTHING : encodeValue(value);
  const valueBytes = isText ? Buffer.byteLength(value) + 2 : encoded.length;
  const key = Buffer.allocUnsafe(HEAD + valueBytes + Buffer.byteLength(id));
  key[0] = FIXED_TABLE.index;
  key[1] = typeCode >>> 8;
  key[2] = typeCode;
  key[3] = position;
  let at = HEAD;
  if (isText) {
    key[at] = TAG.string;
    at += 1 + key.write(value, at + 1);
    key[at] = 0;
    at += 1;
  } else {
    key.set(encoded, at);
    at += encoded.length;
  }
  key.write(id, at);
  return key;
}

/** The id that an entry of the index is about. */
export function indexedId(key: Bytes, value: Bytes): string {
  if (value.length > 0) return Buffer.from(value).toString('utf16le');
  return utf8(key, HEAD + valueLength(key));
}

/** Compares entries of different archetypes' indexes by (value, id). */
export function compareIndexKeys(a: Bytes, b: Bytes): number {
  return Buffer.compare(a.subarray(HEAD), b.subarray(HEAD));
}

/** The keys of one index that a query asks for. @param parts Of how many properties the index is: the query is about the first. */
export function indexRange(
  typeCode: number,
  position: number,
  query: Pick<IndexQuery, 'equals' | 'prefix' | 'gte' | 'lt'>,
  parts = 1,
): { from: Buffer; to: Buffer } {
  const start =
    parts === 1
      ? head(typeCode, position)
      : Buffer.concat([head(typeCode, position), Buffer.from([TAG.several, parts])]);
  const key = (value: Buffer) => Buffer.concat([start, value]);
  if (query.equals !== undefined) return prefixRange(key(encodeValue(query.equals)));
  if (query.prefix !== undefined) return prefixRange(key(openString(query.prefix)));
  const { gte, lt } = query;
  if (gte === undefined && lt === undefined) return prefixRange(start);
  const tag = typeof (gte ?? lt) === 'string' ? TAG.string : TAG.number;
  const all = prefixRange(key(Buffer.from([tag])));
  return {
    from: gte === undefined ? all.from : key(encodeValue(gte)),
    to: lt === undefined ? all.to : key(encodeValue(lt)),
  };
}

function prefixRange(prefix: Buffer): { from: Buffer; to: Buffer } {
  return { from: prefix, to: afterPrefix(prefix) };
}

function head(typeCode: number, position: number): Buffer {
  return Buffer.from([FIXED_TABLE.index, typeCode >>> 8, typeCode & 0xff, position]);
}

/** A value as bytes that sort as the values do: booleans, then numbers, then strings by UTF-16 unit. */
export function encodeValue(value: IndexValue): Buffer {
  if (typeof value === 'object')
    return Buffer.concat([Buffer.from([TAG.several, value.length]), ...value.map(encodeValue)]);
  if (typeof value === 'boolean') return Buffer.from([value ? TAG.true : TAG.false]);
  if (typeof value === 'number') return encodeNumber(value);
  return Buffer.concat([openString(value), Buffer.from([0])]);
}

/** IEEE 754 with the sign bit turned, and all bits of negative numbers: bytes then sort as numbers. */
function encodeNumber(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(9);
  bytes[0] = TAG.number;
  bytes.writeDoubleBE(value === 0 ? 0 : value, 1);
  const negative = (bytes[1] ?? 0) >= 0x80;
  for (let at = 1; at < 9; at += 1) bytes[at] = (bytes[at] ?? 0) ^ (negative ? 0xff : at === 1 ? 0x80 : 0);
  return bytes;
}

/** A string without its end: 0 and 1 are escaped so that the end (0) sorts before every character. */
function openString(value: string): Buffer {
  const units = encodeUnits(value);
  if (!units.includes(0) && !units.includes(1)) return Buffer.concat([Buffer.from([TAG.string]), units]);
  const escaped = [TAG.string as number];
  for (const byte of units) {
    if (byte <= 1) escaped.push(1, byte + 1);
    else escaped.push(byte);
  }
  return Buffer.from(escaped);
}

/** UTF-8, except that surrogates are written one by one: bytes then sort by UTF-16 unit, as `<` does. */
function encodeUnits(text: string): Buffer {
  if (!SURROGATE.test(text)) return Buffer.from(text, 'utf8');
  const parts = [...text.split(/([\ud800-\udfff])/)].map((part) => {
    if (!SURROGATE.test(part)) return Buffer.from(part, 'utf8');
    const unit = part.charCodeAt(0);
    return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);
  });
  return Buffer.concat(parts);
}

/** Bytes of the encoded value that starts after the head; 0 in the index of all nodes. */
function valueLength(key: Bytes): number {
  if (key[HEAD - 1] === ALL_NODES) return 0;
  if (key[HEAD] !== TAG.several) return partLength(key, HEAD);
  let at = HEAD + 2;
  for (let left = key[HEAD + 1] ?? 0; left > 0; left--) at += partLength(key, at);
  return at - HEAD;
}

/** Bytes of the value that starts at a position. */
function partLength(key: Bytes, start: number): number {
  const tag = key[start];
  if (tag === TAG.false || tag === TAG.true) return 1;
  if (tag === TAG.number) return 9;
  return key.indexOf(0, start) - start + 1;
}

function utf8(bytes: Bytes, from: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from).toString('utf8');
}
