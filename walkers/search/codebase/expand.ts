import type { EdgeRef, ReadContext } from '../../../runtime/index.js';
import { append, parseId } from '../../../schema/index.js';
import { EDGES_OF, type PackRelation } from './relations.js';

/** How an expansion came by a node (S2-18). */
export interface Reached {
  /** Hops from the nearest seed; 0 for a seed. */
  readonly best_hop: number;
  /** The seed: of several as near the one that comes first. */
  readonly via_seed: string;
}

/** What an expansion reached. */
export interface Expansion {
  /** By id, in the order in which they were reached. */
  readonly reached: ReadonlyMap<string, Reached>;
  /** Whether more than `most` were there. */
  readonly isCut: boolean;
}

/**
 * Breadth first from seeds over relations, both ways, to what packs show (S2-18, S2-25). Where a stub is reached it ends:
 * two that call an unknown `get` have nothing to do with each other.
 *
 * @param seeds Ids, the best first.
 * @param most Nodes that are reached at most.
 */
export async function expand(
  { q }: Pick<ReadContext, 'q'>,
  seeds: readonly string[],
  {
    hop,
    rels,
    most,
  }: { readonly hop: number; readonly rels: readonly PackRelation[]; readonly most: number },
): Promise<Expansion> {
  const reached = new Map<string, Reached>(seeds.map((id) => [id, { best_hop: 0, via_seed: id }]));
  let frontier = [...reached.keys()];
  for (let best_hop = 1; best_hop <= hop && frontier.length > 0; best_hop++) {
    const near = new Map<string, string[]>();
    const note = (from: string, to: string) => {
      append(near, from, to);
    };
    for (const path of pathsOf(q, frontier, rels)) {
      for (const { from, to } of await path.out.edges()) note(from, to);
      for (const { from, to } of await path.in.edges()) note(to, from);
    }
    const next: string[] = [];
    for (const id of frontier) {
      const via_seed = reached.get(id)?.via_seed ?? id;
      for (const far of (near.get(id) ?? []).sort()) {
        if (reached.has(far) || !isShown(far)) continue;
        if (reached.size >= most) return { reached, isCut: true };
        reached.set(far, { best_hop, via_seed });
        if (!isStub(far)) next.push(far);
      }
    }
    frontier = next;
  }
  return { reached, isCut: false };
}

/** The edges of some relations with both ends among some nodes (S2-17), with the relation that each stands for. */
export async function edgesWithin(
  { q }: Pick<ReadContext, 'q'>,
  ids: readonly string[],
  rels: readonly PackRelation[],
): Promise<{ readonly rel: PackRelation; readonly edge: EdgeRef }[]> {
  const inside = new Set(ids);
  const found: { rel: PackRelation; edge: EdgeRef }[] = [];
  for (const rel of rels)
    for (const { out } of pathsOf(q, ids, [rel]))
      for (const edge of await out.edges()) if (inside.has(edge.to)) found.push({ rel, edge });
  return found;
}

/** Forms of ids that packs may show (S2-03): a stub stands in for what is not known. */
const SHOWN: ReadonlySet<string> = new Set(['file', 'cls', 'fn', 'm', 'route', 'test', 'sym']);

function isShown(id: string): boolean {
  return SHOWN.has(parseId(id)?.form ?? '');
}

function isStub(id: string): boolean {
  return parseId(id)?.form === 'sym';
}

function pathsOf(q: ReadContext['q'], ids: readonly string[], rels: readonly PackRelation[]) {
  return rels.flatMap((rel) =>
    EDGES_OF[rel].map(({ edge, topLevel }) => {
      const where = topLevel ? { top_level: true } : undefined;
      return { out: q(ids).out(edge, where), in: q(ids).in(edge, where) };
    }),
  );
}
