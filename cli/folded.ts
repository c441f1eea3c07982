/** Characters that take two columns, and those that take none. */
const WIDE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/gu;
const NARROW = /\p{M}/gu;
/** Below it lines are left to the terminal. */
const FEWEST = 40;

/**
 * Markdown for a terminal: lines that are too long go on below, at a space, under the text of their list item. Tables
 * and words longer than a line stay as they are.
 *
 * @param columns Of the terminal; null: nobody looks at it on one.
 */
export function folded(markdown: string, columns: number | null): string {
  if (columns === null || columns < FEWEST) return markdown;
  return markdown
    .split('\n')
    .flatMap((line) => (line.startsWith('|') ? [line] : foldedLine(line, columns)))
    .join('\n');
}

function foldedLine(line: string, columns: number): string[] {
  if (columnsOf(line) <= columns) return [line];
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

function columnsOf(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return [...text].length + wide - (text.match(NARROW)?.length ?? 0);
}
