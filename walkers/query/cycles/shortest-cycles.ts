import { compareText } from '../../../runtime/index.js';
import { type Links, strongComponents } from './strong-components.js';

/** One circle: its nodes by id, each once, the smallest id first. Its length in hops is how many there are. */
export type Cycle = readonly string[];

/**
 * The circles that stand for all of a graph: for each link that lies on any circle, the shortest one through it; of
 * several as short, the one whose ids come first on the way. So every strongly connected component is there with its
 * shortest circle, every two nodes that need each other are a row, and no link of a circle is in none. Each once, the
 * shortest first, then by their ids.
 *
 * @param pause Waited for between nodes, where other work should have its turn.
 */
export async function shortestCycles(
  links: Links,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<Cycle[]> {
  const cycles = new Map<string, Cycle>();
  for (const component of strongComponents(links)) {
    const inside = new Set(component);
    const within = new Map(
      component.map((node) => [
        node,
        [...new Set(links.get(node))].filter((to) => inside.has(to)).sort(compareText),
      ]),
    );
    for (const node of component) {
      await pause();
      for (const cycle of cyclesFrom(node, within)) cycles.set(cycle.join('\n'), cycle);
    }
  }
  return [...cycles.values()].sort((a, b) => a.length - b.length || compareText(a.join('\n'), b.join('\n')));
}

/** For each link that leads to a node: the shortest circle through the two, found by breadth first search. */
function cyclesFrom(node: string, within: Links): Cycle[] {
  const before = new Map<string, string | null>([[node, null]]);
  const cycles: Cycle[] = [];
  for (const here of before.keys())
    for (const far of within.get(here) ?? []) {
      if (far === node) cycles.push(turned(wayTo(here, before)));
      else if (!before.has(far)) before.set(far, here);
    }
  return cycles;
}

function wayTo(end: string, before: ReadonlyMap<string, string | null>): string[] {
  const way: string[] = [];
  for (let at: string | null = end; at !== null; at = before.get(at) ?? null) way.push(at);
  return way.reverse();
}

/** The same circle from its smallest id on. */
function turned(nodes: readonly string[]): Cycle {
  const first = nodes.reduce(
    (least, node, at) => (compareText(node, nodes[least] ?? '') < 0 ? at : least),
    0,
  );
  return [...nodes.slice(first), ...nodes.slice(0, first)];
}
