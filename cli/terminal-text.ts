import { stripVTControlCharacters, styleText } from 'node:util';

/** How the terminal shows answers. */
export interface TerminalLook {
  /** Columns of a terminal; null: the output is no terminal, lines stay as long as they are. */
  readonly columns: number | null;
  /** Whether to colour: a terminal that can, and no `NO_COLOR`. */
  readonly colors: boolean;
}

/** Characters that take two columns, and those that take none. */
const WIDE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/gu;
const NARROW = /\p{M}/gu;
/** Narrower terminals wrap lines themselves. */
const FEWEST_COLUMNS = 40;
const FENCE = /^\s*(`{3,})/;
/** Code between backquotes, bold text, an escaped character, a path with its line. */
const INLINE = /`([^`\n]*)`|\*\*([^*\n]+)\*\*|\\([\\`*[\]<>|#~])|(?<![^\s(])([^\s:`\\(*]+\.\w+:\d+)/g;

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
    const isRow = fence === null && line?.startsWith('|');
    if (isRow) table.push(line ?? '');
    else {
      lines.push(...tableLines(table, look));
      table = [];
    }
    if (isRow || line === null) continue;
    const [, opening] = FENCE.exec(line) ?? [];
    if (fence !== null) {
      if (line.trim() === fence) fence = null;
      else lines.push(line);
    } else if (opening !== undefined) fence = opening;
    else lines.push(...wrapped(line, look));
  }
  return lines.join('\n');
}

/** A table without its bars: columns in line, numbers to the right, the head in bold. */
function tableLines(lines: readonly string[], look: TerminalLook): string[] {
  const rows = lines.map((line) =>
    line
      .replace(/^\||\|\s*$/gu, '')
      .split(/(?<!\\)\|/u)
      .map((cell) => inline(cell.trim(), look)),
  );
  const [, rule = []] = rows;
  const cells = rows.filter((row) => row !== rule);
  const widths = rule.map((_, column) => Math.max(...cells.map((row) => columnsOf(row[column] ?? ''))));
  return cells.map((row, at) => {
    const line = row.map((cell, column) => {
      const blanks = ' '.repeat(Math.max(0, (widths[column] ?? 0) - columnsOf(cell)));
      return rule[column]?.endsWith(':') ? blanks + cell : cell + blanks;
    });
    const text = line.join('  ').trimEnd();
    return at === 0 ? paint(text, 'bold', look) : text;
  });
}

function wrapped(line: string, look: TerminalLook): string[] {
  const [, heading] = /^#{1,6} (.*)$/u.exec(line) ?? [];
  if (heading !== undefined) return [paint(inline(heading, { ...look, colors: false }), 'bold', look)];
  const [, note] = /^_(.+)_$/u.exec(line) ?? [];
  const shown =
    note === undefined ? inline(line, look) : paint(inline(note, { ...look, colors: false }), 'dim', look);
  return look.columns === null || look.columns < FEWEST_COLUMNS || columnsOf(shown) <= look.columns
    ? [shown]
    : wrappedAt(shown, look.columns);
}

function inline(text: string, look: TerminalLook): string {
  return text.replace(INLINE, (_, code?: string, bold?: string, escaped?: string, place?: string) => {
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
