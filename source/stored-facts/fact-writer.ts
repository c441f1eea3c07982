import type { Span } from '../facts.js';
import { ByteWriter } from './byte-writer.js';

/** Writes what facts are made of: all of it, or what other files can see. */
export class FactWriter extends ByteWriter {
  readonly #ranks: ReadonlyMap<number, number> | null;

  /** `ranks`: of the lines, for what other files see, which know lines by their order alone; null: everything is written. */
  constructor(ranks: ReadonlyMap<number, number> | null) {
    super();
    this.#ranks = ranks;
  }

  /** Whether what only the file itself and its readers see is written too. */
  get isWhole(): boolean {
    return this.#ranks === null;
  }

  line(line: number): void {
    this.number(this.#ranks === null ? line : (this.#ranks.get(line) ?? 0));
  }

  span({ start_line, start_column, end_line, end_column }: Span): void {
    this.line(start_line);
    this.number(start_column);
    this.line(end_line);
    this.number(end_column);
  }

  /** A span that may be absent. */
  maybeSpan(span: Span | null | undefined): void {
    this.number(span ? 1 : 0);
    if (span) this.span(span);
  }

  /** First and last line, which may be absent. */
  maybeLines(lines: readonly [number, number] | undefined): void {
    this.number(lines ? 1 : 0);
    if (!lines) return;
    this.line(lines[0]);
    this.line(lines[1]);
  }

  /** Truth values, as one number. */
  flags(...flags: readonly boolean[]): void {
    let number = 0;
    for (const flag of flags) number = number * 2 + (flag ? 1 : 0);
    this.number(number);
  }
}
