import type { Span } from '../../../source/index.js';

/** A stretch of a text that belongs to somebody. */
export interface OwnedSpan {
  readonly owner: string;
  readonly span: Span;
}

/**
 * What of a text belongs to whom: each piece goes to the innermost owner whose span it lies in, or to the file.
 *
 * @param spans They nest; of two that are the same the later is the inner one.
 * @param file The owner of what lies in no span.
 * @param take Gets every piece with its owner, in the order of the text.
 */
export function piecesOfOwners(
  text: string,
  spans: readonly OwnedSpan[],
  file: string,
  take: (owner: string, piece: string) => void,
): void {
  const offsetAt = offsets(text);
  const stretches = spans
    .map(({ owner, span }) => ({
      owner,
      start: offsetAt(span.start_line, span.start_column),
      end: offsetAt(span.end_line, span.end_column),
    }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const open: { readonly owner: string; readonly end: number }[] = [{ owner: file, end: text.length }];
  let at = 0;
  const upTo = (end: number) => {
    for (let inner = open.at(-1); inner && at < end; inner = open.at(-1)) {
      const stop = Math.min(end, inner.end);
      if (stop > at) take(inner.owner, text.slice(at, stop));
      at = Math.max(at, stop);
      if (inner.end > at || open.length === 1) return;
      open.pop();
    }
  };
  for (const { owner, start, end } of stretches) {
    upTo(start);
    while (open.length > 1 && (open.at(-1)?.end ?? 0) <= start) open.pop();
    open.push({ owner, end: Math.min(end, open.at(-1)?.end ?? end) });
  }
  upTo(text.length);
}

/** Offsets of lines from 1 and columns from 0; what lies outside is the nearest that there is. */
function offsets(text: string): (line: number, column: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (line, column) => Math.min(text.length, (starts[line - 1] ?? text.length) + column);
}
