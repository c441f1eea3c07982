import type { Hunk } from '../../../../source/index.js';
import type { FileChange } from './change-history.js';

/** Lines of a file that have a name; both ends included, counted from 1. */
export interface Span {
  readonly id: string;
  readonly start_line: number;
  readonly end_line: number;
}

/**
 * Which spans of a file its changes touched: by the age of the commit, the ids. The lines are followed from now back
 * through every change (as `git log -L` does), so that nothing is parsed and a name may have been another then. Where
 * a commit's lines are not known, what is older is not told.
 *
 * @param changes Of the file, the newest first.
 */
export function changedSpans(
  changes: readonly FileChange[],
  spans: readonly Span[],
): Map<number, readonly string[]> {
  const touched = new Map<number, readonly string[]>();
  let now = [...spans];
  for (const { age, hunks } of changes) {
    if (!hunks || now.length === 0) break;
    touched.set(
      age,
      now.filter((span) => hunks.some((hunk) => touches(hunk, span))).map(({ id }) => id),
    );
    now = now.flatMap((span) => spanBefore(span, hunks) ?? []);
  }
  return touched;
}

function touches({ to, became }: Hunk, { start_line, end_line }: Span): boolean {
  // Lines that only went were between the line that is told and the next.
  if (became === 0) return start_line <= to && to < end_line;
  return to <= end_line && to + became > start_line;
}

/** Where a span was before a change; null for one that it made. */
function spanBefore({ id, start_line, end_line }: Span, hunks: readonly Hunk[]): Span | null {
  const start = lineBefore(start_line, hunks, 'first');
  const end = lineBefore(end_line, hunks, 'last');
  return start > end ? null : { id, start_line: start, end_line: end };
}

/** A line's number before a change; of a line in a hunk the end of what the hunk replaced. */
function lineBefore(line: number, hunks: readonly Hunk[], side: 'first' | 'last'): number {
  let shift = 0;
  for (const { from, count, to, became } of hunks) {
    // Of a side without lines the line above is told.
    const [top, above] = [became === 0 ? to + 1 : to, count === 0 ? from + 1 : from];
    if (line < top) break;
    if (line < top + became) return side === 'first' ? above : above + count - 1;
    shift += count - became;
  }
  return line + shift;
}
