import { z } from 'zod';
import { indexedText } from '../../graphs/code/index.js';
import type { NodeRef, ReadContext } from '../../runtime/index.js';
import { CodewalkError, type File } from '../../schema/index.js';

/** Lines of one answer, characters of a line, and bytes of them all as JSON: what a page shows at once. */
const MOST_LINES = 600;
const LONGEST_LINE = 2000;
const MOST_BYTES = 150_000;

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
 * Lines of a file: from the first on as many as fit an answer.
 *
 * @param from The first line, from 1. @param to The last one.
 */
export function sourceLines(
  context: Pick<ReadContext, 'projectRoot' | 'cached'>,
  file: NodeRef<typeof File>,
  from: number,
  to: number,
): SourceRow {
  const { path, line_count } = file;
  const { text, missing } = textOf(context, file);
  if (text === null) return { path, from_line: from, lines: [], total_lines: line_count ?? 0, missing };
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  // A request for lines behind the end gets the last one.
  const first = Math.max(1, Math.min(from, to, all.length));
  const last = Math.min(to, first + MOST_LINES - 1, all.length);
  return {
    path,
    from_line: first,
    lines: shownLines(all.slice(first - 1, last)),
    total_lines: all.length,
    missing,
  };
}

function textOf(context: Pick<ReadContext, 'projectRoot' | 'cached'>, file: NodeRef<typeof File>) {
  try {
    return indexedText(context, file);
  } catch (error) {
    // It became a link out of the root.
    if (error instanceof CodewalkError && error.code === 'PATH_OUTSIDE_ROOT')
      return { text: null, missing: 'gone' } as const;
    throw error;
  }
}

function shownLines(all: readonly string[]): string[] {
  const lines: string[] = [];
  let left = MOST_BYTES;
  for (const whole of all) {
    const line = whole.replace(/\r$/u, '');
    const shown = line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
    left -= Buffer.byteLength(JSON.stringify(shown));
    if (left < 0) break;
    lines.push(shown);
  }
  return lines;
}
