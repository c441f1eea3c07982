import { quotedName, shownLine } from '../shown-text.js';

/**
 * A text from outside between backquotes, in a few lines that are broken at spaces where there are some.
 *
 * @param columns Of a line.
 * @param most Lines; what is longer is cut with `…`.
 */
export function quotedLines(text: string, columns: number, most = 2): string[] {
  const lines: string[] = [];
  let rest = quotedName(text, columns * most - 2);
  while (rest.length > columns && lines.length < most - 1) {
    const space = rest.lastIndexOf(' ', columns);
    const end = space > columns / 2 ? space : columns;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  if (rest.length <= columns) return [...lines, rest];
  return [...lines, `${rest.slice(0, columns - 2)}…\``];
}

/** The end of a name between backquotes: of tests and paths it says more than the beginning. */
export function quotedEnd(name: string, most: number): string {
  const line = shownLine(name, name.length);
  return quotedName(line.length > most ? `…${line.slice(1 - most)}` : line, most);
}
