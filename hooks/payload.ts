import { isAbsolute } from 'node:path/posix';
import { isAbsolute as isAbsoluteOnWindows } from 'node:path/win32';

/** A parsed payload: an object, no field of it checked. */
export type Payload = Readonly<Record<string, unknown>>;

/** Lines from and to, from 1. */
export type LineRange = readonly [from: number, to: number];

/** Deeper values are left out: no client nests as deep, and what comes after walks them recursively. */
const DEEPEST = 24;
/** Line ranges that are recorded of one edit. */
const MOST_RANGES = 200;

/**
 * Parses a payload's bytes: UTF-8, or UTF-16 behind its mark, as some shells write it. What is no text in either is
 * replaced character by character.
 *
 * @returns null for what is no JSON object.
 */
export function readPayload(bytes: Uint8Array): Payload | null {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  try {
    const value: unknown = bounded(JSON.parse(new TextDecoder(encoding).decode(bytes)), DEEPEST);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '[…]';
  if (Array.isArray(value)) return value.map((one: unknown) => bounded(one, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bounded(one, depth - 1)]));
}

/** Whether a value is an object with fields. That of `schema/` would bring its validator into every hook's start. */
export function isRecord(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of field names; undefined where there is none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const field of path) found = isRecord(found) && Object.hasOwn(found, field) ? found[field] : undefined;
  return found;
}

/** The text at a path; null where there is none. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : null;
}

/** The text of a tool's result: itself, or of its parts `{text}`, one a line; null where it has none. */
export function textsOf(result: unknown): string | null {
  if (typeof result === 'string') return result;
  if (isRecord(result)) return typeof result.text === 'string' ? result.text : null;
  if (!Array.isArray(result)) return null;
  const texts = result.flatMap((part: unknown) => textsOf(part) ?? []);
  return texts.length === 0 ? null : texts.join('\n');
}

/** {@link textsOf} a result, or where it has no text its JSON; empty for no result. */
export function jsonOrText(result: unknown): string {
  if (result === undefined || result === null) return '';
  return textsOf(result) ?? JSON.stringify(result);
}

/** A path made absolute, where the working directory is known. */
export function absolutePath(path: string, cwd: string | null): string {
  const file = path.startsWith('file://') ? decoded(path.slice('file://'.length)) : path;
  if (cwd === null || isAbsolute(file) || isAbsoluteOnWindows(file)) return file;
  // Joined as it is written: a path that is tidied up first may hide a password in a URL from the masking.
  return isAbsolute(cwd) ? `${cwd}/${file}` : `${cwd}\\${file}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The lines of a file after a unified diff that are new, or stand where some were removed. */
export function linesOfDiff(diff: string): LineRange[] {
  const ranges: [number, number][] = [];
  let line = 0;
  for (const text of diff.split('\n')) {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)/u.exec(text)?.[1];
    if (start !== undefined) line = Math.max(1, Number(start));
    else if (line > 0) {
      const sign = text[0] ?? ' ';
      const last = ranges.at(-1);
      if (sign === '+' || sign === '-') {
        if (last && line <= last[1] + 1) last[1] = Math.max(last[1], line);
        else ranges.push([line, line]);
      }
      if (sign === '+' || sign === ' ') line++;
    }
  }
  return ranges.slice(0, MOST_RANGES);
}

/** The same of a patch in hunks: `{newStart, lines}` each. */
export function linesOfPatch(patch: unknown): LineRange[] {
  const hunks: readonly unknown[] = Array.isArray(patch) ? patch : [];
  const diffs = hunks.flatMap((hunk) => {
    const [start, lines] = [at(hunk, 'newStart'), at(hunk, 'lines')];
    if (typeof start !== 'number' || !Array.isArray(lines)) return [];
    return [`@@ -0 +${Math.max(1, start)} @@`, ...lines.filter((text) => typeof text === 'string')];
  });
  return linesOfDiff(diffs.join('\n'));
}

/** All lines of a text. */
export function allLines(text: string): LineRange[] {
  return text === '' ? [] : [[1, text.replace(/\n$/u, '').split('\n').length]];
}
