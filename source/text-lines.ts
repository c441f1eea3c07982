import type { Span } from './facts.js';

/** Where the lines of a text begin: places by their offsets. Lines count from 1, columns from 0. */
export class TextLines {
  readonly #starts: number[] = [0];

  constructor(private readonly text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** How many lines there are; what is behind the last line end is none where it is empty. */
  get count(): number {
    const { length } = this.#starts;
    return length - (this.#starts[length - 1] === this.text.length ? 1 : 0);
  }

  /** The line of an offset. */
  lineAt(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** The line and column of an offset. */
  placeAt(offset: number): { line: number; column: number } {
    const line = this.lineAt(offset);
    return { line, column: offset - (this.#starts[line - 1] ?? 0) };
  }

  /** The span between two offsets, the second one behind its last character. */
  span(start: number, end: number): Span {
    const first = this.placeAt(start);
    const end_line = this.lineAt(Math.max(start, end - 1));
    return {
      start_line: first.line,
      start_column: first.column,
      end_line,
      end_column: end - (this.#starts[end_line - 1] ?? 0),
    };
  }
}
