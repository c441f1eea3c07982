import { check } from '../../cypher/check/index.js';
import type { CypherGraph, CypherValue } from '../../cypher/index.js';
import { parse } from '../../cypher/text/index.js';

export { MemoryGraph } from './memory-graph.js';
export { write } from './write.js';

/** Runs a query on a graph, as tests and the kit's adapter do: no limits but the engine's own. */
export async function read(
  text: string,
  _parameters: ReadonlyMap<string, CypherValue>,
  _graph: CypherGraph,
): Promise<{ columns: readonly string[]; rows: readonly (readonly CypherValue[])[] }> {
  check(parse(text), text);
  throw new Error('there is no engine yet');
}
