/** Puts numbers and texts one behind the other. */
export class ByteWriter {
  #bytes = new Uint8Array(64);
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

  /** A text in UTF-8 behind its length. */
  text(value: string): void {
    const bytes = Buffer.from(value, 'utf8');
    this.number(bytes.length);
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  /** What was put so far. */
  done(): Uint8Array {
    return this.#bytes.slice(0, this.#size);
  }

  #room(more: number): void {
    if (this.#size + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#size + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Takes them out again, in the same order. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
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
    const text = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, size).toString('utf8');
    this.#at += size;
    return text;
  }
}
