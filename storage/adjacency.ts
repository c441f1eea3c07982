import type { EdgeOrder } from '../schema/index.js';
import type { Bytes } from './kv.js';
import { asBuffer, type ValueCodec } from './msgpack.js';
import type { PackedItem } from './packed-item.js';

/** Flags in the first byte of a record. */
export const DIRECTORY = 1;
const WIDE_IDS = 2;
const CANONICAL = 4;
const EXTRA = 8;
const MIXED_ENDS = 16;
const ENDS_SHIFT = 5;
const OUTGOING = 1;
const UNDIRECTED = 2;

/** Flags, widths, version (2), count (2). */
const HEAD = 6;
const ID_BYTES = 4;
/** Bytes of a number by its two-bit code. In the first order column of `creation` records code 0 means {@link SEQ_WIDE}. */
const WIDTHS = [0, 1, 2, 4] as const;
type WidthCode = 0 | 1 | 2 | 3;
const SEQ_WIDE = 6;
/** What is noted of damaged adjacency. */
export const CUT_EDGES = 'edges';
const NO_ITEMS = Buffer.alloc(HEAD);
const NOT_LATIN1 = /[\u0100-\uffff]/;

/** How a record is to be encoded. */
export interface RecordShape {
  readonly order: EdgeOrder;
  /** The version of the edge type whose inline list the extra values follow. */
  readonly version: number;
}

/** Encodes the items of one record (or chunk), which must be in their order, as columns of fixed widths. */
export function encodeItems(items: readonly PackedItem[], shape: RecordShape, values: ValueCodec): Buffer {
  if (items.length > 0xffff) throw new RangeError('Too many entries for one adjacency record');
  const canonical = shape.order === 'canonical';
  const columns = new Columns(items, canonical);
  const { texts, mixed, ends, lengthCode, typeCode, aCode, bCode } = columns;
  const wide = NOT_LATIN1.test(texts);
  const idsLength = wide ? 2 * texts.length : texts.length;
  const props = columns.extra ? values.encode(items.map(extraAsHoles)) : undefined;
  const aWidth = aCode === 0 && !canonical ? SEQ_WIDE : WIDTHS[aCode];
  const perItem = WIDTHS[lengthCode] + WIDTHS[typeCode] + (mixed ? 1 : 0) + aWidth + WIDTHS[bCode];
  const fixed = HEAD + (props === undefined ? 0 : ID_BYTES) + perItem * items.length;
  const bytes = Buffer.allocUnsafe(fixed + idsLength + (props === undefined ? 0 : props.length));
  bytes[0] =
    (wide ? WIDE_IDS : 0) |
    (canonical ? CANONICAL : 0) |
    (props === undefined ? 0 : EXTRA) |
    (mixed ? MIXED_ENDS : 0) |
    (ends << ENDS_SHIFT);
  bytes[1] = lengthCode | (typeCode << 2) | (aCode << 4) | (bCode << 6);
  putUint(bytes, 2, 2, shape.version);
  putUint(bytes, 4, 2, items.length);
  let at = HEAD;
  if (props !== undefined) at = putUint(bytes, at, ID_BYTES, idsLength);
  // Each column by a loop of its own: what they have in common would call a function for each value.
  if (WIDTHS[lengthCode] > 0)
    for (const item of items) at = putUint(bytes, at, WIDTHS[lengthCode], item.far.length);
  if (WIDTHS[typeCode] > 0) for (const item of items) at = putUint(bytes, at, WIDTHS[typeCode], item.farType);
  if (mixed) for (const item of items) at = putUint(bytes, at, 1, endsOf(item));
  if (aWidth > 0) for (const item of items) at = putUint(bytes, at, aWidth, canonical ? item.line : item.seq);
  if (WIDTHS[bCode] > 0) for (const item of items) at = putUint(bytes, at, WIDTHS[bCode], item.column);
  bytes.write(texts, at, wide ? 'utf16le' : 'latin1');
  if (props !== undefined) bytes.set(props, at + idsLength);
  return bytes;
}

/** How wide the columns of a record have to be, and its far ids in one text. */
class Columns {
  readonly texts: string;
  readonly lengthCode: WidthCode;
  readonly typeCode: WidthCode;
  readonly aCode: WidthCode;
  readonly bCode: WidthCode;
  /** What the ends of the first item are, and whether another's differ. */
  readonly ends: number;
  readonly mixed: boolean;
  readonly extra: boolean;

