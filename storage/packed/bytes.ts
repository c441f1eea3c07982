import { crc32 } from 'node:zlib';
import type { Bytes } from '../kv.js';
import { asBuffer } from '../msgpack.js';

const NOT_LATIN1 = /[\u0100-\uffff]/;
const CHECKSUM = 4;

/** Writes whole numbers, texts and bytes one after the other into a buffer that grows. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(16 * 1024);
  #length = 0;

  /** How much was written. */
  get length(): number {
    return this.#length;
  }

  /** What was written, until more is. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Starts again from nothing. */
  reset(): void {
    this.#length = 0;
  }

  /** A whole number from 0 to 2^53, in seven bits per byte. */
  number(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow(8);
    const bytes = this.#bytes;
    let at = this.#length;
    let rest = value;
    for (; rest > 0x7fffffff; rest = Math.floor(rest / 128)) bytes[at++] = (rest % 128) | 0x80;
    for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
    bytes[at++] = rest;
    this.#length = at;
  }

  /** A number of four bytes: one whose place is known before it is. */
  fixed(value: number): void {
    if (this.#length + 4 > this.#bytes.length) this.#grow(4);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
  }

  bytes(value: Uint8Array): void {
    if (this.#length + value.length > this.#bytes.length) this.#grow(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** Many texts: their lengths, then all of them in one encoding. */
  texts(values: readonly string[]): void {
    for (const { length } of values) this.number(length);
    const all = values.join('');
    const isWide = NOT_LATIN1.test(all);
    this.number(isWide ? 1 : 0);
    const size = isWide ? 2 * all.length : all.length;
    if (this.#length + size > this.#bytes.length) this.#grow(size);
    this.#length += this.#bytes.write(all, this.#length, isWide ? 'utf16le' : 'latin1');
  }

  /** Sorted texts: how much each has in common with the one before it, and the rest. */
  sortedTexts(values: readonly string[]): void {
    const rests: string[] = [];
    let before = '';
    for (const value of values) {
      const most = Math.min(before.length, value.length);
      let shared = 0;
      while (shared < most && before.charCodeAt(shared) === value.charCodeAt(shared)) shared += 1;
      this.number(shared);
      rests.push(value.slice(shared));
      before = value;
    }
    this.texts(rests);
  }

  /** A copy of what was written, with its checksum behind it. */
  sealed(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#length + CHECKSUM);
    this.#bytes.copy(bytes, 0, 0, this.#length);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, this.#length)), this.#length);
    return bytes;
  }

  #grow(more: number): void {
    const grown = Buffer.allocUnsafe(2 * Math.max(this.#bytes.length, more));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** What {@link ByteWriter.sealed} made without its checksum; undefined where the bytes are damaged. */
export function unsealed(bytes: Bytes): Buffer | undefined {
  const buffer = asBuffer(bytes);
  const end = buffer.length - CHECKSUM;
  if (end < 0) return undefined;
  const body = buffer.subarray(0, end);
  return crc32(body) === buffer.readUInt32LE(end) ? body : undefined;
}

/** The checksum of sealed bytes. */
export function sealOf(bytes: Buffer): number {
  return bytes.readUInt32LE(bytes.length - CHECKSUM);
}

/** Reads what a {@link ByteWriter} wrote. */
export class ByteReader {
  constructor(
    private readonly from: Buffer,
    /** Where the next thing is. */
    public at = 0,
  ) {}

  number(): number {
    const { from } = this;
    const first = from[this.at++] as number;
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let factor = 128; ; factor *= 128) {
      const byte = from[this.at++];
      if (byte === undefined) throw new RangeError('a pack ends too early');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  texts(count: number): string[] {
    const lengths = new Int32Array(count);
    let sum = 0;
    for (let at = 0; at < count; at += 1) {
      lengths[at] = this.number();
      sum += lengths[at] as number;
    }
    const isWide = this.number() === 1;
    const end = this.at + (isWide ? 2 * sum : sum);
    const all = this.from.toString(isWide ? 'utf16le' : 'latin1', this.at, end);
    this.at = end;
    const values = new Array<string>(count);
    let start = 0;
    for (let at = 0; at < count; at += 1) {
      const length = lengths[at] as number;
      values[at] = all.slice(start, start + length);
      start += length;
    }
    return values;
  }

  sortedTexts(count: number): string[] {
    const shared = new Int32Array(count);
    for (let at = 0; at < count; at += 1) shared[at] = this.number();
    const values = this.texts(count);
    for (let at = 1; at < count; at += 1) {
      const length = shared[at] as number;
      if (length > 0) values[at] = (values[at - 1] as string).slice(0, length) + (values[at] as string);
    }
    return values;
  }
}
