/** The first byte: raised with every change of the form. JSON, which came before it, begins with another. */
export const FORMAT = 6;

/** Bytes of the head: the format, up to four; how many bytes the numbers take; how many bytes are attached. */
export const HEAD = 12;

const WIDE = /[^\0-\xff]/;
const FIRST_SIZE = 1 << 16;
const NOTHING = new Uint8Array();
/** Characters. To know a text again takes the longer the longer it is. */
const LONG = 48;

/**
 * Numbers, texts and plain data as bytes: a number takes seven bits a byte, a text the number of its first use in a
 * table that follows. Behind the head stand the numbers, last of them the sizes of all texts (their length doubled, and
 * one more for a wide one) and how many these are; then the texts of Latin-1, then the wide ones in UTF-16. Plain data is
 * one text of JSON, the last. Attached bytes, as they are, stand between the head and the numbers. `ByteReader` reads it.
 */
export class ByteWriter {
  #bytes: Uint8Array = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #length = 0;
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #data: unknown[] = [];
  readonly #dataNumbers = new Map<unknown, number>();

  /**
   * A whole number.
   * @throws RangeError for one beyond 32 bits
   */
  number(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow();
    if (value !== (value | 0)) throw new RangeError(`${value} is no number to be stored`);
    let rest = value >>> 0;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** A number that may be absent. */
  maybeNumber(value: number | null | undefined): void {
    this.number(value == null ? 0 : value + 1);
  }

  /** A text, stored once however often it is written; but a long one, which hardly ever comes again, every time. */
  text(value: string): void {
    this.number(this.#textAt(value));
  }

  /** A text that may be absent. */
  maybeText(value: string | null | undefined): void {
    this.number(value == null ? 0 : this.#textAt(value) + 1);
  }

  /** One of some words, by its place among them. */
  word<Word>(words: readonly Word[], value: Word): void {
    this.number(words.indexOf(value));
  }

  /** Data of any form that JSON keeps, the same object stored once; absent for null and undefined. */
  data(value: unknown): void {
    const known = value == null ? 0 : (this.#dataNumbers.get(value) ?? this.#data.push(value));
    if (known > 0) this.#dataNumbers.set(value, known);
    this.number(known);
  }

  /** How many there are, and each. */
  list<T>(values: readonly T[], write: (out: this, value: T) => void): void {
    this.number(values.length);
    for (const value of values) write(this, value);
  }

  /** All that was written since the last time, as bytes of their own. @param attached Bytes that are stored as they are. */
  take(attached: Uint8Array = NOTHING): Uint8Array<ArrayBuffer> {
    const data = this.#data.length === 0 ? '' : JSON.stringify(this.#data);
    this.#texts.push(data);
    const all = this.#texts.join('');
    const isNarrow = !WIDE.test(all);
    const narrow = isNarrow ? all : this.#texts.filter((text) => !WIDE.test(text)).join('');
    const wide = isNarrow ? '' : this.#texts.filter((text) => WIDE.test(text)).join('');
    for (const text of this.#texts) this.number(text.length * 2 + (isNarrow || !WIDE.test(text) ? 0 : 1));
    this.number(this.#texts.length);
    const numbers = HEAD + attached.length;
    const behind = numbers + this.#length;
    const bytes = Buffer.from(new ArrayBuffer(behind + narrow.length + wide.length * 2));
    bytes[0] = FORMAT;
    bytes.writeUInt32LE(this.#length, 4);
    bytes.writeUInt32LE(attached.length, 8);
    bytes.set(attached, HEAD);
    bytes.set(this.#bytes.subarray(0, this.#length), numbers);
    bytes.write(narrow, behind, 'latin1');
    bytes.write(wide, behind + narrow.length, 'utf16le');
    this.#length = 0;
    this.#numbers.clear();
    this.#texts.length = 0;
    this.#data.length = 0;
    this.#dataNumbers.clear();
    return new Uint8Array(bytes.buffer);
  }

  #textAt(value: string): number {
    if (value.length > LONG) return this.#texts.push(value) - 1;
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const at = this.#texts.push(value) - 1;
    this.#numbers.set(value, at);
    return at;
  }

  #grow(): void {
    const grown = Buffer.allocUnsafeSlow(this.#bytes.length * 2);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
