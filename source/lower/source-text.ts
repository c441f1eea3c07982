import type { Span } from '../facts.js';
import { signatureLine } from '../languages/signature-line.js';

/** How text of several lines becomes one line. */
export interface LineRules {
  /** The text without what says nothing on one line: comments, joined lines. */
  plain(text: string): string;
  /** Whether `(x,)` is not `(x)`: then a comma goes from the brackets behind a name alone. */
  readonly hasTuples: boolean;
}

/** The most characters that a signature has. */
const SIGNATURE = 300;

/** The text of a file with what is asked of offsets: line (from 1), column (from 0, UTF-16 units), folded slices. */
export class SourceText {
  readonly #starts: Int32Array;
  /** The line that was asked for last: offsets are mostly asked for in the order of the text. */
  #last = 0;

  constructor(
    readonly text: string,
    private readonly rules: LineRules | null = null,
  ) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = Int32Array.from(starts);
  }

  /** Lines in the file; the empty rest after the last line end is none. */
  get lines(): number {
    const count = this.#starts.length;
    return count - (this.#starts[count - 1] === this.text.length ? 1 : 0);
  }

  /** The line of an offset, from 1. */
  line(offset: number): number {
    const starts = this.#starts;
    let low = this.#last;
    if ((starts[low] ?? 0) > offset) low = 0;
    // Most often it is the same line or one of the next.
    for (let near = 0; near < 4; near += 1) {
      if (low + 1 >= starts.length || (starts[low + 1] ?? 0) > offset) {
        this.#last = low;
        return low + 1;
      }
      low += 1;
    }
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    this.#last = low;
    return low + 1;
  }

  /** The column of an offset in its line. */
  column(offset: number, line: number): number {
    return offset - (this.#starts[line - 1] ?? 0);
  }

  /** Where a line begins. */
  lineStart(line: number): number {
    return this.#starts[line - 1] ?? this.text.length;
  }

  span(start: number, end: number): Span {
    const start_line = this.line(start);
    const end_line = this.line(Math.max(start, end - 1));
    return {
      start_line,
      start_column: this.column(start, start_line),
      end_line,
      end_column: this.column(end, end_line),
    };
  }

  /** One line of at most `longest` characters, white space folded. */
  folded(start: number, end: number, longest: number): string {
    // A slice several times as long as what is kept: a literal of a megabyte must not be folded to show its head.
    return this.#fold(this.text.slice(start, Math.min(end, start + longest * 8)))
      .slice(0, longest)
      .trimEnd();
  }

  #fold(text: string): string {
    return fold(this.rules && BREAKS.test(text) ? this.rules.plain(text) : text);
  }

  /** What is written without white space, at most `longest` characters. */
  bare(start: number, end: number, longest: number): string {
    const slice = this.text.slice(start, Math.min(end, start + longest * 4));
    return (/\s/.test(slice) ? slice.replace(/\s+/g, '') : slice).slice(0, longest);
  }

  /** The head of a definition as one line of at most 300 characters. @param before What stands in front of it, elsewhere. */
  signature(start: number, end: number, before = ''): string {
    const { rules } = this;
    // What is cut off must not turn a string into something else.
    const longest = SIGNATURE * (rules ? 32 : 4);
    const slice = before + this.text.slice(start, Math.min(end, start + longest));
    const line = this.#fold(slice);
    const head = (rules?.hasTuples ? signatureLine(line, true) : tight(line)).slice(0, SIGNATURE).trimEnd();
    return head.endsWith(';') ? head.slice(0, -1).trimEnd() : head;
  }
}

/** What is more than one line, or may be. */
const BREAKS = /[\s\\#]{2}|[\n\r\t\f#\\]/;

function fold(text: string): string {
  return /[\n\r\t\f]|\s\s|^\s|\s$/.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}

/** Strings, closed or not, which stay as they are, and round brackets with the blanks and the trailing comma inside of them. */
const PARTS =
  /"(?:\\.|[^"\\])*(?:"|\\?$)|'(?:\\.|[^'\\])*(?:'|\\?$)|`(?:\\.|[^`\\])*(?:`|\\?$)|\( |,? \)|,\)/gs;

/** A folded head as it would have been written on one line: no blank behind `(` and before `)`, no trailing comma. */
function tight(folded: string): string {
  return folded.replace(PARTS, (part) => (part === '( ' ? '(' : /^,? ?\)$/.test(part) ? ')' : part));
}
