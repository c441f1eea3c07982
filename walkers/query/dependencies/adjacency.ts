import type { Dependencies } from './dependencies-of.js';

/**
 * The adjacency list of an answer (S0-33, S0-36): of what was asked about, and of each row that was followed, which of
 * these it depends on, all by qualified name. Rows that depend on none of them have no line.
 *
 * @param names Of all that the answer shows, by id.
 */
export function adjacencyOf(
  targets: readonly string[],
  followed: ReadonlyMap<string, Dependencies>,
  names: ReadonlyMap<string, string>,
): Record<string, string[]> {
  const graph = new Map<string, Set<string>>();
  for (const [id, { imports, calls }] of followed) {
    const name = names.get(id);
    const needed = [...imports, ...calls].flatMap((one) => names.get(one) ?? []);
    if (name === undefined || (needed.length === 0 && !targets.includes(id))) continue;
    const known = graph.get(name) ?? new Set();
    for (const one of needed) known.add(one);
    graph.set(name, known);
  }
  return Object.fromEntries([...graph].map(([name, needed]) => [name, [...needed]]));
}
