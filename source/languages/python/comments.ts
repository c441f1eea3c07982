import { LIMITS } from '../../../schema/index.js';
import type { CommentTag, Definition, Span } from '../../facts.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** The comments that begin with a tag. Most files hold none: then nothing is read. */
export function commentTags(
  comments: readonly Syntax[],
  text: SourceText,
  definitions: readonly Definition[],
): CommentTag[] {
  if (!/\b(?:TODO|FIXME|HACK|XXX)\b/.test(text.text)) return [];
  const lines = text.text.split(/\r\n|\r|\n/);
  const around = new Surroundings(definitions, lines);
  return comments.flatMap(linesOf(text)).flatMap((comment) => {
    const match = /^[\s#!*-]*@?(TODO|FIXME|HACK|XXX)\b(?:\(([^)]*)\))?[:\s-]*(.*)/.exec(text.of(comment));
    const tag = tags.find((one) => one === match?.[1]);
    if (!tag) return [];
    const line = text.line(comment.start);
    const column = text.column(comment.start, line);
    const from = around.trailed({ line, column }) ?? around.innermost({ line, column });
    const [reference = '', said = ''] =
      match?.slice(2).map((part = '') => part.trim().slice(0, LIMITS.commentTag.max)) ?? [];
    return [{ tag, text: said, reference, line, column, from }];
  });
}

/** Lines of comments, one behind the other, that become one comment. */
const MANY_LINES = 64;

/**
 * A text in which comments on many lines of their own are one, line ends being blanks: behind a body the grammar looks
 * for the end of all comments at each of them, which takes the square of their number.
 */
export function withJoinedComments(text: string): string {
  let joined = '';
  let from = 0;
  // Where the run begins that the line may belong to, where its last comment ends, and how many it has.
  let [start, end, count] = [0, 0, 0];
  const close = () => {
    if (count >= MANY_LINES) {
      joined += text.slice(from, start) + text.slice(start, end).replace(/[\r\n]/g, ' ');
      from = end;
    }
    count = 0;
  };
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline + 1;
    let first = at;
    while (first < next && BLANKS.has(text.charCodeAt(first))) first += 1;
    if (text[first] === '#' && first < next) {
      if (count === 0) start = at;
      count += 1;
      end = newline < 0 ? next : text[newline - 1] === '\r' ? newline - 1 : newline;
    } else if (first < next) close();
    at = next;
  }
  close();
  return from === 0 ? text : joined + text.slice(from);
}

const BLANKS: ReadonlySet<number> = new Set([...' \t\f\r\n'].map((one) => one.charCodeAt(0)));

/** The comments of single lines that were made one. */
function linesOf(text: SourceText): (comment: Syntax) => Syntax[] {
  return (comment) => {
    if (!text.of(comment).includes('\n')) return [comment];
    return [...text.of(comment).matchAll(/#[^\n]*/g)].map(({ index, 0: { length } }) => {
      const start = comment.start + index;
      return { ...comment, start, end: start + length };
    });
  };
}

const tags = ['TODO', 'FIXME', 'HACK', 'XXX'] as const;

/** A place in a text: line from 1, column from 0. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** What is around the comments of a file. Made once, since a file may hold as many comments as definitions. */
class Surroundings {
  /** Definitions with a body by their last line. */
  readonly #ends = new Map<number, { readonly column: number; readonly index: number }[]>();
  /** The last line of code above each line. */
  readonly #above: number[] = [0];
  /** All definitions in the order of their starts, with the one around each by its place in this list. */
  readonly #spans: { readonly span: Span; readonly index: number; readonly outer: number | null }[] = [];

  constructor(
    definitions: readonly Definition[],
    private readonly lines: readonly string[],
  ) {
    let code = 0;
    for (const [at, line] of lines.entries()) {
      this.#above[at + 1] = code;
      if (!/^\s*(?:#|$)/.test(line)) code = at + 1;
    }
    const open: number[] = [];
    const sorted = definitions
      .map(({ form, span }, index) => ({ form, span, index }))
      .sort((a, b) => compare(startOf(a.span), startOf(b.span)) || a.index - b.index);
    for (const { form, span, index } of sorted) {
      while (open.length > 0 && !holds(this.#spans[open.at(-1) ?? 0]?.span, startOf(span))) open.pop();
      this.#spans.push({ span, index, outer: open.at(-1) ?? null });
      open.push(this.#spans.length - 1);
      if (form !== 'function' && form !== 'method' && form !== 'class') continue;
      const ends = this.#ends.get(span.end_line) ?? [];
      this.#ends.set(span.end_line, ends);
      ends.push({ column: span.start_column, index });
    }
  }

  /**
   * The definition that a comment is the end of: the grammar ends a body with its last statement, but what is indented
   * deeper than the definition, with nothing but comments in between, is still in it. Null when it is not at an end.
   */
  trailed({ line, column }: Place): number | null {
    // A comment behind code, on its line, is at no end.
    if (/\S/.test((this.lines[line - 1] ?? '').slice(0, column))) return null;
    let found: number | null = null;
    for (const end of this.#ends.get(this.#above[line] ?? 0) ?? [])
      if (end.column < column) found = Math.max(end.index, found ?? 0);
    return found;
  }

  /** The innermost definition whose span holds the place; null at module level. */
  innermost(place: Place): number | null {
    let [low, high] = [0, this.#spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const span = this.#spans[middle]?.span;
      if (span && compare(startOf(span), place) <= 0) low = middle + 1;
      else high = middle;
    }
    let at = low === 0 ? null : low - 1;
    while (at !== null && !holds(this.#spans[at]?.span, place)) at = this.#spans[at]?.outer ?? null;
    return at === null ? null : (this.#spans[at]?.index ?? null);
  }
}

function holds(span: Span | undefined, place: Place): boolean {
  if (!span || compare(startOf(span), place) > 0) return false;
  return compare(place, { line: span.end_line, column: span.end_column }) < 0;
}

function startOf({ start_line: line, start_column: column }: Span): Place {
  return { line, column };
}

function compare(a: Place, b: Place): number {
  return a.line - b.line || a.column - b.column;
}
