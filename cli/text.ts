import { stripVTControlCharacters, styleText } from 'node:util';

/** How the terminal shows answers. */
export interface TerminalLook {
  /** Columns of a terminal; null: the output is no terminal, and lines are not wrapped. */
  readonly columns: number | null;
  readonly colors: boolean;
}

/** Characters that take two columns, and those that take none. */
const WIDE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/gu;
const NARROW = /\p{M}/gu;
/** Narrower terminals wrap lines themselves. */
const FEWEST_COLUMNS = 40;
const FENCE = /^\s*(`{3,})/;
/** Code between backquotes, also between more of them than it has in a row, bold text, an escaped character, a path with its line. */
const INLINE =
  /(?<!`)(`{2,})(?!`) ((?:[^`]|(?<!`)(?!\1(?!`))`+(?!`))+) \1(?!`)|`([^`\n]*)`|\*\*([^*\n]+)\*\*|\\([\\`*[\]<>|#~])|(?<![^\s(])([^\s:`\\(*]+\.\w+:\d+)/g;

type Style = Parameters<typeof styleText>[0];

/**
 * Markdown as plain text for people: no marks and no escapes, headings and names in colour, long lines wrapped under
 * the text of their list item. Code blocks and tables are not wrapped.
 */
export function terminalText(markdown: string, look: TerminalLook): string {
  const lines: string[] = [];
  let fence: string | null = null;
  let table: string[] = [];
  for (const line of [...markdown.split('\n'), null]) {
    if (fence === null && line?.startsWith('|')) {
      table.push(line);
      continue;
    }
    lines.push(...tableLines(table, look));
    table = [];
    if (line === null) continue;
    const [, opening] = FENCE.exec(line) ?? [];
    if (fence !== null) {
      if (line.trim() === fence) fence = null;
      else lines.push(line);
    } else if (opening !== undefined) fence = opening;
    else lines.push(...wrapped(line, look));
  }
  return lines.join('\n');
}

/** A table without its bars: numbers to the right, the head in bold. */
function tableLines(lines: readonly string[], look: TerminalLook): string[] {
  const rows = lines.map((line) =>
    line
      .replace(/^\||\|\s*$/gu, '')
      .split(/(?<!\\)\|/u)
      .map((cell) => inline(cell.trim(), look)),
  );
  const [, rule = []] = rows;
  const [head = '', ...rest] = aligned(
    rows.filter((row) => row !== rule),
    rule.map((cell) => cell.endsWith(':')),
  );
  return lines.length === 0 ? [] : [paint(head, 'bold', look), ...rest];
}

function wrapped(line: string, look: TerminalLook): string[] {
  const plain = { ...look, colors: false };
  const [, heading] = /^#{1,6} (.*)$/u.exec(line) ?? [];
  if (heading !== undefined) return [paint(inline(heading, plain), 'bold', look)];
  const [, note] = /^_(.+)_$/u.exec(line) ?? [];
  const shown = note === undefined ? inline(line, look) : paint(inline(note, plain), 'dim', look);
  const { columns } = look;
  return columns === null || columns < FEWEST_COLUMNS || columnsOf(shown) <= columns
    ? [shown]
    : wrappedAt(shown, columns);
}

function inline(text: string, look: TerminalLook): string {
  return text.replace(INLINE, (_, ...found: readonly (string | undefined)[]) => {
    const [, ticked, plain, bold, escaped, place] = found;
    const code = ticked ?? plain;
    if (code !== undefined) return paint(code, 'cyan', look);
    if (bold !== undefined) return paint(bold, 'bold', look);
    return escaped ?? paint(place ?? '', 'magenta', look);
  });
}

function paint(text: string, style: Style, { colors }: TerminalLook): string {
  return colors && text !== '' ? styleText(style, text, { validateStream: false }) : text;
}

function wrappedAt(line: string, columns: number): string[] {
  const [start = ''] = /^\s*(?:(?:[-*]|\d+\.)\s+)?/u.exec(line) ?? [];
  const indent = ' '.repeat(start.length);
  const lines = [start];
  let free = columns - start.length;
  for (const word of line.slice(start.length).split(/(?<= )(?=[^ ])/u)) {
    const width = columnsOf(word.trimEnd());
    if (width > free && lines.at(-1) !== indent && lines.at(-1) !== start) {
      lines.push(indent);
      free = columns - indent.length;
    }
    lines.push(`${lines.pop() ?? ''}${word}`);
    free -= columnsOf(word);
  }
  return lines.map((one) => one.trimEnd());
}

/** Colours take no column. */
function columnsOf(shown: string): number {
  const text = stripVTControlCharacters(shown);
  const wide = text.match(WIDE)?.length ?? 0;
  return [...text].length + wide - (text.match(NARROW)?.length ?? 0);
}

/** Rows with their cells in columns, those of `right` to the right. */
function aligned(rows: readonly (readonly string[])[], right: readonly boolean[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, columnsOf(cell));
  return rows.map((row) => {
    const cells = row.map((cell, at) => {
      const blanks = ' '.repeat((widths[at] ?? 0) - columnsOf(cell));
      return right[at] ? blanks + cell : cell + blanks;
    });
    return cells.join('  ').trimEnd();
  });
}

/** Rows with their cells under each other, a line each. */
export function textTable(rows: readonly (readonly string[])[]): string {
  return aligned(rows)
    .map((line) => `${line}\n`)
    .join('');
}

/** Bytes as people read them: `12 B`, `3.4 KiB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${step === 0 ? bytes : (bytes / 1024 ** step).toFixed(1)} ${units[step]}`;
}

/** A number of things: `1 task`, `2 tasks`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** A word as a POSIX shell takes it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
