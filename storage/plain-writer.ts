/** Longer texts are written by the engine's own code: calling it costs as much as so many characters. */
const SHORT = 48;
/** Longer values are left to the library: no record of ours comes near, and it grows its buffer. */
const SIZE = 64 * 1024;
/** What is nested deeper is the library's to refuse. */
const MOST_DEEP = 32;
const UINT32 = 0x1_0000_0000;

/**
 * MessagePack of what nearly all records hold: null, booleans, numbers, ASCII texts, arrays and plain objects. Byte for
 * byte what the library makes of them; what it does not know it leaves to the library.
 */
export class PlainWriter {
  readonly #bytes = Buffer.alloc(SIZE);
  #at = 0;

  /** The bytes of a value, which hold until the next is written; undefined when the library has to write it. */
  write(value: unknown): Uint8Array | undefined {
    this.#at = 0;
    return this.#value(value, MOST_DEEP) ? this.#bytes.subarray(0, this.#at) : undefined;
  }

  /** False as soon as something is not plain, or the room is used up: then nothing that was written counts. */
  #value(value: unknown, deep: number): boolean {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number') return this.#number(value);
    if (value === undefined || value === null) return this.#byte(0xc0);
    if (typeof value === 'boolean') return this.#byte(value ? 0xc3 : 0xc2);
    if (deep === 0) return false;
    if (Array.isArray(value)) return this.#list(value, deep - 1);
    return isPlain(value) && this.#object(value, deep - 1);
  }

  #text(text: string): boolean {
    const { length } = text;
    if (this.#at + length + 3 > SIZE || !this.#head(length, 32, 0xa0, 0xd9, 0xda)) return false;
    const bytes = this.#bytes;
    const start = this.#at;
    this.#at = start + length;
    // A text that has more bytes than characters is not ASCII.
    if (length > SHORT)
      return Buffer.byteLength(text) === length && bytes.write(text, start, 'latin1') === length;
    for (let at = 0; at < length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit > 0x7f) return false;
      bytes[start + at] = unit;
    }
    return true;
  }

  #number(value: number): boolean {
    if (this.#at + 9 > SIZE) return false;
    const bytes = this.#bytes;
    if (!Number.isSafeInteger(value)) {
      bytes[this.#at] = 0xcb;
      this.#at = bytes.writeDoubleBE(value, this.#at + 1);
      return true;
    }
    if (value < 0 || value >= UINT32) return false;
    if (value < 0x80) return this.#byte(value);
    if (value < 0x100) bytes[this.#at++] = 0xcc;
    else if (value < 0x10000) {
      bytes[this.#at++] = 0xcd;
      bytes[this.#at++] = value >>> 8;
    } else {
      bytes[this.#at++] = 0xce;
      bytes[this.#at++] = value >>> 24;
      bytes[this.#at++] = value >>> 16;
      bytes[this.#at++] = value >>> 8;
    }
    bytes[this.#at++] = value;
    return true;
  }

  #list(values: readonly unknown[], deep: number): boolean {
    if (!this.#head(values.length, 16, 0x90, 0, 0xdc)) return false;
    for (let at = 0; at < values.length; at += 1) if (!this.#value(values[at], deep)) return false;
    return true;
  }

  #object(value: Readonly<Record<string, unknown>>, deep: number): boolean {
    const keys = Object.keys(value);
    let count = 0;
    for (const key of keys) if (value[key] !== undefined) count += 1;
    if (!this.#head(count, 16, 0x80, 0, 0xde)) return false;
    for (const key of keys) {
      const own = value[key];
      if (own !== undefined && !(this.#text(key) && this.#value(own, deep))) return false;
    }
    return true;
  }

  /**
   * A length: in the first byte when it is below `few`, else in one byte more (where there is such a form) or two.
   *
   * @param one The first byte of the form with one byte more; 0: there is none.
   */
  #head(length: number, few: number, short: number, one: number, two: number): boolean {
    if (this.#at + 3 > SIZE || length > 0xffff) return false;
    const bytes = this.#bytes;
    if (length < few) bytes[this.#at++] = short + length;
    else if (one > 0 && length < 0x100) {
      bytes[this.#at++] = one;
      bytes[this.#at++] = length;
    } else {
      bytes[this.#at++] = two;
      bytes[this.#at++] = length >>> 8;
      bytes[this.#at++] = length;
    }
    return true;
  }

  #byte(value: number): boolean {
    if (this.#at >= SIZE) return false;
    this.#bytes[this.#at++] = value;
    return true;
  }
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