  constructor(items: readonly PackedItem[], canonical: boolean) {
    let texts = '';
    let maxLength = 1;
    let maxType = 0;
    let maxA = 0;
    let maxB = 0;
    let mixed = false;
    let extra = false;
    const ends = endsOf(items[0]);
    for (const item of items) {
      const { far, farType, column } = item;
      const a = canonical ? item.line : item.seq;
      texts += far;
      if (far.length > maxLength) maxLength = far.length;
      if (farType > maxType) maxType = farType;
      if (a > maxA) maxA = a;
      if (canonical && column > maxB) maxB = column;
      if (endsOf(item) !== ends) mixed = true;
      if (!extra && hasValue(item.extra)) extra = true;
    }
    this.texts = texts;
    this.lengthCode = widthCode(maxLength);
    this.typeCode = widthCode(maxType);
    this.aCode = maxA > 0xffffffff ? 0 : widthCode(maxA);
    this.bCode = widthCode(maxB);
    this.ends = ends;
    this.mixed = mixed;
    this.extra = extra;
  }
}

/**
 * One adjacency record (or chunk) as it lies in its bytes. Columns have fixed widths, so that each value is read
 * when it is asked for; all far ids come from one string, extra values are decoded once and only when needed.
 */
export class PackedRecord {
  readonly count: number;
  /** Whether bytes of it are missing. */
  readonly isCut: boolean;
  readonly version: number;
  readonly #bytes: Buffer;
  readonly #flags: number;
  readonly #lengthWidth: number;
  readonly #typeWidth: number;
  readonly #aWidth: number;
  readonly #bWidth: number;
  readonly #lengths: number;
  readonly #types: number;
  readonly #ends: number;
  readonly #a: number;
  readonly #b: number;
  readonly #ids: number;
  #extra: unknown[] | undefined;

