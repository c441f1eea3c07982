import { harmless, stripHidden } from './harmless.js';

/** What is one line already, without two blanks in a row. */
const ONE_LINE = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/u;

/** One line of a text from outside: hidden characters gone, white space as single spaces, cut with `…`. */
export function shownLine(text: string, most = 100): string {
  if (text.length <= most && ONE_LINE.test(text)) return text;
  const line = stripHidden(text.slice(0, most * 20))
    .replace(/\s+/gu, ' ')
    .trim();
  if (line.length <= most) return line;
  // Without half a surrogate pair at its end.
  const start = line.slice(0, most - 1).replace(/[\ud800-\udbff]$/u, '');
  return `${start.trimEnd()}…`;
}

/** The first line of a text that has something on it, as {@link shownLine}. */
export function firstLine(text: string, most = 100): string {
  const lines = stripHidden(text.slice(0, 10_000)).split('\n');
  return shownLine(lines.find((one) => one.trim() !== '') ?? '', most);
}

/**
 * A text from outside as one cell or item of Markdown: what Markdown or HTML would take for its own is escaped, but
 * for underscores: names are full of them, and all that they could make is emphasis.
 */
export function quotedLine(text: string, most = 100): string {
  return shownLine(harmless(text), most).replace(/[\\`*[\]<>|#~]/gu, '\\$&');
}

/** A path, a name or a line of code from outside as a code span of Markdown, as it is written. */
export function quotedName(name: string, most = 200): string {
  const shown = shownLine(name, most);
  const fence = fenceOf(shown, 1);
  // Blanks within the fence belong to it: backquotes at an end of the text would be taken for more of it.
  return shown.includes('`') ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`;
}

/** A text from outside as a block of Markdown whose fence is longer than any in the text. */
export function quotedBlock(text: string, label = 'text'): string {
  const shown = stripHidden(text).trimEnd();
  const fence = fenceOf(shown, 3);
  return `${fence}${label}\n${shown}\n${fence}`;
}

/** More backquotes than a text has in a row, so that it cannot end what they enclose. */
function fenceOf(text: string, least: number): string {
  if (!text.includes('`')) return '`'.repeat(least);
  return '`'.repeat(Math.max(least, ...[...text.matchAll(/`+/gu)].map(([ticks]) => ticks.length + 1)));
}

/** A Markdown table whose columns line up: the first to the left, the others to the right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const texts = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(3, ...texts.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, width: number, column: number) =>
    column === 0 ? cell.padEnd(width) : cell.padStart(width);
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => padded(cell, widths[column] ?? 0, column)).join(' | ')} |`;
  const rule = line(
    widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)),
  );
  const [first = [], ...rest] = texts;
  return [line(first), rule, ...rest.map(line)].join('\n');
}

/**
 * A list as Markdown: its title, `3 of 12 tasks` and what follows that, then the lines of each row. What the record says
 * must be quoted in them: it is data.
 */
export function listMarkdown<R>(
  rows: readonly R[],
  [one, many, order]: readonly [one: string, many: string, order: string],
  linesOf: (row: R) => readonly string[],
  { total = rows.length, none }: { readonly total?: number; readonly none?: string } = {},
): string {
  if (rows.length === 0 && none !== undefined) return `${none}\n`;
  return [`## ${shownOf(rows.length, total, one, many)}${order}`, '', ...rows.flatMap(linesOf), ''].join(
    '\n',
  );
}

/** Counts by name in one line: `3 function, 1 class`; `none` where there are none. */
export function countsLine(byName: Readonly<Record<string, number>>): string {
  const counts = Object.entries(byName).map(([name, number]) => `${number} ${name}`);
  return counts.join(', ') || 'none';
}

/** A number with its noun: `1 file`, `2 files`. */
export function plural(number: number, noun: string, many = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : many}`;
}

/** `3 callers`, `3 of 120 callers`. */
export function shownOf(shown: number, total: number, noun: string, many?: string): string {
  const count = plural(total, noun, many);
  return shown < total ? `${shown} of ${count}` : count;
}

/** A time to the minute: `2026-01-31 12:05`. @param iso ISO 8601. */
export function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
