import { LIMITS } from '../../../schema/index.js';
import { quotedName, shownLine } from '../../shown-text.js';
import type { PackNode } from '../codebase/pack-rows.js';
import type { SnippetSpan } from './snippet-spans.js';

const { snippetLines } = LIMITS;

/** Nodes that are named. */
const MOST_NAMED = 4;

/**
 * What a pack says of definitions that its snippets show in part or not at all, for they are longer than `max_lines` or
 * stand beside one that is shown; empty where there are none.
 *
 * @param spans What is shown.
 * @param nodeOf Of those that a snippet shows besides.
 * @param linesIn How many lines a file has.
 */
export function leftLines(
  spans: readonly SnippetSpan[],
  maxLines: number,
  nodeOf: (id: string) => PackNode | undefined,
  linesIn: (path: string) => number,
): string[] {
  const left: string[] = [];
  for (const { node, also, path, start, end } of spans)
    for (const one of [node, ...also.flatMap((id) => nodeOf(id) ?? [])]) {
      const isTop = one.kind === 'module' || one.lineno === null;
      // The top of a file that stands beside something else is no definition.
      if (isTop && one !== node) continue;
      const [first, last] = isTop ? [1, linesIn(path)] : [one.lineno ?? 1, one.end_lineno ?? one.lineno ?? 1];
      if (first < start || Math.min(last, linesIn(path)) > end)
        left.push(`${quotedName(one.name)} (${shownLine(path, 200)}:${first}-${last})`);
    }
  if (left.length === 0) return [];
  const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : '';
  const way =
    maxLines < snippetLines.max
      ? `max_lines up to ${snippetLines.max} shows more.`
      : 'their files hold the rest.';
  return [`Not all lines are shown of ${left.slice(0, MOST_NAMED).join(', ')}${more}: ${way}`];
}
