import { NextPlaces } from './span.js';

/** A text as a person reads it, and where each of its units stands in the original. */
export interface PlainView {
  readonly text: string;
  /** Where the unit of this text begins in the original; one more than units, for the end. */
  readonly starts: Int32Array;
  /** Where the unit ends there. */
  readonly ends: Int32Array;
}

/**
 * What stands for something else: escapes of strings (up to JSON in JSON in JSON), entities, percent signs of URLs, colours
 * of terminals (as they are, and escaped), characters of no width.
 */
const ENCODED = new RegExp(
  [
    String.raw`(?:\\{1,7}(?:u001b|x1b|033|e)|\u001b|\^\[)\[[0-9;?]{0,20}[A-Za-z]`,
    String.raw`\\{1,7}(?:[nrtbf"'\`/&]|u[0-9a-f]{4}|x[0-9a-f]{2})|\\(?=\r?\n)`,
    '&(?:quot|apos|amp|lt|gt|nbsp|#x?[0-9a-f]{1,5});|%[2-7][0-9a-f]|[\u200b-\u200f\u2060\ufeff\u00ad]',
  ].join('|'),
  'gi',
);

/** What listings, diffs, quotes and searches put before each line; also before lines that are escaped. */
const LINE_PREFIX =
  /[ \t]{0,12}(?:\d{1,7}[ \t]{0,3}(?:→|\t|[:|│-])[ \t]?|(?:(?![\w.-]{1,40}:\/\/)[\w@./-]{0,190}\.[A-Za-z]\w{0,4}[:-]\d{1,7}[:-])|(?:[>|│]|\+(?!\+)|-(?![- ])|#|\/\/|\*)(?=[ \tA-Za-z0-9+/=-])[ \t]?|\[\d{1,4}\][ \t])/y;

const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
};
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: '\t', b: ' ', f: ' ' };

/** Null where the text is what it says. */
export function plainView(text: string): PlainView | null {
  const places = new NextPlaces(text);
  const pieces: string[] = [];
  const starts = new Int32Array(text.length + 1);
  const ends = new Int32Array(text.length + 1);
  let length = 0;
  let isLineStart = true;
  let from = 0;

  const copy = (to: number) => {
    while (from < to) {
      if (isLineStart) from = Math.min(to, from + prefixAt(text, from));
      const lineEnd = places.find('\n', from);
      const end = lineEnd >= to ? to : lineEnd + 1;
      if (end > from) {
        pieces.push(text.slice(from, end));
        for (let i = from; i < end; i++) {
          starts[length] = i;
          ends[length++] = i + 1;
        }
      }
      isLineStart = lineEnd < to;
      from = end;
    }
  };
  ENCODED.lastIndex = 0;
  for (let found = ENCODED.exec(text); found !== null; found = ENCODED.exec(text)) {
    copy(found.index);
    const plain = decoded(found[0]);
    const end = found.index + found[0].length;
    pieces.push(plain);
    for (let i = 0; i < plain.length; i++) {
      starts[length] = found.index;
      ends[length++] = end;
    }
    if (plain !== '') isLineStart = plain === '\n';
    from = end;
  }
  if (from === 0 && !hasPrefixes(text)) return null;
  copy(text.length);
  starts[length] = text.length;
  ends[length] = text.length;
  return { text: pieces.join(''), starts, ends };
}

/** Whether some line has a prefix; the first few tell. */
function hasPrefixes(text: string): boolean {
  let from = 0;
  for (let line = 0; line < 400 && from >= 0 && from < text.length; line++) {
    if (prefixAt(text, from) > 0) return true;
    const end = text.indexOf('\n', from);
    from = end < 0 ? -1 : end + 1;
  }
  return false;
}

function prefixAt(text: string, at: number): number {
  LINE_PREFIX.lastIndex = at;
  return LINE_PREFIX.exec(text)?.[0].length ?? 0;
}

function decoded(found: string): string {
  if (/\[[0-9;?]*[A-Za-z]$/.test(found) && !found.startsWith('&') && found.length > 2) return '';
  if (found.startsWith('%')) return String.fromCharCode(Number.parseInt(found.slice(1), 16));
  if (found.startsWith('&')) return entity(found.slice(1, -1));
  if (!found.startsWith('\\')) return '';
  const sign = found.replace(/^\\+/, '');
  if (sign === '') return ' ';
  const code = /^[ux]([0-9a-f]+)$/i.exec(sign)?.[1];
  return code ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPED[sign.toLowerCase()] ?? sign);
}

function entity(name: string): string {
  const known = NAMED[name.toLowerCase()];
  if (known !== undefined) return known;
  const code = Number.parseInt(name.replace(/^#x?/i, ''), /^#x/i.test(name) ? 16 : 10);
  return String.fromCharCode(code & 0xffff);
}
