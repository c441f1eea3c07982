import { FORMAT } from './byte-writer.js';

/** Reads what a {@link ByteWriter} wrote, in the same order. Every method throws SyntaxError for other bytes. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #texts: string[] = [];
  readonly #data: readonly unknown[];
  #at = HEAD;

  constructor(bytes: Uint8Array) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (whole.length <= HEAD || whole[0] !== FORMAT) throw damaged();
    this.#bytes = bytes;
    this.#end = HEAD + whole.readUInt32LE(1);
    this.#readTexts(whole);
    const data = this.#texts.pop() ?? '';
    const values: unknown = data === '' ? [] : JSON.parse(data);
    if (!Array.isArray(values)) throw damaged();
    this.#data = values;
  }

  number(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++] ?? 0;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; byte > 127 && shift < 35; shift += 7) {
      byte = bytes[this.#at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    return value;
  }

  maybeNumber(): number | null {
    const value = this.number();
    return value === 0 ? null : value - 1;
  }

  text(): string {
    return this.#textAt(this.number());
  }

  maybeText(): string | null {
    const at = this.number();
    return at === 0 ? null : this.#textAt(at - 1);
  }

  word<Word>(words: readonly Word[]): Word {
    const at = this.number();
    if (at >= words.length) throw damaged();
    return words[at] as Word;
  }

  /** Undefined when absent; what is there is what was written, which nobody looks at again. */
  data<T>(): T | undefined {
    const at = this.number();
    if (at > this.#data.length) throw damaged();
    return at === 0 ? undefined : (this.#data[at - 1] as T);
  }

  list<T>(read: (from: this) => T): T[] {
    const count = this.#count();
    const values: T[] = [];
    for (let index = 0; index < count; index += 1) values.push(read(this));
    return values;
  }

  /** Says that nothing is left to read. */
  close(): void {
    if (this.#at !== this.#end) throw damaged();
  }

  /** Everything that is counted takes a byte at least: a wrong count must not take all memory. */
  #count(): number {
    const count = this.number();
    if (count > this.#bytes.length - this.#at) throw damaged();
    return count;
  }

  #textAt(at: number): string {
    const text = this.#texts[at];
    if (text === undefined) throw damaged();
    return text;
  }

  #readTexts(whole: Buffer): void {
    this.#at = this.#end;
    const sizes: number[] = [];
    let narrowLength = 0;
    let wideLength = 0;
    for (let left = this.#count(); left > 0; left -= 1) {
      const size = this.number();
      if (size & 1) wideLength += size >> 1;
      else narrowLength += size >> 1;
      sizes.push(size);
    }
    const behind = this.#at + narrowLength;
    if (behind + wideLength * 2 !== whole.length) throw damaged();
    const narrow = whole.toString('latin1', this.#at, behind);
    const wide = whole.toString('utf16le', behind);
    let [narrowAt, wideAt] = [0, 0];
    for (const size of sizes) {
      const length = size >> 1;
      if (size & 1) {
        this.#texts.push(wide.slice(wideAt, wideAt + length));
        wideAt += length;
      } else {
        this.#texts.push(narrow.slice(narrowAt, narrowAt + length));
        narrowAt += length;
      }
    }
    this.#at = HEAD;
  }
}

/** The format and how long the numbers are. */
const HEAD = 5;

function damaged(): SyntaxError {
  return new SyntaxError('These bytes are no facts of this version.');
}
