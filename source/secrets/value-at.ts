import type { NextPlaces } from './span.js';
import { looks } from './value-look.js';

/**
 * How a value hangs on its name.
 * - `set`: surely, as a variable of an environment, a flag, an element of XML
 * - `quoted`: as a literal in code or data
 * - `line`: it is all of the line behind its name
 * - `bare`: without quotes, where code could stand as well
 * - `query`: in a URL
 * - `apart`: by blanks, in a table or a sentence
 * - `argument`: of a call that has the name first
 */
export type Tie = 'set' | 'quoted' | 'line' | 'bare' | 'query' | 'apart' | 'argument';

/** A value that a name may give away. */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly tie: Tie;
}

const LONGEST_VALUE = 8000;

/** Where a sticky pattern ends that begins at an offset; negative where it does not fit. */
export function after(text: string, pattern: RegExp, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The value at an offset: quoted where a quote stands there, and several of a list. */
export function valueAt(text: string, from: number, tie: Tie, quotes: NextPlaces): Value[] {
  let at = from;
  const open =
    /^[ \t]{0,4}(?:\{\s{0,20}(?:["']?\w{1,20}["']?\s{0,4}[:=]\s{0,4}["']?[\w .-]{0,60}["']?,?\s{0,20}){0,2}["']?(?:value|val|token|secret|key|plain|plaintext)["']?\s{0,4}[:=]\s{0,4}|\[\]byte\(|\[\s{0,40}|\(\s{0,8}|[A-Za-z_.:]{1,24}\(\s{0,8}(?=["']))/.exec(
      text.slice(at, at + 240),
    );
  if (open && /["'`]/.test(text[at + open[0].length] ?? '')) at += open[0].length;
  const isWrapped = open !== null && /\w\(\s*$/.test(open[0]);
  const prefix =
    /^(?:[@$bBfFrRuUN]{1,2}|&|\(?\w{3,10}\)[ ])?(?=["'`])/.exec(text.slice(at, at + 16))?.[0] ?? '';
  const quote = /^(?:"""|'''|["'`])/.exec(text.slice(at + prefix.length, at + prefix.length + 3))?.[0];
  if (quote === undefined) return bareValue(text, at, tie, quotes);
  const values: Value[] = [];
  at += prefix.length;
  while (values.length < 50) {
    const start = at + quote.length;
    const end = closingQuote(text, quote, start, quotes);
    if (end < 0)
      return values.length > 0 ? values : bareValue(text, start, tie === 'set' ? 'set' : 'bare', quotes);
    if (end > start) values.push({ start, end, tie: isWrapped ? 'apart' : quotedTie(tie, open !== null) });
    const more = (open?.[0].includes('[') ? NEXT_OF_LIST : NEXT_PIECE).exec(
      text.slice(end + quote.length, end + quote.length + 60),
    )?.[0];
    if (more === undefined || !text.startsWith(quote, end + quote.length + more.length)) break;
    at = end + quote.length + more.length;
  }
  return values;
}

const NEXT_OF_LIST = /^\s{0,4},\s{0,40}/;
/** A literal over several lines, or in several pieces. */
const NEXT_PIECE = /^(?:\s{0,40}[+.]\s{0,40}|[ \t]{0,4}\\?\r?\n[ \t]{0,40})(?=["'`])/;

/** A literal in a list, or an argument, may be anything that a name is a name of. */
function quotedTie(tie: Tie, isListed: boolean): Tie {
  if (tie === 'apart') return 'apart';
  return isListed || tie === 'argument' ? 'bare' : tie === 'set' ? 'set' : 'quoted';
}

/** Where a literal ends: at its quote, on the line that it began on. Negative where it does not. */
function closingQuote(text: string, quote: string, from: number, quotes: NextPlaces): number {
  let end = quotes.find(quote, from);
  while (end < text.length && text[end - 1] === '\\' && text[end - 2] !== '\\')
    end = quotes.find(quote, end + 1);
  if (end >= text.length || end - from > LONGEST_VALUE) return -1;
  return quote.length === 3 || quotes.find('\n', from) > end ? end : -1;
}

/** What ends a value that no quote ends. */
const BARE_END = /[\s"'`,;()[\]{}<>&|\\]/g;
const BLANK_END = /[\s"'`<>]/g;
const QUERY_END = /[\s"'`<>&#;,)\]}\\|]/g;
const ENDS: Partial<Readonly<Record<Tie, RegExp>>> = {
  query: QUERY_END,
  set: BLANK_END,
  line: BLANK_END,
  apart: BLANK_END,
};

function bareValue(text: string, start: number, tie: Tie, places: NextPlaces): Value[] {
  let end = places.findAny(ENDS[tie] ?? BARE_END, start);
  if (end <= start) return [];
  if (tie === 'set')
    end -= /[,;)\]}&|\\]{0,4}$/.exec(text.slice(Math.max(start, end - 4), end))?.[0].length ?? 0;
  const cut =
    tie === 'set' ? text.slice(start, Math.min(end, start + LONGEST_VALUE)).search(/;|&&|\|\|/) : -1;
  if (cut > 0) end = start + cut;
  end -=
    tie === 'set' || tie === 'query'
      ? 0
      : (/[.,:;!?)\]}*_|│║]{0,4}$/.exec(text.slice(Math.max(start, end - 4), end))?.[0].length ?? 0);
  if (end <= start) return [];
  return [{ start, end, tie }];
}

const LONGEST_INDENT = 200;
/** What stands before a value of a block: the sign of a list; a name, where the block has several. */
const ITEM = /-[ \t]{1,4}/y;
const ENTRY = /(?:-[ \t]{1,4})?["']?[\w.@-]{1,60}["']?[ \t]{0,4}:[ \t]{1,8}(?=\S)/y;

/**
 * The values of a block of YAML, or one value on a line of its own.
 *
 * @param isMap Whether its values may have names of their own.
 */
export function blockValues(text: string, from: number, isMap: boolean, quotes: NextPlaces): Value[] {
  const values: Value[] = [];
  const line = /[^\n]{0,8000}\n[ \t]{0,60}(?=\S)/y;
  const indent = indentAt(text, from);
  for (
    let at = from;
    values.length < 60 && at >= 0 && indentAt(text, at) === indent;
    at = after(text, line, at)
  ) {
    const item = after(text, ITEM, at);
    const entry = isMap ? after(text, ENTRY, at) : -1;
    const [value] = valueAt(text, Math.max(at, item, entry), 'line', quotes);
    if (
      !value ||
      !/^["'`.,:;!?)*_]{0,4}[ \t]{0,8}(?:#[^\n]{0,200})?\r?(?:\n|$)/.test(
        text.slice(value.end, value.end + 240),
      )
    )
      break;
    if (!looks(text.slice(value.start, value.end), 'numbered')) break;
    values.push(value);
  }
  return values;
}

/** How many units stand before an offset on its line; no more than are looked at. */
function indentAt(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - LONGEST_INDENT), at);
  return before.length - before.lastIndexOf('\n') - 1;
}

/** What stands in an element of XML or HTML that begins before an offset. */
export function elementValue(text: string, start: number, quotes: NextPlaces): Value[] {
  const stop = Math.min(quotes.find('<', start), quotes.find(']]>', start));
  const whole = text.slice(start, Math.min(stop, start + LONGEST_VALUE));
  const end = start + whole.trimEnd().length;
  if (
    !/^(?:<\/|\]\]>)/.test(text.slice(stop, stop + 3)) ||
    end <= start ||
    /\n/.test(whole.trim()) ||
    /^[{<]/.test(whole)
  )
    return [];
  return [{ start, end, tie: /\s/.test(whole.trim()) ? 'quoted' : 'set' }];
}
