/** The first byte: raised with every change of the form. JSON, which came before it, begins with another. */
export const FORMAT = 1;

const WIDE = /[^\0-\xff]/;
const FIRST_SIZE = 1 << 16;

/**
 * Numbers, texts and plain data as bytes: a number takes seven bits a byte, a text the number of its first use in a
 * table that follows. Behind the format stand the length of the numbers, the numbers, how many texts there are, their
 * lengths (doubled, and one more for a wide one), all texts of Latin-1 and all wide ones in UTF-16. Plain data is one
 * text of JSON, the last. {@link ByteReader} reads it.
 */
export class ByteWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  #length = 0;
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #data: unknown[] = [];

  /**
   * A whole number.
   * @throws RangeError for one below 0 or beyond 31 bits
   */
  number(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow();
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
    if (!(value >= 0 && value <= 0x7fffffff)) throw new RangeError(`${value} is no number to be stored`);
  }

  /** A number that may be absent. */
  maybeNumber(value: number | null | undefined): void {
    this.number(value == null ? 0 : value + 1);
  }

  /** A text, stored once however often it is written. */
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

  /** Data of any form that JSON keeps; absent for null and undefined. */
  data(value: unknown): void {
    this.number(value == null ? 0 : this.#data.push(value));
  }

  /** How many there are, and each. */
  list<T>(values: readonly T[], write: (out: this, value: T) => void): void {
    this.number(values.length);
    for (const value of values) write(this, value);
  }

  /** All that was written since the last time, as bytes of their own. */
  take(): Uint8Array<ArrayBuffer> {
    const data = this.#data.length === 0 ? '' : JSON.stringify(this.#data);
    this.#texts.push(data);
    const isNarrow = !WIDE.test(this.#texts.join(''));
    const wide = isNarrow ? [] : this.#texts.filter((text) => WIDE.test(text));
    const narrow = isNarrow ? this.#texts : this.#texts.filter((text) => !WIDE.test(text));
    const length = this.#length;
    this.number(this.#texts.length);
    for (const text of this.#texts) this.number(text.length * 2 + (isNarrow || !WIDE.test(text) ? 0 : 1));
    const written = this.#bytes.subarray(0, this.#length);
    const texts = [Buffer.from(narrow.join(''), 'latin1'), Buffer.from(wide.join(''), 'utf16le')];
    const head = Buffer.alloc(5);
    head[0] = FORMAT;
    head.writeUInt32LE(length, 1);
    this.#length = 0;
    this.#numbers.clear();
    this.#texts.length = 0;
    this.#data.length = 0;
    return joined([head, written, ...texts]);
  }

  #textAt(value: string): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    const at = this.#texts.push(value) - 1;
    this.#numbers.set(value, at);
    return at;
  }

  #grow(): void {
    const grown = new Uint8Array(this.#bytes.length * 2);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
