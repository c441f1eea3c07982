import { harmless, stripHidden } from './harmless.js';

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
  return shownLine(harmless(text), most).replace(/[\\`*[\]<>|#~]/gu, '\\$&');
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
