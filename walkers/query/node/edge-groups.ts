import { z } from 'zod';
import { compareText, type EdgeRef, type ReadContext } from '../../../runtime/index.js';
import { LIMITS } from '../../../schema/index.js';
import { preferredName } from '../cypher/edge-names.js';

const { nodeEdges } = LIMITS;

/** The edges of one node that have one type and direction. */
export const EdgeGroup = z.object({
  /** As exports call it: `CALLS`. */
  type: z.string(),
  /** `both`: undirected. */
  direction: z.enum(['out', 'in', 'both']),
  count: z.number().int(),
  /** The ids at the other end of the first of them. */
  first: z.array(z.string()),
});
/** See {@link EdgeGroup}. */
export type EdgeGroup = z.infer<typeof EdgeGroup>;

/** The edges of a node by type and direction: those that leave it first, then by type. One to itself counts in both directions. */
export async function edgeGroupsOf({ q }: Pick<ReadContext, 'q'>, id: string): Promise<EdgeGroup[]> {
  const groups = new Map<string, EdgeGroup>();
  const add = (edge: EdgeRef, direction: EdgeGroup['direction'], far: string): void => {
    const type = preferredName(edge.archetype.name);
    const key = `${direction} ${type}`;
    const group = groups.get(key) ?? { type, direction, count: 0, first: [] };
    groups.set(key, group);
    group.count++;
    if (group.first.length < nodeEdges.max) group.first.push(far);
  };
  const farOf = ({ from, to }: EdgeRef) => (from === id ? to : from);
  for (const edge of await q(id).out().edges()) add(edge, edge.undirected ? 'both' : 'out', farOf(edge));
  for (const edge of await q(id).in().edges()) if (!edge.undirected) add(edge, 'in', edge.from);
  const rank = { out: 0, both: 1, in: 2 };
  return [...groups.values()].sort(
    (a, b) => rank[a.direction] - rank[b.direction] || compareText(a.type, b.type),
  );
}
