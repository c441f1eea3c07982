import { LIMITS } from '../../schema/index.js';
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
    for (; at >= 0 && lines.length < MOST_LINES; at -= 2) {
      const [start = 0, end = 0] = [places[at], places[at + 1]];
      const line = text.line(start);
      if (text.line(Math.max(start, end - 1)) < below - 1 || !this.#isAlone(start, line)) break;
      const written = text.text.slice(start, end);
      if (!this.rules.marks.some((mark) => written.startsWith(mark))) break;
      below = line;
      if (this.rules.directive?.test(written)) continue;
      lines.push(bare(written));
      if (written.startsWith('/*')) break;
    }
    return cleaned(lines.reverse());
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

  /** Where what ends at an offset ends without the comments that are the last in it. @param start Where it begins. */
  codeEnd(start: number, offset: number): number {
    const { text } = this.text;
    let end = offset;
    for (let at = this.#before(end); at >= 0 && this.places[at + 1] === end; at = this.#before(end)) {
      end = this.places[at] ?? end;
      while (end > start && BLANK.test(text.charAt(end - 1))) end -= 1;
    }
    return end;
  }

  /** The TODO, FIXME, HACK and XXX at the beginning of comments, or of lines of long ones. */
  tags(definitions: readonly Definition[]): CommentTag[] {
    const { text, places } = this;
    if (!/\b(?:TODO|FIXME|HACK|XXX)\b/.test(text.text)) return [];
    const found: CommentTag[] = [];
    const around = outerOf(definitions);
    const bodies = this.rules.indented ? new Bodies(definitions, text) : null;
    for (let at = 0; at < places.length; at += 2) {
      const end = places[at + 1] ?? 0;
      for (let start = places[at] ?? 0; start < end; ) {
        const newline = text.text.indexOf('\n', start);
        const next = newline < 0 || newline >= end ? end : newline + 1;
        const match = TAGGED.exec(text.text.slice(start, Math.min(next, start + LONGEST_LINE)));
        if (match) {
          const [, marks = '', tag = '', reference = '', said = ''] = match;
          const line = text.line(start + marks.length);
          const place = { line, column: text.column(start + marks.length, line) };
          found.push({
            tag: tag as CommentTag['tag'],
            text: withoutEnd(said.trim()).trim().slice(0, LIMITS.commentTag.max),
            reference: reference.trim().slice(0, LIMITS.commentTag.max),
            ...place,
            from: bodies?.ending(place) ?? innermost(definitions, around, place),
          });
        }
        start = next;
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

const BLANK = /\s/;

/** One line of a comment that begins with a tag. */
const TAGGED = /^([\s/*!#;<-]*)@?(TODO|FIXME|HACK|XXX)\b(?:\(([^)]*)\))?[:\s-]*(.*)/s;
/** Comments of one line each that are read above a definition: several definitions may stand below them. */
const MOST_LINES = 500;
/** Characters of a line that are looked at. */
const LONGEST_LINE = 2_000;

/** A text without the end of a block comment, or of one in markup. */
function withoutEnd(text: string): string {
  if (text.endsWith('-->')) return text.slice(0, -3);
  if (!text.endsWith('*/')) return text;
  let end = text.length - 1;
  while (text.charCodeAt(end - 1) === STAR) end -= 1;
  return text.slice(0, end);
}

const STAR = 42;

/** A comment without its marks. */
function bare(written: string): string {
  if (!written.startsWith('/*')) return written.replace(/^(?:\/\/[/!]?|#|--+) ?/, '').trimEnd();
  const inside = withoutEnd(written).replace(/^\/\*[*!]?/, '');
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

type Place = Pick<Definition['span'], 'start_line' | 'start_column'>;

/** Of each definition the innermost one whose text is around it; -1 for none. */
function outerOf(definitions: readonly Definition[]): number[] {
  const open: number[] = [];
  return definitions.map(({ span }, index) => {
    while (open.length > 0 && !holds(definitions[open[open.length - 1] ?? 0]?.span, span)) open.pop();
    const outer = open[open.length - 1] ?? -1;
    open.push(index);
    return outer;
  });
}

/** The innermost definition at a place; null at the top. They stand in the order of the text. */
function innermost(
  definitions: readonly Definition[],
  outer: readonly number[],
  { line, column }: { line: number; column: number },
): number | null {
  const place = { start_line: line, start_column: column };
  let [low, high] = [0, definitions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const span = definitions[middle]?.span;
    if (span && before(span, place)) low = middle + 1;
    else high = middle;
  }
  let at = low - 1;
  while (at >= 0 && !holds(definitions[at]?.span, place)) at = outer[at] ?? -1;
  return at < 0 ? null : at;
}

/** What ends above comments that are indented deeper: a body goes as far as its indentation. */
class Bodies {
  /** Definitions with a body by their last line. */
  readonly #ends = new Map<number, { readonly column: number; readonly index: number }[]>();
  /** The last line of code above each line. */
  readonly #above: number[] = [0];

  constructor(
    definitions: readonly Definition[],
    private readonly text: SourceText,
  ) {
    let code = 0;
    for (let line = 1; line <= text.lines; line += 1) {
      this.#above[line] = code;
      if (!/^\s*(?:#|$)/.test(text.text.slice(text.lineStart(line), text.lineStart(line + 1)))) code = line;
    }
    for (const [index, { form, span }] of definitions.entries()) {
      if (form !== 'function' && form !== 'method' && form !== 'class') continue;
      const ends = this.#ends.get(span.end_line) ?? [];
      this.#ends.set(span.end_line, ends);
      ends.push({ column: span.start_column, index });
    }
  }

  /** The innermost definition that a comment on a line of its own is the end of; null for none. */
  ending({ line, column }: { line: number; column: number }): number | null {
    const { text } = this;
    const before = text.text.slice(text.lineStart(line), text.lineStart(line) + column);
    // A comment behind code, on its line, is at no end.
    if (/[^\s#!*-]/.test(before)) return null;
    const indent = before.length - before.trimStart().length;
    let found: number | null = null;
    for (const end of this.#ends.get(this.#above[line] ?? 0) ?? [])
      if (end.column < indent) found = Math.max(end.index, found ?? 0);
    return found;
  }
}

function holds(span: Definition['span'] | undefined, place: Place): boolean {
  if (!span || !before(span, place)) return false;
  const { start_line: line, start_column: column } = place;
  return span.end_line > line || (span.end_line === line && span.end_column > column);
}

function before(span: Place, { start_line: line, start_column: column }: Place): boolean {
  return span.start_line < line || (span.start_line === line && span.start_column <= column);
}
