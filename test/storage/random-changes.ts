import type { StoredEdge } from '../../storage/index.js';
import { CATALOG } from './catalog.js';
import { changes, edge, fn, type Model, nameOf } from './model.js';

/** A commit that a run could make: writes, replacements and deletes with the edges that go with them. */
export function randomChanges(
  random: () => number,
  model: Model,
  ids: readonly string[],
  types: readonly string[],
  nextSeq: () => number,
) {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const touched = new Set(Array.from({ length: 3 }, () => one(ids)));
  const removed = new Map<string, StoredEdge>();
  const nodes = [...touched].map((id) => {
    const stored = model.nodes.get(id);
    if (stored === undefined || random() < 0.6)
      return {
        id,
        before: stored,
        after: fn(id, { name: one(['x', 'y', id]), ...(random() < 0.5 ? { line: 1 } : {}) }),
      };
    for (const [name, found] of model.edges)
      if (found.from === id || found.to === id) removed.set(name, found);
    return { id, before: stored, after: undefined };
  });
  const gone = new Set(nodes.filter(({ after }) => after === undefined).map(({ id }) => id));
  for (const [name, found] of model.edges) if (random() < 0.05) removed.set(name, found);
  const edges = new Map<string, StoredEdge>();
  for (const [name, found] of model.edges) {
    if (random() < 0.05 && !removed.has(name))
      edges.set(name, { ...found, props: propsOf(found.type, random), undirected: random() < 0.25 });
  }
  for (let at = 0; at < 12; at += 1) {
    const type = one(types);
    const [from, to] = [one(ids), one(ids)];
    if (gone.has(from) || gone.has(to)) continue;
    const creation = CATALOG.edge(type)?.order === 'creation';
    const stored = edge(type, from, to, propsOf(type, random), {
      seq: creation ? nextSeq() : 0,
      undirected: random() < 0.25,
    });
    if (!removed.has(nameOf(stored))) edges.set(nameOf(stored), stored);
  }
  return changes({ nodes, edges: [...edges.values()], removedEdges: [...removed.values()] });
}

function propsOf(type: string, random: () => number): Record<string, unknown> {
  const line = Math.floor(random() * 300);
  if (type === 'Knows') return { weight: line };
  if (type === 'Said') return { text: `t${line}`, mood: line % 2 === 0 ? null : 'glad' };
  if (type === 'Calls')
    return { line, ...(line % 3 === 0 ? { column: 7 } : {}), ...(line % 5 === 0 ? { how: 'exact' } : {}) };
  return type === 'Refers' ? { line, note: 'n' } : {};
}
