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

/** Lines that one failure may take: where its end is not told, as many count. So no output costs more than its length. */
export const MOST_LINES = 200;

/** The index of the first of the next lines that fits; where none does, of the line behind them. */
export function indexFrom(lines: readonly string[], from: number, fits: RegExp, most = MOST_LINES): number {
  const end = Math.min(lines.length, from + most);
  for (let index = from; index < end; index++) if (fits.test(lines[index] ?? '')) return index;
  return end;
}

/** An error as programs name it: `KeyError: 'user'`, `AssertionError [ERR_ASSERTION]: 1 == 2`. */
export const ERROR_NAME = /^(?:[A-Za-z_][\w.]*)?(?:Error|Exception|Exit|Interrupt|Failed|Warning|Panic)\b/u;
