import type { ReadContext } from '../../../runtime/index.js';
import { shownQuery } from '../question/shown-query.js';
import { type AroundQuery, type AroundSeeds, edgesAmong } from './around-seeds.js';
import type { CodeEdge } from './code-records.js';
import type { PackNode } from './pack-rows.js';
import type { PackRelation } from './relations.js';

/** What an answer says of the code around a text (S2-26). */
interface AroundAnswer<N extends PackNode> {
  readonly query: string;
  readonly seeds: number;
  readonly expanded_nodes: number;
  readonly returned_nodes: number;
  readonly hop: number;
  rels: PackRelation[];
  nodes: N[];
  edges: CodeEdge[];
  notes: string[];
}

/**
 * What lies around seeds as an answer with some of its nodes, and the edges between these.
 *
 * @param nodes Those that are shown, the best first.
 */
export async function aroundAnswer<N extends PackNode>(
  context: Pick<ReadContext, 'q'>,
  { q, hop, rels }: Pick<AroundQuery, 'q' | 'hop' | 'rels'>,
  around: AroundSeeds,
  nodes: N[],
): Promise<AroundAnswer<N>> {
  return {
    query: shownQuery(q),
    seeds: around.seeds,
    expanded_nodes: around.expanded,
    returned_nodes: nodes.length,
    hop,
    rels: [...rels],
    nodes,
    edges: await edgesAmong(context, nodes, rels),
    notes: [...around.notes],
  };
}
