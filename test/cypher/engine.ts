import { type CypherGraph, type CypherValue, PreparedQuery, run } from '../../cypher/index.js';

export { CypherError, PreparedQuery, run, temporalText } from '../../cypher/index.js';
export { MemoryGraph } from './memory-graph.js';
export { write } from './write.js';

/** Runs a query on a graph, as tests and the kit's adapter do: no limits but the engine's own. */
export async function read(
  text: string,
  parameters: ReadonlyMap<string, CypherValue>,
  graph: CypherGraph,
): Promise<{ columns: readonly string[]; rows: readonly (readonly CypherValue[])[] }> {
  return run(new PreparedQuery(text), graph, { parameters });
}
