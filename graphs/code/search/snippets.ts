import { z } from 'zod';
import { stripHidden } from '../../../present/index.js';
import type { ReadContext } from '../../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../../schema/index.js';
import { SourceTexts } from '../source-texts.js';
import type { PackNode } from './records.js';

/** Lines of source, each behind its number (S2-30). */
export const Snippet = z.object({
  path: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  text: z.string(),
});
export type Snippet = z.infer<typeof Snippet>;

/** Characters of one line that are shown. */
const LONGEST_LINE = 400;

/** Reads snippets from the files of a project, each file once (S2-35), and never what lies outside its root (S2-34). */
export class Snippets {
  readonly #texts: SourceTexts;
  readonly #outside = new Set<string>();

  constructor(context: Pick<ReadContext, 'find' | 'projectRoot'>) {
    this.#texts = new SourceTexts(context);
  }

  /** Files that changed since they were indexed: nothing is shown of them. */
  get changed(): ReadonlySet<string> {
    return this.#texts.changed;
  }

  /** Files that lead out of the root: nothing is shown of them. */
  get outside(): ReadonlySet<string> {
    return this.#outside;
  }

  /** The lines of a file; null where it cannot be shown. */
  async linesOf(path: string): Promise<readonly string[] | null> {
    try {
      const lines = await this.#texts.linesOf(path);
      // Behind the last line end there is no line.
      return lines?.at(-1) === '' ? lines.slice(0, -1) : lines;
    } catch (error) {
      if (!(error instanceof CodewalkError) || error.code !== 'PATH_OUTSIDE_ROOT') throw error;
      this.#outside.add(path);
      return null;
    }
  }

  /** Some lines of a file; null where it cannot be shown. */
  async read({ path, start, end }: Omit<Snippet, 'text'>): Promise<Snippet | null> {
    const lines = (await this.linesOf(path))?.slice(start - 1, end) ?? [];
    return lines.length === 0
      ? null
      : { path, start, end: start + lines.length - 1, text: numbered(lines, start) };
  }
}

/** `   40: def connect_db(self):` */
function numbered(lines: readonly string[], start: number): string {
  return lines
    .map((line, at) => {
      const text = stripHidden(line.replace(/\r$/u, ''));
      const shown = text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
      return `${String(start + at).padStart(5)}: ${shown}`;
    })
    .join('\n');
}

/** A snippet with no more than its first lines. @param from The line to begin with, where it has that one. */
export function firstLines(snippet: Snippet, most: number, from = snippet.start): Snippet | null {
  const { start, end, text } = snippet;
  const first = from > start && from <= end ? from : start;
  const lines = text.split('\n').slice(first - start, first - start + most);
  return lines.length === 0
    ? null
    : { ...snippet, start: first, end: first + lines.length - 1, text: lines.join('\n') };
}

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
  const chosen: (SnippetSpan | { readonly node: PackNode; readonly path: null })[] = [];
  const inFile = new Map<string, number[]>();
  for (const node of nodes) {
    const span = spanOf(node, size, linesIn);
    const near = span ? (inFile.get(span.path) ?? []) : [];
    const touching = span ? near.filter((at) => touches(chosen[at], span)) : [];
    const [first] = touching;
    if (first !== undefined && span) {
      const grown = joined(chosen[first], span, size.maxLines);
      const alone = near.every((at) => at === first || !grown || !touches(chosen[at], grown));
      const before = chosen[first];
      if (before?.path === null || before === undefined) continue;
      const next = grown && alone ? grown : before;
      chosen[first] = { ...next, node: before.node, also: [...before.also, node.id] };
      continue;
    }
    if (chosen.length >= size.maxNodes) continue;
    chosen.push(span ?? { node, path: null });
    if (span) inFile.set(span.path, [...near, chosen.length - 1]);
  }
  return chosen;
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

type Chosen = SnippetSpan | { readonly path: null } | undefined;

function touches(one: Chosen, { start, end }: SnippetSpan): boolean {
  return (
    one !== undefined &&
    one.path !== null &&
    start <= one.end + snippetGap.max + 1 &&
    end >= one.start - snippetGap.max - 1
  );
}

/** Both as one; null where that is too long. */
function joined(one: Chosen, other: SnippetSpan, maxLines: number): SnippetSpan | null {
  if (one === undefined || one.path === null) return null;
  const [start, end] = [Math.min(one.start, other.start), Math.max(one.end, other.end)];
  return end - start + 1 > maxLines ? null : { ...one, start, end };
}
