/** A Markdown table whose columns line up: the first to the left, the others to the right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const texts = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(3, ...texts.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const [first = [], ...rest] = texts;
  return [line(first), rule, ...rest.map(line)].join('\n');
}

/** Counts by name in one line: `3 function, 1 class`; `none` where there are none. */
export function countsLine(byName: Readonly<Record<string, number>>): string {
  return (
    Object.entries(byName)
      .map(([name, number]) => `${number} ${name}`)
      .join(', ') || 'none'
  );
}

/** A number with its noun: `1 file`, `2 files`. */
export function plural(number: number, noun: string, many = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : many}`;
}

/** A time to the minute: `2026-01-31 12:05`. @param iso ISO 8601. */
export function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
