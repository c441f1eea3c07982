import { z } from 'zod';
import { type EdgeRef, type NodeRef, propsOf } from '../../../runtime/index.js';
import { PACK_KINDS } from '../../../schema/index.js';
import { type CodeEdge, CodeNode, codeEdge, codeNode } from './code-records.js';
import type { Reached } from './expand.js';
import type { PackRelation } from './relations.js';

/** A node as packs and `query_codebase` show it (S2-01, S2-26). */
export const PackNode = CodeNode.extend({
  /** Hops from the seed that it was reached from; 0 for a seed. */
  best_hop: z.number().int(),
  via_seed: z.string(),
  /** Of that seed: 0 is a perfect match, 1 none. */
  seed_distance: z.number(),
});
export type PackNode = z.infer<typeof PackNode>;

/** The row of a node; null for what packs do not show. @param distance Of its seed. */
export function packNode(node: NodeRef, { best_hop, via_seed }: Reached, distance: number): PackNode | null {
  const shown = codeNode({ id: node.id, type: node.archetype.name, props: propsOf(node) });
  return shown && { ...shown, best_hop, via_seed, seed_distance: distance };
}

/** The row of an edge. */
export function packEdge(rel: PackRelation, edge: EdgeRef): CodeEdge {
  return codeEdge(rel, edge.from, edge.to, edge);
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
