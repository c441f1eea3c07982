import { stripVTControlCharacters } from 'node:util';

/*
 * Text from outside (a repository's, an old error's) is shown as data (X-39): nothing in it may move a terminal's
 * cursor, hide itself from a reader, or end the block that it stands in.
 */

/** Control characters but tab and newline; zero-width, direction, tag and other characters that nobody sees. */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/gu;

/** The text without escape sequences and without characters that nobody sees; `\r\n` as `\n`. */
export function stripHidden(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/gu, '\n')).replace(HIDDEN, '');
}

/** One line of a text from outside: hidden characters gone, white space as single spaces, cut with `…`. */
export function shownLine(text: string, most = 100): string {
  const line = stripHidden(text.slice(0, most * 20))
    .replace(/\s+/gu, ' ')
    .trim();
  return line.length > most ? `${wholeCharacters(line.slice(0, most - 1)).trimEnd()}…` : line;
}

/** The first line of a text that has something on it, as {@link shownLine}. */
export function firstLine(text: string, most = 100): string {
  const line = stripHidden(text.slice(0, 10_000))
    .split('\n')
    .find((one) => one.trim() !== '');
  return shownLine(line ?? '', most);
}

/**
 * A text from outside as one cell or item of Markdown: what Markdown or HTML would take for its own is escaped, but
 * for underscores: names are full of them, and all that they could make is emphasis.
 */
export function quotedLine(text: string, most = 100): string {
  return shownLine(text, most).replace(/[\\`*[\]<>|#~]/gu, '\\$&');
}

/** A path or a name from outside, between backquotes. */
export function quotedName(name: string, most = 200): string {
  return `\`${shownLine(name, most).replaceAll('`', "'")}\``;
}

/** A text from outside as a block of Markdown whose fence is longer than any in the text. */
export function quotedBlock(text: string, label = 'text'): string {
  const shown = stripHidden(text).trimEnd();
  const longest = Math.max(2, ...[...shown.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${label}\n${shown}\n${fence}`;
}

/** Without half a surrogate pair at its end. */
function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/u.test(text) ? text.slice(0, -1) : text;
}
