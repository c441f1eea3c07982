import { LIMITS } from '../../../schema/index.js';
import type { PackNode } from '../codebase/pack-rows.js';

const { snippetGap } = LIMITS;

/** A stretch of lines of a file that a pack shows, from 1, both ends included. */
export interface SnippetSpan {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly node: PackNode;
  /** Ids of further nodes that it shows, or a part of. */
  readonly also: readonly string[];
}

/** How long snippets are. */
export interface SnippetSize {
  /** Lines before and after a definition. */
  readonly context: number;
  readonly maxLines: number;
  /** Snippets at most, nodes without one included. */
  readonly maxNodes: number;
}

/**
 * What a pack shows, the best first (S2-31 to S2-33): nodes without lines show nothing, modules the top of their file.
 * One whose lines overlap those of a better one, or lie as near, is shown by it: it grows where it may.
 *
 * @param nodes The best first.
 * @param linesIn How many lines a file has.
 */
export function snippetSpans(
  nodes: readonly PackNode[],
  size: SnippetSize,
  linesIn: (path: string) => number,
): (SnippetSpan | { readonly node: PackNode; readonly path: null })[] {
  const kept: (SnippetSpan | { readonly node: PackNode; readonly path: null })[] = [];
  const inFile = new Map<string, number[]>();
  for (const node of nodes) {
    const span = spanOf(node, size, linesIn);
    const near = span ? (inFile.get(span.path) ?? []) : [];
    const touching = span ? near.filter((at) => touches(kept[at], span)) : [];
    const [first] = touching;
    if (first !== undefined && span) {
      const grown = joined(kept[first], span, size.maxLines);
      const alone = near.every((at) => at === first || !grown || !touches(kept[at], grown));
      const before = kept[first];
      if (before?.path === null || before === undefined) continue;
      const next = grown && alone ? grown : before;
      kept[first] = { ...next, node: before.node, also: [...before.also, node.id] };
      continue;
    }
    if (kept.length >= size.maxNodes) continue;
    kept.push(span ?? { node, path: null });
    if (span) inFile.set(span.path, [...near, kept.length - 1]);
  }
  return kept;
}

/** The lines of a definition, then as many around it as there is room for. */
function spanOf(
  node: PackNode,
  { context, maxLines }: SnippetSize,
  linesIn: (path: string) => number,
): SnippetSpan | null {
  const { module_path: path, kind, lineno, end_lineno } = node;
  if (path === null) return null;
  const last = linesIn(path);
  const isTop = kind === 'module' || lineno === null;
  const [first, wanted] = isTop ? [1, last] : [lineno, Math.min(last, end_lineno ?? lineno)];
  if (wanted < first) return null;
  const room = maxLines - (wanted - first + 1);
  if (room <= 0 || isTop)
    return { path, start: first, end: Math.min(wanted, first + maxLines - 1), node, also: [] };
  const after = Math.min(context, last - wanted, Math.max(Math.ceil(room / 2), room - (first - 1)));
  const before = Math.min(context, first - 1, room - after);
  return { path, start: first - before, end: wanted + after, node, also: [] };
}

type Kept = SnippetSpan | { readonly path: null } | undefined;

function touches(one: Kept, { start, end }: SnippetSpan): boolean {
  return (
    one !== undefined &&
    one.path !== null &&
    start <= one.end + snippetGap.max + 1 &&
    end >= one.start - snippetGap.max - 1
  );
}

/** Both as one; null where that is too long. */
function joined(one: Kept, other: SnippetSpan, maxLines: number): SnippetSpan | null {
  if (one === undefined || one.path === null) return null;
  const [start, end] = [Math.min(one.start, other.start), Math.max(one.end, other.end)];
  return end - start + 1 > maxLines ? null : { ...one, start, end };
}
