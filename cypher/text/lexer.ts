import { syntaxError } from '../cypher-error.js';
import { readNumber } from './numbers.js';
import type { Token, TokenKind } from './token.js';

const ESCAPED: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

const NAME_START = /[\p{ID_Start}\p{Pc}]/u;
const NAME_PART = /[\p{ID_Continue}\p{Pc}\p{Sc}]/u;
const WORD = /^[A-Za-z]+$/;
const WHITE = /[\s\u180e]/u;

const DOUBLE = new Set(['<=', '>=', '<>', '=~', '..', '+=', '::']);
const SINGLE = new Set('()[]{},.:;|=<>+-*/%^$&!');
const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };
/** Signs that openCypher takes for the plain ones in arrows. */
const LOOK_ALIKES: Record<string, string> = {
  ...Object.fromEntries(
    [...'\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d'].map((sign) => [sign, '-']),
  ),
  ...Object.fromEntries([...'\u27e8\u3008\ufe64\uff1c'].map((sign) => [sign, '<'])),
  ...Object.fromEntries([...'\u27e9\u3009\ufe65\uff1e'].map((sign) => [sign, '>'])),
};

/**
 * Cuts a query into tokens, in one pass. Brackets know their partners, so that whoever reads on can look behind them.
 *
 * @param spend See {@link parse}.
 * @throws CypherError `CYPHER_SYNTAX` at what begins no token or does not end.
 */
export function tokenize(text: string, spend: (items: number) => void = () => undefined): Token[] {
  const tokens: Token[] = [];
  const open: Token[] = [];
  let at = 0;
  const add = (kind: TokenKind, end: number, said: string, word: string): Token => {
    const token: Token = { kind, start: at, end, text: said, word, closedBy: -1 };
    tokens.push(token);
    at = end;
    return token;
  };
  while (true) {
    at = afterBlanks(text, at);
    if (at >= text.length) break;
    spend(1);
    const code = text.charCodeAt(at);
    if (isAsciiLetter(code) || code === 95 || (code > 127 && NAME_START.test(characterAt(text, at)))) {
      const end = nameEnd(text, at);
      const name = text.slice(at, end);
      add('name', end, name, WORD.test(name) ? name.toUpperCase() : '');
    } else if (isDigit(code) || (code === 46 && isDigit(text.charCodeAt(at + 1)))) {
      const { kind, end } = readNumber(text, at);
      add(kind, end, text.slice(at, end), '');
    } else if (code === 34 || code === 39) {
      const { value, end } = readString(text, at);
      add('string', end, value, '');
    } else if (code === 96) {
      const end = quotedNameEnd(text, at);
      add('name', end, text.slice(at + 1, end - 1).replaceAll('``', '`'), '');
    } else {
      const double = text.slice(at, at + 2);
      const single = text.charAt(at);
      const symbol = DOUBLE.has(double) ? double : SINGLE.has(single) ? single : LOOK_ALIKES[single];
      if (symbol === undefined) throw strayCharacter(text, at);
      matchBracket(open, tokens.length, add('symbol', at + symbol.length, symbol, ''));
    }
  }
  add('end', at, '', '');
  return tokens;
}

/** `open` holds what no bracket has closed yet; one that fits nothing is for the parser to name. */
function matchBracket(open: Token[], index: number, token: Token): void {
  if (CLOSING[token.text] !== undefined) open.push(token);
  const last = open.at(-1);
  if (last === undefined || CLOSING[last.text] !== token.text) return;
  last.closedBy = index;
  open.pop();
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13)) at++;
    else if (code === 47 && text.charCodeAt(at + 1) === 47) at = lineEnd(text, at);
    else if (code === 47 && text.charCodeAt(at + 1) === 42) {
      const end = text.indexOf('*/', at + 2);
      if (end < 0)
        throw syntaxError(text, { start: at, end: at + 2 }, 'UnexpectedSyntax', 'this comment does not end');
      at = end + 2;
    } else if ((code >= 28 && code <= 31) || (code > 127 && WHITE.test(text.charAt(at)))) at++;
    else break;
  }
  return at;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end + 1;
}

function nameEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isAsciiLetter(code) || isDigit(code) || code === 95) at++;
    else if (code > 127) {
      const character = characterAt(text, at);
      if (!NAME_PART.test(character)) break;
      at += character.length;
    } else break;
  }
  return at;
}

function quotedNameEnd(text: string, from: number): number {
  let at = from + 1;
  while (true) {
    const end = text.indexOf('`', at);
    if (end < 0)
      throw syntaxError(
        text,
        { start: from, end: from + 1 },
        'UnexpectedSyntax',
        'this name in backticks does not end',
      );
    if (text.charCodeAt(end + 1) !== 96) return end + 1;
    at = end + 2;
  }
}

function strayCharacter(text: string, at: number) {
  const character = characterAt(text, at);
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const shown = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `\`${character}\`` : code;
  return syntaxError(
    text,
    { start: at, end: at + character.length },
    'UnexpectedSyntax',
    `unexpected ${shown}`,
  );
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function isAsciiLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * The string that begins with the quote at `start`. A backslash in front of a letter that means nothing stays, which
 * is what regular expressions want.
 *
 * @throws CypherError where it does not end, or `\u` is not followed by four hexadecimal digits (`\U`: eight).
 */
function readString(text: string, start: number): { value: string; end: number } {
  const quote = text.charAt(start);
  let value = '';
  let from = start + 1;
  let at = from;
  while (true) {
    const character = text.charAt(at);
    if (character === '')
      throw syntaxError(text, { start, end: start + 1 }, 'UnexpectedSyntax', 'this string does not end');
    if (character === quote) break;
    if (character !== '\\') {
      at++;
      continue;
    }
    const { said, length } = escaped(text, at);
    value += text.slice(from, at) + said;
    at += length;
    from = at;
  }
  return { value: value + text.slice(from, at), end: at + 1 };
}

function escaped(text: string, at: number): { said: string; length: number } {
  const letter = text.charAt(at + 1);
  const known = ESCAPED[letter];
  if (known !== undefined) return { said: known, length: 2 };
  if (letter !== 'u' && letter !== 'U') return { said: '\\', length: 1 };
  const digits = letter === 'u' ? 4 : 8;
  const written = text.slice(at + 2, at + 2 + digits);
  const code =
    /^[0-9a-fA-F]+$/.test(written) && written.length === digits ? Number.parseInt(written, 16) : -1;
  if (code < 0 || code > 0x10ffff) {
    const said = `\`\\${letter}\` is followed by ${digits} hexadecimal digits of a character`;
    throw syntaxError(text, { start: at, end: at + 2 }, 'InvalidUnicodeLiteral', said);
  }
  return { said: String.fromCodePoint(code), length: 2 + digits };
}
