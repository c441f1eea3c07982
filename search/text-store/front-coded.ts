import type { ByteReader, ByteWriter } from './bytes.js';

/** Writes texts each as what it does not have in common with the beginning of the one before. */
export class FrontWriter {
  #before = '';

  constructor(private readonly to: ByteWriter) {}

  put(text: string): void {
    const most = Math.min(text.length, this.#before.length);
    let same = 0;
    while (same < most && text.charCodeAt(same) === this.#before.charCodeAt(same)) same++;
    // Half of a pair is no text.
    if (isHigh(text.charCodeAt(same - 1))) same--;
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

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}
