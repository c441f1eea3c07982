import { z } from 'zod';
import { changeSinceIndexed } from '../../graphs/code/index.js';
import type { NodeRef, ReadContext } from '../../runtime/index.js';
import { CodewalkError, type File } from '../../schema/index.js';
import { insideRoot, readText, withoutSecrets } from '../../source/index.js';

/** Lines of one answer, characters of a line, and bytes of them all as JSON: what a page shows at once. */
const MOST_LINES = 600;
const LONGEST_LINE = 2000;
const MOST_BYTES = 150_000;
/** Lines around those that are shown in which a secret may begin or end. */
const AROUND = 100;

const count = z.number().int();

/** Why lines are not shown; `changed`: the file is not what was indexed; `outside`: it is not a part of the project. */
export const MISSING = ['gone', 'changed', 'too large', 'not text', 'outside'] as const;

/** Lines of a file as they were indexed, with other letters in secrets. */
export const SourceRow = z.object({
  /** Null for what is outside of the project. */
  path: z.string().nullable(),
  from_line: count,
  lines: z.array(z.string()),
  /** Of the file. */
  total_lines: count,
  missing: z.enum(MISSING).nullable(),
});
export type SourceRow = z.infer<typeof SourceRow>;

/** What is shown of something outside of the project. */
export const NO_SOURCE: SourceRow = {
  path: null,
  from_line: 1,
  lines: [],
  total_lines: 0,
  missing: 'outside',
};

/**
 * Lines of a file: from the first on as many as fit an answer. Secrets have other letters and digits in their places, so
 * that columns stay.
 *
 * @param from The first line, from 1. @param to The last one.
 */
export function sourceLines(
  { projectRoot }: Pick<ReadContext, 'projectRoot'>,
  file: NodeRef<typeof File>,
  from: number,
  to: number,
): SourceRow {
  const { path, line_count } = file;
  const none = (missing: SourceRow['missing']) => {
    return { path, from_line: from, lines: [], total_lines: line_count ?? 0, missing };
  };
  if (projectRoot === null) return none('gone');
  try {
    const change = changeSinceIndexed(file, projectRoot);
    if (change !== null) return none(change === 'deleted' ? 'gone' : 'changed');
    const read = readText({ diskPath: insideRoot(projectRoot, path).diskPath });
    if (!read.ok) return none(missingBy(read.reason));
    const all = read.text.split('\n');
    if (all.at(-1) === '') all.pop();
    const last = Math.min(to, from + MOST_LINES - 1, all.length);
    return {
      path,
      from_line: from,
      lines: shownLines(all, from, last),
      total_lines: all.length,
      missing: null,
    };
  } catch (error) {
    // It became a link out of the root.
    if (error instanceof CodewalkError && error.code === 'PATH_OUTSIDE_ROOT') return none('gone');
    throw error;
  }
}

function missingBy(reason: string): SourceRow['missing'] {
  if (reason === 'too-large') return 'too large';
  return reason === 'binary' || reason === 'not-utf8' ? 'not text' : 'gone';
}

function shownLines(all: readonly string[], from: number, last: number): string[] {
  const before = Math.max(0, from - 1 - AROUND);
  const text = withoutSecrets(all.slice(before, last + AROUND).join('\n'));
  const lines: string[] = [];
  let left = MOST_BYTES;
  for (const whole of text.split('\n').slice(from - 1 - before, last - before)) {
    const line = whole.replace(/\r$/u, '');
    const shown = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
    left -= Buffer.byteLength(JSON.stringify(shown));
    if (left < 0) break;
    lines.push(shown);
  }
  return lines;
}
