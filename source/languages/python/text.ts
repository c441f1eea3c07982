import type { LineRules, Lowering, NodeId } from '../../lower/index.js';

/** Strings, comments and joined lines. */
const TOKENS =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|(?<!\\)"(?:[^"\\\n]|\\[\s\S])*"|(?<!\\)'(?:[^'\\\n]|\\[\s\S])*'|#[^\n]*|\\\r?\n/g;

/** Strings and comments are told apart, so that a `#` in a string stays. */
export const lines: LineRules = {
  plain: (text) => text.replace(TOKENS, (token) => (token[0] === '#' || token[0] === '\\' ? ' ' : token)),
  hasTuples: true,
};

/** The docstring of a body: its first statement when that is a plain string, cleaned; null when there is none. */
export function docstringOf(to: Lowering, body: NodeId): string | null {
  const { tree } = to;
  const first = tree.first(body);
  const kind = tree.kind(first);
  if (kind !== 'string' && kind !== 'concatenated_string') return null;
  let value = '';
  for (const part of kind === 'string' ? [first] : tree.children(first)) {
    const piece = stringValue(tree.textOf(part));
    if (piece === null) return null;
    value += piece;
  }
  return cleaned(value);
}

/** The value of a string literal; null for bytes and for strings that hold expressions. */
export function stringValue(literal: string): string | null {
  const match = /^([a-z]*)("""|'''|"|')/i.exec(literal);
  const [, prefix, quote] = match ?? [];
  if (prefix === undefined || quote === undefined || /[bft]/i.test(prefix)) return null;
  const start = prefix.length + quote.length;
  const closed = literal.length >= start + quote.length && literal.endsWith(quote);
  const inside = literal.slice(start, closed ? -quote.length : undefined).replace(/\r\n?/g, '\n');
  return /r/i.test(prefix) || !inside.includes('\\') ? inside : inside.replace(ESCAPES, unescaped);
}

const ESCAPES = /\\(\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g;
const LETTERS: Readonly<Record<string, string>> = {
  '\n': '',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

function unescaped(whole: string, code: string): string {
  if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8));
  if (code.length === 1) return LETTERS[code] ?? whole;
  const point = Number.parseInt(code.slice(1), 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
}

/** Dedented the way `inspect.cleandoc` does: the first line by itself, the others by their common indent. */
function cleaned(value: string): string {
  const lines = expandTabs(value).split('\n');
  const rest = lines.slice(1).filter((line) => line.trimStart() !== '');
  const indent = rest.reduce(
    (least, line) => Math.min(least, line.length - line.trimStart().length),
    Infinity,
  );
  const out = lines.map((line, index) =>
    index === 0 ? line.trimStart() : Number.isFinite(indent) ? line.slice(indent) : line,
  );
  while (out.length > 0 && out[out.length - 1] === '') out.pop();
  while (out.length > 0 && out[0] === '') out.shift();
  return out.join('\n');
}

function expandTabs(value: string): string {
  if (!value.includes('\t')) return value;
  return value
    .split('\n')
    .map((line) => {
      let out = '';
      for (const char of line) out += char === '\t' ? ' '.repeat(8 - (out.length % 8)) : char;
      return out;
    })
    .join('\n');
}

/** Characters of an expression that gives a name. */
const LONGEST = 200;

const START = /^[rf]*(["'])(\p{ID_Continue}+)(?:\{|%[sdr]|\1\s*\+)/iu;
const END = /(?:\}|%[sdr]|\+\s*[rf]*["'])(\p{ID_Continue}+)["'](?:\s*%.*|\.format\(.*)?$/isu;

/**
 * A name that is put together, by its constant beginning and end: `visit_*` of `f'visit_{kind}'`, `'visit_' + kind`,
 * `'visit_%s' % kind` and `'visit_{}'.format(kind)`; null for other expressions, and where too little of it is constant.
 */
export function namePattern(to: Lowering, node: NodeId): string | null {
  const { tree } = to;
  const kind = tree.kind(node);
  if (!/^(?:string|binary_operator|call)$/.test(kind) || tree.end(node) - tree.start(node) > LONGEST)
    return null;
  const written = tree.textOf(node);
  if (kind === 'string' && !/[{%]/.test(written)) return null;
  if (kind === 'call' && !/^[^(]*\.format\(/.test(written)) return null;
  const [start, end] = [START.exec(written)?.[2] ?? '', END.exec(written)?.[1] ?? ''];
  return [start, end].some((part) => /^(?=.*[^_]).{3}/u.test(part)) ? `${start}*${end}` : null;
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
