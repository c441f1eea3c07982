import { z } from 'zod';
import { isA, type NodeRef } from '../../../runtime/index.js';
import { File } from '../../../schema/index.js';
import { firstLine } from '../../shown-text.js';
import type { FoundCode } from '../ranking/rank-code.js';
import type { CodeNode } from './found-nodes.js';
import { GraphContext } from './graph-context.js';

/** One file or symbol that a question is about (S1-22). */
export const SearchHit = z.object({
  /** Of what a perfect match would get, from 0 to 1. */
  score: z.number(),
  id: z.string(),
  /** Of a symbol its subkind or kind; `file`. */
  kind: z.string(),
  /** Absent for a file. */
  qualified_name: z.string().optional(),
  /** Root-relative. */
  file: z.string(),
  /** `12-40`. */
  lines: z.string(),
  signature: z.string().optional(),
  /** The first line of its docstring. */
  summary: z.string().optional(),
  /** What beside its words speaks for it. */
  why: z.array(z.string()).optional(),
  /** Null where it was left out: `state.cut` says so. */
  graph_context: GraphContext.nullable(),
});
/** See {@link SearchHit}. */
export type SearchHit = z.infer<typeof SearchHit>;

/** Characters of a docstring's first line. */
const SUMMARY = 120;

/** The row of something found. */
export function searchHit(node: CodeNode, { score, why }: FoundCode, graph_context: GraphContext): SearchHit {
  const { id, path: file } = node;
  const summary = firstLine(node.docstring ?? '', SUMMARY);
  const common = {
    ...(summary === '' ? {} : { summary }),
    ...(why.length > 0 ? { why: [...why] } : {}),
    graph_context,
  };
  const rounded = Math.round(score * 1000) / 1000;
  if (isFileRef(node))
    return { score: rounded, id, kind: 'file', file, lines: `1-${node.line_count ?? 1}`, ...common };
  const { kind, subkind, qualified_name, signature, start_line, end_line } = node;
  return {
    score: rounded,
    id,
    kind: subkind ?? kind,
    qualified_name,
    file,
    lines: `${start_line}-${end_line}`,
    ...(signature === '' ? {} : { signature }),
    ...common,
  };
}

function isFileRef(node: CodeNode): node is NodeRef<typeof File> {
  return isA(node.archetype, File);
}
