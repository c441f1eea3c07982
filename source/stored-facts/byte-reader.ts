import { FORMAT, HEAD } from './byte-writer.js';

/** Reads what a {@link ByteWriter} wrote, in the same order. Every method throws SyntaxError for other bytes. */
export class ByteReader {
  /** Unpacked at once: one loop is compiled sooner than all that asks for numbers. */
  readonly #numbers: Int32Array;
  readonly #texts: readonly string[];
  readonly #data: readonly unknown[];
  /** A copy of the bytes that were attached, on their own; undefined without any. */
  readonly attached: Uint8Array | undefined;
  #at = 0;

  constructor(bytes: Uint8Array) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (whole.length <= HEAD || whole[0] !== FORMAT) throw damaged();
    const start = HEAD + whole.readUInt32LE(8);
    const end = start + whole.readUInt32LE(4);
    const numbers = numbersIn(whole, start, end);
    const facts = numbers.length - 1 - (numbers[numbers.length - 1] ?? 0);
    if (facts < 0 || facts >= numbers.length) throw damaged();
    const texts = textsIn(whole, end, numbers.subarray(facts, -1));
    const data = texts.pop() ?? '';
    const values: unknown = data === '' ? [] : JSON.parse(data);
    if (!Array.isArray(values)) throw damaged();
    this.attached = start > HEAD ? new Uint8Array(whole.subarray(HEAD, start)) : undefined;
    this.#numbers = numbers.subarray(0, facts);
    this.#texts = texts;
    this.#data = values;
  }

  number(): number {
    return this.#numbers[this.#at++] ?? 0;
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
    if (at < 0 || at >= words.length) throw damaged();
    return words[at] as Word;
  }

  /** Undefined when absent; what is there is what was written, which nobody looks at again. */
  data<T>(): T | undefined {
    const at = this.number();
    if (at < 0 || at > this.#data.length) throw damaged();
    return at === 0 ? undefined : (this.#data[at - 1] as T);
  }

  list<T>(read: (from: this) => T): T[] {
    const count = this.number();
    // Everything that is counted takes a number at least: a wrong count must not take all memory.
    if (count > this.#numbers.length - this.#at) throw damaged();
    const values: T[] = [];
    for (let index = 0; index < count; index += 1) values.push(read(this));
    return values;
  }

  /** Says that nothing is left to read. */
  close(): void {
    if (this.#at !== this.#numbers.length) throw damaged();
  }

  #textAt(at: number): string {
    const text = this.#texts[at];
    if (text === undefined) throw damaged();
    return text;
  }
}

/** The numbers between two offsets. */
function numbersIn(bytes: Buffer, start: number, end: number): Int32Array {
  if (end > bytes.length || start > end) throw damaged();
  const numbers = new Int32Array(end - start);
  let count = 0;
  for (let at = start; at < end; at += 1) {
    let byte = bytes[at] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      at += 1;
      if (at >= end || shift > 28) throw damaged();
      byte = bytes[at] ?? 0;
      value |= (byte & 127) << shift;
    }
    numbers[count] = value;
    count += 1;
  }
  return numbers.subarray(0, count);
}

/** The texts from an offset on, by their sizes. */
function textsIn(bytes: Buffer, start: number, sizes: Int32Array): string[] {
  let narrowLength = 0;
  for (const size of sizes) if ((size & 1) === 0) narrowLength += size >> 1;
  const narrow = bytes.toString('latin1', start, start + narrowLength);
  const wide = bytes.toString('utf16le', start + narrowLength);
  let narrowAt = 0;
  let wideAt = 0;
  const texts: string[] = [];
  for (const size of sizes) {
    const length = size >> 1;
    if (size & 1) {
      texts.push(wide.slice(wideAt, wideAt + length));
      wideAt += length;
    } else {
      texts.push(narrow.slice(narrowAt, narrowAt + length));
      narrowAt += length;
    }
  }
  if (start + narrowAt + wideAt * 2 !== bytes.length) throw damaged();
  return texts;
}

function damaged(): SyntaxError {
  return new SyntaxError('These bytes are no facts of this version.');
}
