import { LIMITS } from '../../../schema/index.js';
import type { Span } from '../../facts.js';
import { signatureLine } from '../signature-line.js';
import type { Syntax } from './syntax.js';

/** The text of a file with what is asked of offsets: line (from 1), column (from 0, UTF-16 units), folded slices. */
export class SourceText {
  readonly #starts: number[] = [0];

  /** Starts of comments by their end. */
  readonly #comments: ReadonlyMap<number, number>;

  constructor(
    readonly text: string,
    comments: readonly Syntax[],
  ) {
    this.#comments = new Map(comments.map((one) => [one.end, one.start]));
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** Lines in the file; the empty rest after the last line end is none. */
  get lines(): number {
    const last = this.#starts[this.#starts.length - 1] ?? 0;
    return this.#starts.length - (last === this.text.length ? 1 : 0);
  }

  of(node: Syntax): string {
    return this.text.slice(node.start, node.end);
  }

  /** Where the code of a node ends: the grammar counts comments that follow in its last block as part of it. */
  codeEnd(node: Syntax): number {
    let end = node.end;
    for (let start = this.#comments.get(end); start !== undefined; start = this.#comments.get(end)) {
      end = start;
      while (end > node.start && /\s/.test(this.text[end - 1] ?? '')) end -= 1;
    }
    return end;
  }

  line(offset: number): number {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  column(offset: number, line: number): number {
    return offset - (this.#starts[line - 1] ?? 0);
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

  /** One line of at most `longest` characters: white space folded, joined lines and comments gone. */
  folded(start: number, end: number, longest: number): string {
    // A slice several times as long as what is kept: a literal of a megabyte must not be folded to show its head.
    const slice = this.text.slice(start, Math.min(end, start + longest * 8));
    return (breaks.test(slice) ? fold(slice) : slice).slice(0, longest).trimEnd();
  }

  /** The head of a definition as one line of at most `LIMITS.signature` characters. */
  signature(start: number, end: number): string {
    return signatureLine(this.folded(start, end, SIGNATURE * 4), true)
      .slice(0, SIGNATURE)
      .trimEnd();
  }
}

/** The most characters that a signature has. */
const SIGNATURE = LIMITS.signature.max;

const breaks = /[\s\\#]{2}|[\n\r\t\f#\\]/;

/** White space to single blanks. Strings and comments are told apart, so that a `#` in a string stays. */
function fold(text: string): string {
  return text
    .replace(tokens, (token) => (token[0] === '#' || token[0] === '\\' ? ' ' : token))
    .replace(/\s+/g, ' ')
    .trim();
}

const tokens =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|(?<!\\)"(?:[^"\\\n]|\\[\s\S])*"|(?<!\\)'(?:[^'\\\n]|\\[\s\S])*'|#[^\n]*|\\\r?\n/g;
