import { LIMITS } from '../../schema/index.js';
import type { Name, Span } from '../ast.js';
import { type CypherError, syntaxError } from '../cypher-error.js';
import { RESERVED, type Token } from './token.js';

/** A place in a list of tokens, and what the parser asks and takes there. */
export class Reader {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Which token comes next. */
  at = 0;
  /** Whether a `|` ends the expression at hand, so that it is no choice between labels: in comprehensions. */
  barEnds = false;
  /** See {@link parse}. */
  readonly spend: (items: number) => void;
  private depth = 0;
  private readonly end: Token;

  /** @param tokens What `tokenize` gave of the text. */
  constructor(text: string, tokens: readonly Token[], spend: (items: number) => void = () => undefined) {
    this.text = text;
    this.spend = spend;
    this.tokens = tokens;
    this.end = { kind: 'end', start: text.length, end: text.length, text: '', word: '', closedBy: -1 };
  }

  get token(): Token {
    return this.ahead(0);
  }

  /** The token that many behind the next one. */
  ahead(count: number): Token {
    return this.tokens[this.at + count] ?? this.end;
  }

  isSymbol(symbol: string, count = 0): boolean {
    const token = this.ahead(count);
    return token.kind === 'symbol' && token.text === symbol;
  }

  isWord(word: string, count = 0): boolean {
    return this.ahead(count).word === word;
  }

  /** Goes on if the next token is that symbol. */
  takeSymbol(symbol: string): boolean {
    const found = this.isSymbol(symbol);
    if (found) this.at++;
    return found;
  }

  /** Goes on if the next token is that keyword. */
  takeWord(word: string): boolean {
    const found = this.isWord(word);
    if (found) this.at++;
    return found;
  }

  /** @throws CypherError where the next token is another one, or a bracket that opens here is never closed. */
  needSymbol(symbol: string): Token {
    const token = this.token;
    if (token.kind !== 'symbol' || token.text !== symbol) throw this.expected(`\`${symbol}\``);
    if (token.closedBy < 0 && (symbol === '(' || symbol === '[' || symbol === '{'))
      throw this.wrong(token, `this \`${symbol}\` is never closed`);
    this.at++;
    return token;
  }

  /** @throws CypherError where the next token is another one. */
  needWord(word: string): void {
    if (!this.takeWord(word)) throw this.expected(word);
  }

  /** A name that makes or uses a variable: none that is reserved. @param what What it names. */
  needVariable(what: string): Name {
    const token = this.token;
    if (token.kind === 'name' && RESERVED.has(token.word))
      throw this.wrong(
        token,
        `expected ${what}, found the keyword ${token.word}`,
        `Write \`${token.text}\` in backticks to use it as a name.`,
      );
    return this.needName(what);
  }

  /** Any name, keywords too: of labels, types, keys and functions. @param what What it names. */
  needName(what: string): Name {
    const token = this.token;
    if (token.kind !== 'name') throw this.expected(what);
    this.at++;
    return { name: token.text, span: { start: token.start, end: token.end } };
  }

  /** From that token (its index) to the last one taken. */
  spanFrom(index: number): Span {
    return { start: this.tokens[index]?.start ?? 0, end: this.tokens[this.at - 1]?.end ?? 0 };
  }

  /** One level deeper. @throws CypherError where that is too deep for whoever reads the query after us. */
  enter(): void {
    if (++this.depth > LIMITS.cypherNesting.max) throw tooDeep(this.text, this.token);
  }

  /** Back from a level. */
  leave(): void {
    this.depth--;
  }

  /** That something else was expected than the next token. */
  expected(what: string): CypherError {
    return this.wrong(this.token, `expected ${what}, found ${this.said(this.token)}`);
  }

  wrong(token: Span, message: string, suggestion = ''): CypherError {
    return syntaxError(
      this.text,
      { start: token.start, end: token.end },
      'UnexpectedSyntax',
      message,
      suggestion,
    );
  }

  private said(token: Token): string {
    if (token.kind === 'end') return 'the end of the query';
    const written = this.text.slice(token.start, token.end);
    return `\`${written.length > 40 ? `${written.slice(0, 40)}…` : written}\``.replace(
      /[\p{Cc}\p{Cs}]/gu,
      '?',
    );
  }
}

/** That a query is nested deeper than the engine goes. */
export function tooDeep(text: string, place: Span): CypherError {
  const said = `the query is nested more than ${LIMITS.cypherNesting.max} levels deep here`;
  return syntaxError(text, { start: place.start, end: place.end }, 'NestingTooDeep', said);
}
