import { syntaxError } from '../cypher-error.js';

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

/**
 * The string that begins with the quote at `start`. A backslash in front of a letter that means nothing stays, which
 * is what regular expressions want.
 *
 * @throws CypherError where it does not end, or `\u` is not followed by four hexadecimal digits (`\U`: eight).
 */
export function readString(text: string, start: number): { value: string; end: number } {
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
