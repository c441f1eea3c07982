import { at, textAt } from './read-payload.js';

/** Lines from and to, from 1. */
export type LineRange = readonly [from: number, to: number];

/** Ranges that are told of one edit. */
const MOST = 200;

/** The lines that a unified diff's result has and its origin had not, or behind which some went. */
export function linesOfDiff(diff: string): LineRange[] {
  const changed: number[] = [];
  let line = 0;
  for (const text of diff.split('\n')) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)/u.exec(text)?.[1];
    if (start !== undefined) line = Math.max(1, Number(start));
    else if (line > 0) line = taken(text, line, changed);
  }
  return rangesOf(changed);
}

/** The same of a patch in parts: `{newStart, lines}` each. */
export function linesOfPatch(patch: unknown): LineRange[] {
  const changed: number[] = [];
  for (const part of Array.isArray(patch) ? patch : []) {
    const [start, lines] = [at(part, 'newStart'), at(part, 'lines')];
    if (typeof start !== 'number' || !Array.isArray(lines)) continue;
    let line = Math.max(1, start);
    for (const text of lines) if (typeof text === 'string') line = taken(text, line, changed);
  }
  return rangesOf(changed);
}

/** All lines of a text. */
export function allLines(text: string): LineRange[] {
  return text === '' ? [] : [[1, text.replace(/\n$/u, '').split('\n').length]];
}

/** A text after an edit of it; null where the edit does not tell. */
export function edited(original: string, response: unknown): string | null {
  const [old, now] = [textAt(response, 'oldString'), textAt(response, 'newString')];
  if (old === null || now === null || old === '' || !original.includes(old)) return null;
  return at(response, 'replaceAll') === true
    ? original.replaceAll(old, () => now)
    : original.replace(old, () => now);
}

/** Takes a line of a hunk that begins at a line of the result; where the next one begins. */
function taken(text: string, line: number, changed: number[]): number {
  if (text.startsWith('+')) {
    changed.push(line);
    return line + 1;
  }
  if (text.startsWith('-')) changed.push(line);
  return text.startsWith(' ') || text === '' ? line + 1 : line;
}

function rangesOf(lines: readonly number[]): LineRange[] {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && line <= last[1] + 1) last[1] = Math.max(last[1], line);
    else ranges.push([line, line]);
  }
  return ranges.slice(0, MOST);
}
