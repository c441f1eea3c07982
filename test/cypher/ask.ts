import {
  type CypherResult,
  type CypherValue,
  PreparedQuery,
  type RunOptions,
  run,
} from '../../cypher/index.js';
import { MemoryGraph, read, write } from './engine.js';

/** A graph that queries like CREATE made, one after the other. */
export async function graphOf(...texts: readonly string[]): Promise<MemoryGraph> {
  const graph = new MemoryGraph();
  for (const text of texts) {
    await write(text, graph, (query, parameters) => read(query, parameters, graph));
  }
  return graph;
}

/** What a query answers, nodes by their `name`. */
export async function ask(
  graph: MemoryGraph,
  text: string,
  options: RunOptions = {},
): Promise<Omit<CypherResult, 'rows'> & { readonly rows: readonly unknown[][] }> {
  const result = await run(new PreparedQuery(text), graph, options);
  return { ...result, rows: result.rows.map((row) => row.map(shown)) };
}

export async function rowsOf(
  graph: MemoryGraph,
  text: string,
  parameters: Readonly<Record<string, CypherValue>> = {},
): Promise<readonly unknown[][]> {
  return (await ask(graph, text, { parameters: new Map(Object.entries(parameters)) })).rows;
}

/** Whole numbers as numbers, nodes by name, relationships by type, paths as the names of their nodes. */
function shown(value: CypherValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(shown);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, held]) => [key, shown(held)]));
  if (!('kind' in value)) return null;
  switch (value.kind) {
    case 'node':
      return value.property('name') ?? value.labels().join(':');
    case 'relationship':
      return value.type;
    case 'path':
      return value.nodes.map(shown).join('-');
  }
}
