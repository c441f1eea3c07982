/** The first line from an index on that says something, trimmed; empty where none of the next few does. */
export function nextSaid(lines: readonly string[], from: number, within = 12): string {
  return (
    lines
      .slice(from, from + within)
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}

/** Columns that a line is indented by. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The index of the first line from an index on that fits; the number of lines where none does. */
export function indexFrom(lines: readonly string[], from: number, fits: RegExp): number {
  for (let index = from; index < lines.length; index++) if (fits.test(lines[index] ?? '')) return index;
  return lines.length;
}

/** An error as programs name it: `KeyError: 'user'`, `AssertionError [ERR_ASSERTION]: 1 == 2`. */
export const ERROR_NAME = /^(?:[A-Za-z_][\w.]*)?(?:Error|Exception|Exit|Interrupt|Failed|Warning|Panic)\b/u;
