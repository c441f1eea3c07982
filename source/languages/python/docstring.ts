import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** The docstring of a body: its first statement when that is a plain string, cleaned; null when there is none. */
export function docstringOf(body: Syntax | undefined, text: SourceText): string | null {
  const [first] = body?.children ?? [];
  if (first?.kind !== 'string' && first?.kind !== 'concatenated_string') return null;
  const parts = first.kind === 'string' ? [first] : first.children;
  let value = '';
  for (const part of parts) {
    const piece = stringValue(text.of(part));
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
  return /r/i.test(prefix) || !inside.includes('\\') ? inside : inside.replace(escapes, unescaped);
}

const escapes = /\\(\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g;
const letters: Readonly<Record<string, string>> = {
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
  if (code.length === 1) return letters[code] ?? whole;
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
