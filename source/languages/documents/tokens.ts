/** One piece of a text: a word, a quoted text or a sign, with the comment in front of it. */
export interface Token {
  readonly kind: 'word' | 'text' | 'sign';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** What the comment on the lines right in front of it says; null without one. */
  readonly doc: string | null;
}

/** What stands at the end of a text. */
const END: Token = { kind: 'sign', text: '', start: 0, end: 0, doc: null };
/** Lines between a comment and what it is about. */
const BLANK_LINE = /\n[ \t\r]*\n/;

/**
 * Reads a text piece by piece. Pieces are made as they are asked for: of a large file only a few are in memory.
 */
export class Tokens {
  readonly #ahead: Token[] = [];
  /** Behind the last piece that is no comment. */
  #last = -1;
  #end = 0;
  /** Behind the last piece that was read. */
  #at = 0;

  /** @param pattern One piece, sticky: with the groups `comment`, `text` and `word`; what is in none is a sign. Never empty. */
  constructor(
    private readonly text: string,
    private readonly pattern: RegExp,
  ) {}

  /** The next piece, or one behind it; an empty sign behind the end. */
  peek(further = 0): Token {
    while (this.#ahead.length <= further) this.#ahead.push(this.#read());
    return this.#ahead[further] ?? END;
  }

  next(): Token {
    const token = this.peek();
    this.#ahead.shift();
    if (token.text !== '') this.#end = token.end;
    return token;
  }

  /** Whether the next piece is a word or sign, whatever its case. */
  is(...texts: readonly string[]): boolean {
    const { kind, text } = this.peek();
    return kind !== 'text' && texts.includes(text.toLowerCase());
  }

  /** Takes the next piece if it is one of these words or signs. */
  take(...texts: readonly string[]): boolean {
    const isOne = this.is(...texts);
    if (isOne) this.next();
    return isOne;
  }

  get isOver(): boolean {
    return this.peek().text === '';
  }

  /** Behind the last piece that was taken. */
  get end(): number {
    return this.#end;
  }

  #read(): Token {
    const { text } = this;
    let doc = '';
    let behind = this.#last;
    for (;;) {
      const space = /\s*/y;
      space.lastIndex = this.#at;
      space.exec(text);
      const start = space.lastIndex;
      this.pattern.lastIndex = start;
      const match = start < text.length ? this.pattern.exec(text) : null;
      if (!match) return { ...END, start: text.length, end: text.length };
      const end = start + match[0].length;
      this.#at = end;
      const { comment, text: quoted, word } = match.groups ?? {};
      if (comment === undefined) {
        this.#last = end;
        const kind = quoted !== undefined ? 'text' : word !== undefined ? 'word' : 'sign';
        const isNear = doc !== '' && !BLANK_LINE.test(text.slice(behind, start));
        return { kind, text: match[0], start, end, doc: isNear ? doc : null };
      }
      const gap = text.slice(Math.max(behind, 0), start);
      // A comment behind something on its line is about that.
      const isTrailing = behind >= 0 && behind === this.#last && !gap.includes('\n');
      if (!isTrailing) {
        const said = withoutMarks(comment);
        doc = doc !== '' && !BLANK_LINE.test(gap) ? `${doc}\n${said}` : said;
      }
      behind = end;
    }
  }
}

/** What a comment says. */
function withoutMarks(comment: string): string {
  const inside = comment.startsWith('/*')
    ? comment.slice(2, comment.endsWith('*/') ? -2 : undefined)
    : comment;
  const lines = inside.split('\n').map((line) => line.trim().replace(/^(?:\*+|\/\/+|--+|#+|!)[ \t]?/, ''));
  return lines.join('\n').trim();
}
