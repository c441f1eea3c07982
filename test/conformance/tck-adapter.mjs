// Runs openCypher's compatibility kit on the engine over a small graph in memory (test/cypher/memory-graph.ts).
import { engineFromSource } from '../cypher/engine-from-source.mjs';

const { MemoryGraph, read, temporalText, write } = await engineFromSource();

export const name = 'codewalk';
export const numberMode = 'typed';

/** A session of the kit: a graph of its own. */
export async function open() {
  const graph = new MemoryGraph();
  return {
    setup: (text) => write(text, graph, (query, parameters) => read(query, parameters, graph)),
    async run(text, given) {
      const parameters = new Map(Object.entries(given).map(([key, value]) => [key, taken(value)]));
      try {
        const { columns, rows } = await read(text, parameters, graph);
        return { columns, rows: rows.map((row) => row.map(shown)) };
      } catch (error) {
        throw Object.assign(new Error(error.message), {
          code: error.fault?.kind ?? `not ours: ${error.stack}`,
          phase: error.fault?.phase,
          detail: error.fault?.detail,
        });
      }
    },
    snapshot: async () => graph.snapshot(),
    async close() {},
  };
}

/** A parameter of the kit as the engine has it. */
function taken(value) {
  if (Array.isArray(value)) return value.map(taken);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, held]) => [key, taken(held)]));
}

/** A value of the engine as the kit has it. */
function shown(value) {
  if (Array.isArray(value)) return value.map(shown);
  if (value instanceof Map) return shownMap(value);
  switch (value?.kind) {
    case 'node':
      return {
        $type: 'node',
        id: value.id,
        labels: [...value.labels()],
        properties: shownMap(value.properties()),
      };
    case 'relationship':
      return {
        $type: 'relationship',
        id: value.id,
        type: value.type,
        start: value.start.id,
        end: value.end.id,
        properties: shownMap(value.properties()),
      };
    case 'path':
      return { $type: 'path', nodes: value.nodes.map(shown), relationships: value.relationships.map(shown) };
    case undefined:
      return value;
    default:
      return { $type: value.kind, value: temporalText(value) };
  }
}

function shownMap(map) {
  return Object.fromEntries([...map].map(([key, value]) => [key, shown(value)]));
}
