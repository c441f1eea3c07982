import { z } from 'zod';
import { type EdgeRef, type NodeRef, propsOf } from '../../../runtime/index.js';
import { EvidenceProps, PACK_KINDS, type PackKind, packKind } from '../../../schema/index.js';
import type { Reached } from './expand.js';
import { PACK_RELATIONS, type PackRelation } from './relations.js';

const line = z.number().int().nullable();
const KINDS = Object.keys(PACK_KINDS) as [PackKind, ...PackKind[]];

/** A node as packs and `query_codebase` show it (S2-01, S2-26). */
export const PackNode = z.object({
  id: z.string(),
  kind: z.enum(KINDS),
  name: z.string(),
  qualname: z.string(),
  /** Null for a stub. */
  module_path: z.string().nullable(),
  lineno: line,
  end_lineno: line,
  docstring: z.string().nullable(),
  /** Hops from the seed that it was reached from; 0 for a seed. */
  best_hop: z.number().int(),
  via_seed: z.string(),
  /** Of that seed: 0 is a perfect match, 1 none. */
  seed_distance: z.number(),
});
/** See {@link PackNode}. */
export type PackNode = z.infer<typeof PackNode>;

/** An edge between two of them (S2-02). */
export const PackEdge = z.object({
  src: z.string(),
  rel: z.enum(PACK_RELATIONS),
  dst: z.string(),
  /** Its first place. */
  evidence: z.object({ lineno: z.number().int(), expr: z.string() }),
});
/** See {@link PackEdge}. */
export type PackEdge = z.infer<typeof PackEdge>;

const Text = z.string().nullish();
const Line = z.number().int().nullish();
/** What rows read of nodes, whatever they are. */
const Shown = z.object({
  name: Text,
  qualified_name: Text,
  path: Text,
  start_line: Line,
  end_line: Line,
  line_count: Line,
  docstring: Text,
});

/** The row of a node; null for what packs do not show. @param distance Of its seed. */
export function packNode(node: NodeRef, { best_hop, via_seed }: Reached, distance: number): PackNode | null {
  const record = { id: node.id, type: node.archetype.name, props: propsOf(node) };
  const kind = packKind(record);
  if (kind === null) return null;
  const { name, qualified_name, path, docstring, ...lines } = Shown.parse(record.props);
  return {
    id: node.id,
    kind,
    name: name ?? '',
    qualname: qualified_name || path || name || node.id,
    module_path: path ?? null,
    lineno: kind === 'module' ? 1 : (lines.start_line ?? null),
    end_lineno: kind === 'module' ? (lines.line_count ?? null) : (lines.end_line ?? null),
    docstring: docstring ?? null,
    best_hop,
    via_seed,
    seed_distance: distance,
  };
}

const Placed = z.object({ line: z.number().int(), evidence: z.array(EvidenceProps).default([]) });

/** The row of an edge. */
export function packEdge(rel: PackRelation, edge: EdgeRef): PackEdge {
  const { line, evidence } = Placed.parse(edge);
  const [first] = evidence;
  return {
    src: edge.from,
    rel,
    dst: edge.to,
    evidence: { lineno: first?.line ?? line, expr: first?.expression ?? '' },
  };
}

/** The order of a pack (S2-27): hops, the seed's distance, kind, id. */
export function byRank(a: PackNode, b: PackNode): number {
  return (
    a.best_hop - b.best_hop ||
    a.seed_distance - b.seed_distance ||
    PACK_KINDS[a.kind] - PACK_KINDS[b.kind] ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}
