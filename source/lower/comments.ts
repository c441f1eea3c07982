import type { CommentTag, Definition } from '../facts.js';
import type { DocRules } from './rules.js';
import type { SourceText } from './source-text.js';

/** The comments of a file: what they document, and the tags in them. */
export class Comments {
  /** @param places Start and end of every comment, one behind the other, in the order of the text. */
  constructor(
    private readonly text: SourceText,
    private readonly places: readonly number[],
    private readonly rules: DocRules,
  ) {}

  /** The doc comment that ends on the line above an offset; null without any. */
  above(offset: number): string | null {
    const { text, places } = this;
    let at = this.#before(offset);
    let below = text.line(offset);
    if (!this.#isAlone(offset, below)) return null;
    const lines: string[] = [];
    for (; at >= 0; at -= 2) {
      const [start = 0, end = 0] = [places[at], places[at + 1]];
      const line = text.line(start);
      if (text.line(Math.max(start, end - 1)) < below - 1 || !this.#isAlone(start, line)) break;
      const written = text.text.slice(start, end);
      if (!this.rules.marks.some((mark) => written.startsWith(mark))) break;
      below = line;
      if (this.rules.directive?.test(written)) continue;
      lines.unshift(bare(written));
      if (written.startsWith('/*')) break;
    }
    return cleaned(lines);
  }

  /** The doc comment that begins on the line of an offset, behind it; null without any. */
  behind(offset: number): string | null {
    const { text, places } = this;
    if (!this.rules.trailing) return null;
    const at = this.#before(offset) + 2;
    const [start, end = 0] = [places[at], places[at + 1]];
    if (start === undefined || start < offset || text.line(start) !== text.line(offset)) return null;
    const written = text.text.slice(start, end);
    const isDoc = this.rules.marks.some((mark) => written.startsWith(mark));
    return isDoc && !this.rules.directive?.test(written) ? cleaned([bare(written)]) : null;
  }

  /** The TODO, FIXME, HACK and XXX at the beginning of comments, or of lines of long ones. */
  tags(definitions: readonly Definition[]): CommentTag[] {
    const { text, places } = this;
    if (!/\b(?:TODO|FIXME|HACK|XXX)\b/.test(text.text)) return [];
    const found: CommentTag[] = [];
    for (let at = 0; at < places.length; at += 2) {
      const start = places[at] ?? 0;
      for (const match of text.text.slice(start, places[at + 1]).matchAll(TAGGED)) {
        const [, marks = '', tag = '', reference = '', said = ''] = match;
        const offset = start + match.index + marks.length;
        const line = text.line(offset);
        const place = { line, column: text.column(offset, line) };
        found.push({
          tag: tag as CommentTag['tag'],
          text: said
            .replace(/\*+\/\s*$/, '')
            .trim()
            .slice(0, 200),
          reference: reference.trim().slice(0, 200),
          ...place,
          from: innermost(definitions, place),
        });
      }
    }
    return found;
  }

  /** Whether nothing but blanks stands before an offset on its line. */
  #isAlone(offset: number, line: number): boolean {
    return this.text.text.slice(this.text.lineStart(line), offset).trim() === '';
  }

  /** The place of the last comment that begins before an offset; negative without any. */
  #before(offset: number): number {
    let [low, high] = [0, this.places.length >> 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.places[middle * 2] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return (low - 1) * 2;
  }
}

const TAGGED = /^([ \t\r\f\v/*!#;-]*)@?(TODO|FIXME|HACK|XXX)\b(?:\(([^)\n]*)\))?[:\s-]*?[: \t-]*([^\n]*)/gm;

/** A comment without its marks. */
function bare(written: string): string {
  if (!written.startsWith('/*')) return written.replace(/^(?:\/\/[/!]?|#|--+) ?/, '').trimEnd();
  const inside = written.replace(/^\/\*[*!]?/, '').replace(/\*+\/$/, '');
  return inside
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n');
}

function cleaned(lines: readonly string[]): string | null {
  const text = lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .replace(/^[ \t]+/, '')
    .trimEnd();
  return text === '' ? null : text;
}

/** The innermost definition at a place; null at the top. */
function innermost(
  definitions: readonly Definition[],
  { line, column }: { line: number; column: number },
): number | null {
  let found: number | null = null;
  for (const [index, { span }] of definitions.entries()) {
    if (span.start_line > line) break;
    const begins = span.start_line < line || span.start_column <= column;
    const ends = span.end_line > line || (span.end_line === line && span.end_column > column);
    if (begins && ends) found = index;
  }
  return found;
}
