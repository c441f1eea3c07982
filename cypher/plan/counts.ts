import type { CypherGraph } from '../graph.js';
import type { Survey } from './survey.js';

/** How much there is of what a query names, about. */
export interface Counts {
  readonly nodes: ReadonlyMap<string | null, number>;
  readonly relationships: ReadonlyMap<string | null, number>;
}

/** Asks a graph once for all that planning a query may want to know. */
export async function countsFor(survey: Survey, graph: CypherGraph): Promise<Counts> {
  const nodes = new Map<string | null, number>();
  const relationships = new Map<string | null, number>();
  for (const label of [null, ...survey.labels]) nodes.set(label, await graph.countNodes(label));
  for (const type of [null, ...survey.types]) relationships.set(type, await graph.countRelationships(type));
  return { nodes, relationships };
}

/** Whether two graphs, or one at two times, lead to the same plan. */
export function isSameCounts(left: Counts, right: Counts): boolean {
  return isSame(left.nodes, right.nodes) && isSame(left.relationships, right.relationships);
}

function isSame(
  left: ReadonlyMap<string | null, number>,
  right: ReadonlyMap<string | null, number>,
): boolean {
  return left.size === right.size && [...left].every(([name, count]) => right.get(name) === count);
}
