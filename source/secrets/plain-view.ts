/** A text as a person reads it, or parts of it, and where each of its units stands in the original. */
export interface PlainView {
  readonly text: string;
  /** Where each unit begins in the original. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/**
 * What stands for something else: escapes of strings (up to JSON in JSON in JSON), entities, percent signs of URLs, colours
 * of terminals (as they are, and escaped), characters of no width.
 */
const ENCODED = new RegExp(
  [
    String.raw`(?:\\{1,7}(?:u001b|x1b|033|e)|\u001b|\^\[)\[[0-9;?]{0,20}[A-Za-z]`,
    String.raw`\\{1,7}(?:[nrtbf"'\`/&]|u[0-9a-f]{4}|x[0-9a-f]{2}|[01][0-7]{2})|\\(?=\r?\n)`,
    '&(?:quot|apos|amp|lt|gt|nbsp|#x?[0-9a-f]{1,5});|%(?:0[9ad]|[2-7][0-9a-f])|[\u200b-\u200f\u2060\ufeff\u00ad]',
  ].join('|'),
  'gi',
);

/** A colour between what would be one word without it. */
const GLUED = /\w(?:\\{1,7}(?:u001b|x1b|033|e)|\p{Cc}|\^\[)\[[0-9;?]{0,20}[A-Za-z](?=\w)/iu;

/** What listings, diffs, quotes and searches put before each line; also before lines that are escaped. */
const LINE_PREFIX =
  /[ \t]{0,12}(?:\d{1,7}[ \t]{0,3}(?:→|\t|[:|│-])[ \t]?|(?:(?![\w.-]{1,40}:\/\/)[\w@./-]{0,190}\.[A-Za-z]\w{0,4}[:-]\d{1,7}[:-](?:\d{1,5}:)?(?=[ -\uffff]|\t|$))|(?:[>|│]|\+(?!\+)|-(?![- ])|#|\/\/|\*)(?=[ \tA-Za-z0-9+/=-])[ \t]?|\[\d{1,4}\][ \t])/y;

const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
};
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: '\t', b: ' ', f: ' ' };

/** Lines beside one that is written in another way than it is meant: what tells of a secret may stand there. */
const LINES_AROUND = 6;

/** A part that stands for another text, or for none. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly plain: string;
}

/**
 * The parts of a text that are written in another way than they are meant, with the lines around: none, one view, or two
 * where a colour stands in a word, since it may part words, or show a part of one.
 */
export function plainViews(text: string): PlainView[] {
  return (GLUED.test(text) ? ['', ' '] : ['']).flatMap((colour) => plainView(text, colour) ?? []);
}

/** @param colour What stands for one. */
function plainView(text: string, colour: string): PlainView | null {
  const lines = lineStarts(text);
  const changes = changesOf(text, lines, colour);
  if (changes.length === 0) return null;
  const pieces: string[] = [];
  const starts = new Int32Array(text.length + 1);
  const ends = new Int32Array(text.length + 1);
  let length = 0;
  let next = 0;
  for (const [from, to] of stretches(changes, lines, text.length)) {
    let at = from;
    for (;;) {
      const change = changes[next];
      const stop = change && change.start < to ? change.start : to;
      pieces.push(text.slice(at, stop));
      for (; at < stop; at++) {
        starts[length] = at;
        ends[length++] = at + 1;
      }
      if (!change || stop === to) break;
      pieces.push(change.plain);
      starts.fill(change.start, length, length + change.plain.length);
      ends.fill(change.end, length, length + change.plain.length);
      length += change.plain.length;
      at = change.end;
      next++;
    }
  }
  return { text: pieces.join(''), starts: starts.subarray(0, length), ends: ends.subarray(0, length) };
}

/** Where each line begins; one more, for the end. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  starts.push(text.length);
  return starts;
}

/** In order, not overlapping. */
function changesOf(text: string, lines: readonly number[], colour: string): Change[] {
  const changes: Change[] = [];
  let line = 0;
  const lineFrom = (at: number) => {
    while ((lines[line] ?? text.length) < at) line++;
    return lines[line] ?? text.length;
  };
  /** Where the next line of the plain text begins. */
  let begins = 0;
  const prefixesBefore = (to: number) => {
    while (begins < to) {
      const length = Math.min(prefixAt(text, begins), to - begins);
      if (length > 0) changes.push({ start: begins, end: begins + length, plain: '' });
      begins = lineFrom(begins + 1);
    }
  };
  ENCODED.lastIndex = 0;
  for (let found = ENCODED.exec(text); found !== null; found = ENCODED.exec(text)) {
    prefixesBefore(found.index);
    const end = found.index + found[0].length;
    const plain = decoded(found[0], colour);
    changes.push({ start: found.index, end, plain });
    const isBegun = plain === '\n' || (plain === '' && begins === found.index);
    begins = isBegun ? end : lineFrom(end);
  }
  prefixesBefore(text.length);
  return changes;
}

/** The parts of a text that hold changes, with the lines around them: in order, not overlapping. */
function* stretches(
  changes: readonly Change[],
  lines: readonly number[],
  length: number,
): Generator<[from: number, to: number]> {
  let [first, last, line] = [-1, -1, 0];
  for (const { start } of changes) {
    while ((lines[line + 1] ?? length) <= start) line++;
    if (first >= 0 && line - LINES_AROUND > last) {
      yield [lines[first] ?? 0, lines[last] ?? length];
      first = -1;
    }
    if (first < 0) first = Math.max(0, line - LINES_AROUND);
    last = line + 1 + LINES_AROUND;
  }
  yield [lines[first] ?? 0, lines[last] ?? length];
}

function prefixAt(text: string, at: number): number {
  LINE_PREFIX.lastIndex = at;
  return LINE_PREFIX.exec(text)?.[0].length ?? 0;
}

function decoded(found: string, colour: string): string {
  if (/\[[0-9;?]*[A-Za-z]$/.test(found) && !found.startsWith('&') && found.length > 2) return colour;
  if (found.startsWith('%')) return String.fromCharCode(Number.parseInt(found.slice(1), 16));
  if (found.startsWith('&')) return entity(found.slice(1, -1));
  if (!found.startsWith('\\')) return '';
  const sign = found.replace(/^\\+/, '');
  if (sign === '') return ' ';
  if (/^[01][0-7]{2}$/.test(sign)) return String.fromCharCode(Number.parseInt(sign, 8));
  const code = /^[ux]([0-9a-f]+)$/i.exec(sign)?.[1];
  return code ? String.fromCharCode(Number.parseInt(code, 16)) : (ESCAPED[sign.toLowerCase()] ?? sign);
}

function entity(name: string): string {
  const known = NAMED[name.toLowerCase()];
  if (known !== undefined) return known;
  const code = Number.parseInt(name.replace(/^#x?/i, ''), /^#x/i.test(name) ? 16 : 10);
  return String.fromCharCode(code & 0xffff);
}