  /** @param source Of what is cut nothing is taken: it reads as a record without entries. */
  constructor(source: Bytes) {
    const bytes = asBuffer(source).length < HEAD ? NO_ITEMS : asBuffer(source);
    const flags = byte(bytes, 0);
    const widths = byte(bytes, 1);
    const count = (byte(bytes, 4) << 8) | byte(bytes, 5);
    this.#bytes = bytes;
    this.#flags = flags;
    this.version = (byte(bytes, 2) << 8) | byte(bytes, 3);
    this.count = count;
    this.#lengthWidth = widthOf(widths & 3);
    this.#typeWidth = widthOf((widths >>> 2) & 3);
    const aCode = (widths >>> 4) & 3;
    this.#aWidth = aCode === 0 && (flags & CANONICAL) === 0 ? SEQ_WIDE : widthOf(aCode);
    this.#bWidth = widthOf(widths >>> 6);
    this.#lengths = HEAD + ((flags & EXTRA) === 0 ? 0 : ID_BYTES);
    this.#types = this.#lengths + this.#lengthWidth * count;
    this.#ends = this.#types + this.#typeWidth * count;
    this.#a = this.#ends + ((flags & MIXED_ENDS) === 0 ? 0 : count);
    this.#b = this.#a + this.#aWidth * count;
    this.#ids = this.#b + this.#bWidth * count;
    this.isCut = asBuffer(source).length < HEAD || this.#ids > bytes.length;
    if (this.isCut) [this.#bytes, this.#flags, this.count] = [NO_ITEMS, 0, 0];
  }

  /** All far ids, in the record's order. */
  fars(): string[] {
    const bytes = this.#bytes;
    const wide = (this.#flags & WIDE_IDS) !== 0;
    const end = (this.#flags & EXTRA) === 0 ? bytes.length : this.#ids + uint(bytes, HEAD, ID_BYTES);
    const text = bytes.toString(wide ? 'utf16le' : 'latin1', this.#ids, end);
    const fars = new Array<string>(this.count);
    let from = 0;
    for (let at = 0; at < this.count; at += 1) {
      const to = from + uint(bytes, this.#lengths + at * this.#lengthWidth, this.#lengthWidth);
      fars[at] = text.slice(from, to);
      from = to;
    }
    return fars;
  }

  /** How many of the entries are edges that leave: of `out` records, those that start there. */
  leaving(): number {
    if ((this.#flags & MIXED_ENDS) === 0) return this.outgoing(0) ? this.count : 0;
    let count = 0;
    for (let at = 0; at < this.count; at += 1) if (this.outgoing(at)) count += 1;
    return count;
  }

  farType(at: number): number {
    return uint(this.#bytes, this.#types + at * this.#typeWidth, this.#typeWidth);
  }

  outgoing(at: number): boolean {
    return (this.#endsOf(at) & OUTGOING) !== 0;
  }

  undirected(at: number): boolean {
    return (this.#endsOf(at) & UNDIRECTED) !== 0;
  }

  /** 0 in canonical records. */
  seq(at: number): number {
    return (this.#flags & CANONICAL) === 0 ? uint(this.#bytes, this.#a + at * this.#aWidth, this.#aWidth) : 0;
  }

  /** As {@link packPosition} made it; 0 in records of creation order. */
  line(at: number): number {
    return (this.#flags & CANONICAL) === 0 ? 0 : uint(this.#bytes, this.#a + at * this.#aWidth, this.#aWidth);
  }

  column(at: number): number {
    return uint(this.#bytes, this.#b + at * this.#bWidth, this.#bWidth);
  }

  /** The extra values of an entry, undefined where it has none. */
  extra(at: number, values: ValueCodec): readonly unknown[] {
    if ((this.#flags & EXTRA) === 0) return [];
    if (this.#extra === undefined) {
      const decoded = values.decode(this.#bytes.subarray(this.#ids + uint(this.#bytes, HEAD, ID_BYTES)));
      if (!Array.isArray(decoded)) values.damaged.add(CUT_EDGES);
      this.#extra = Array.isArray(decoded) ? decoded : [];
    }
    const row = this.#extra[at];
    return Array.isArray(row) ? row.map(holeAsAbsent) : [];
  }

  #endsOf(at: number): number {
    return (this.#flags & MIXED_ENDS) === 0 ? this.#flags >>> ENDS_SHIFT : byte(this.#bytes, this.#ends + at);
  }
}

/** Every item of a record, to be changed and encoded again, and the version that its extra values follow. */
export function decodeItems(bytes: Bytes, values: ValueCodec): { items: PackedItem[]; version: number } {
  const record = new PackedRecord(bytes);
  if (record.isCut) values.damaged.add(CUT_EDGES);
  const items = record.fars().map((far, at) => ({
    far,
    farType: record.farType(at),
    outgoing: record.outgoing(at),
    undirected: record.undirected(at),
    seq: record.seq(at),
    line: record.line(at),
    column: record.column(at),
    extra: record.extra(at, values),
  }));
  return { items, version: record.version };
}

const extraAsHoles = (item: PackedItem): unknown[] => item.extra.map(absentAsHole);

function hasValue(values: readonly unknown[]): boolean {
  for (const value of values) if (value !== undefined) return true;
  return false;
}

/** Undefined has no form in msgpack and null is a value, so an absent one is an array, which inline values are not alone. */
function absentAsHole(value: unknown): unknown {
  return value === undefined ? [] : Array.isArray(value) ? [value] : value;
}

function holeAsAbsent(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function endsOf(item: PackedItem | undefined): number {
  return (item?.outgoing ? OUTGOING : 0) | (item?.undirected ? UNDIRECTED : 0);
}

function widthCode(max: number): WidthCode {
  if (max === 0) return 0;
  return max <= 0xff ? 1 : max <= 0xffff ? 2 : 3;
}

function widthOf(code: number): number {
  return WIDTHS[code & 3] ?? 0;
}

function byte(bytes: Buffer, at: number): number {
  return bytes[at] ?? 0;
}

/** Writes a big-endian number, by hand as {@link uint} reads it; gives the place behind it. */
function putUint(bytes: Buffer, at: number, width: number, value: number): number {
  switch (width) {
    case 1:
      bytes[at] = value;
      return at + 1;
    case 2:
      bytes[at] = value >>> 8;
      bytes[at + 1] = value;
      return at + 2;
    default:
      return bytes.writeUIntBE(value, at, width);
  }
}

/** A big-endian number; by hand, because Buffer's own readers check more than they read. */
function uint(bytes: Buffer, at: number, width: number): number {
  switch (width) {
    case 0:
      return 0;
    case 1:
      return byte(bytes, at);
    case 2:
      return (byte(bytes, at) << 8) | byte(bytes, at + 1);
    case 4:
      return bytes.readUInt32BE(at);
    default:
      return bytes.readUIntBE(at, 6);
  }
}
