/** Writes numbers and texts one after the other. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(64);
  #size = 0;

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#size++] = value;
  }

  /** A whole number from 0 up to 2^53 in seven bits a byte, the lowest first. */
  number(value: number): void {
    this.#room(8);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#size++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#size++] = rest;
  }

  /** A text in UTF-8, after its length. */
  text(value: string): void {
    this.number(Buffer.byteLength(value));
    this.#room(value.length * 3);
    this.#size += this.#bytes.write(value, this.#size);
  }

  raw(value: Uint8Array): void {
    this.#room(value.length);
    this.#bytes.set(value, this.#size);
    this.#size += value.length;
  }

  /** What was put since the last time, as bytes of their own. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.#size);
    taken.set(this.#bytes.subarray(0, this.#size));
    this.#size = 0;
    return taken;
  }

  #room(more: number): void {
    if (this.#size + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#size + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Reads them again, in the same order. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  number(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++] ?? 0;
      if (byte < 128) return value + byte * factor;
      value += (byte & 127) * factor;
      factor *= 128;
    }
  }

  text(): string {
    const size = this.number();
    this.#at += size;
    return this.#bytes.toString('utf8', this.#at - size, this.#at);
  }

  /** All that is left. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }
}

/** Writes texts, each as what differs from the beginning of the one before. */
export class FrontWriter {
  #before = '';

  constructor(private readonly to: ByteWriter) {}

  put(text: string): void {
    const most = Math.min(text.length, this.#before.length);
    let same = 0;
    while (same < most && text.charCodeAt(same) === this.#before.charCodeAt(same)) same++;
    // Half of a surrogate pair is no text.
    const last = text.charCodeAt(same - 1);
    if (last >= 0xd800 && last < 0xdc00) same--;
    this.to.number(same);
    this.to.text(text.slice(same));
    this.#before = text;
  }
}

/** Reads them again, in the same order. */
export class FrontReader {
  #before = '';

  constructor(private readonly from: ByteReader) {}

  take(): string {
    const same = this.from.number();
    this.#before = this.#before.slice(0, same) + this.from.text();
    return this.#before;
  }
}
