/**
 * Lines of a file that a commit replaced: `from` and `count` before it, `to` and `became` after it. Without lines on
 * one side the number is that of the line above.
 */
export interface Hunk {
  readonly from: number;
  readonly count: number;
  readonly to: number;
  readonly became: number;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** A file of a patch: its paths after and before, null where it is not there. A path in quotes is none that could be found again. */
export interface PatchedFile {
  readonly path: string | null;
  readonly before: string | null;
  readonly hunks: readonly Hunk[];
}

/** The files of a patch without context, and every line that stands between them as it is. */
export function* readPatch(text: string): Generator<PatchedFile | string> {
  let before: string | null = null;
  let file: { path: string | null; before: string | null; hunks: Hunk[] } | null = null;
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    const [, from, count = '1', to, became = '1'] = HUNK.exec(line) ?? [];
    if (line.startsWith('--- ')) before = pathOf(line, 'a/');
    else if (line.startsWith('+++ ')) file = { path: pathOf(line, 'b/'), before, hunks: [] };
    else if (from !== undefined && to !== undefined) {
      file?.hunks.push({ from: +from, count: +count, to: +to, became: +became });
      at = afterLines(text, end + 1, +count + +became);
      continue;
    } else {
      if (file) yield file;
      file = null;
      yield line;
    }
    at = end + 1;
  }
  if (file) yield file;
}

/** A tab ends a path with blanks. */
function pathOf(line: string, prefix: string): string | null {
  const path = line.slice('--- '.length).replace(/\t$/, '');
  return path.startsWith(prefix) ? path.slice(prefix.length).normalize('NFC') : null;
}

/** Behind the changed lines themselves: whatever they hold is not read. */
function afterLines(text: string, start: number, lines: number): number {
  let at = start;
  for (let left = lines; left > 0 && at < text.length; at = lineEnd(text, at) + 1)
    if (text[at] !== '\\') left--;
  return at;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
