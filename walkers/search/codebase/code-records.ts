import { z } from 'zod';
import { EvidenceProps, PACK_KINDS, type PackKind, packKind } from '../../../schema/index.js';
import { EDGES_OF, PACK_RELATIONS, type PackRelation } from './relations.js';

const line = z.number().int().nullable();
const KINDS = Object.keys(PACK_KINDS) as [PackKind, ...PackKind[]];

/** A kind of node as the library knows them (S2-03): `symbol` is a stub of what is not known. */
export const NodeKind = z.enum(KINDS);

/** A node as the library gives and takes it (S2-01). */
export const CodeNode = z.object({
  id: z.string(),
  kind: NodeKind,
  name: z.string(),
  qualname: z.string(),
  /** Relative to the root; null for a stub. */
  module_path: z.string().nullable(),
  lineno: line,
  end_lineno: line,
  docstring: z.string().nullable(),
});
export type CodeNode = Readonly<z.infer<typeof CodeNode>>;

/** An edge as the library gives and takes it (S2-02, S2-04). */
export const CodeEdge = z.object({
  src: z.string(),
  rel: z.enum(PACK_RELATIONS),
  dst: z.string(),
  /** Its first place. */
  evidence: z.object({ lineno: z.number().int(), expr: z.string() }),
});
export type CodeEdge = Readonly<z.infer<typeof CodeEdge>>;

/** A node or edge as it is stored, or as a run sees it. */
type Props = Readonly<Record<string, unknown>>;

const Text = z.string().nullish();
const Line = z.number().int().nullish();
const Shown = z.object({
  name: Text,
  qualified_name: Text,
  path: Text,
  start_line: Line,
  end_line: Line,
  line_count: Line,
  docstring: Text,
});

/** The record of a node, whatever it is; null for what the library's nodes are not. */
export function codeNode(node: {
  readonly id: string;
  readonly type: string;
  readonly props: Props;
}): CodeNode | null {
  const kind = packKind(node);
  if (kind === null) return null;
  const { name, qualified_name, path, docstring, ...lines } = Shown.parse(node.props);
  return {
    id: node.id,
    kind,
    name: name ?? '',
    qualname: qualified_name || path || name || node.id,
    module_path: path ?? null,
    lineno: kind === 'module' ? 1 : (lines.start_line ?? null),
    end_lineno: kind === 'module' ? (lines.line_count ?? null) : (lines.end_line ?? null),
    docstring: docstring ?? null,
  };
}

const Placed = z.object({ line: z.number().int(), evidence: z.array(EvidenceProps).default([]) });

/** The record of an edge of a relation. */
export function codeEdge(rel: PackRelation, src: string, dst: string, props: unknown): CodeEdge {
  const { line, evidence } = Placed.parse(props);
  const [first] = evidence;
  return { src, rel, dst, evidence: { lineno: first?.line ?? line, expr: first?.expression ?? '' } };
}

const RELATION_OF = new Map(
  PACK_RELATIONS.flatMap((rel) => EDGES_OF[rel].map(({ edge, topLevel }) => [edge.name, { rel, topLevel }])),
);

/** The relation that a stored edge is of; null for none: containment in a file is one step of nesting. */
export function relationOf(type: string, props: Props): PackRelation | null {
  const known = RELATION_OF.get(type);
  return known === undefined || (known.topLevel && props.top_level !== true) ? null : known.rel;
}
