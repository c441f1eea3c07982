import { z } from 'zod';
import { compareText } from '../../runtime/index.js';

/** What a circle is made of. */
export const CYCLE_TYPES = ['imports', 'calls', 'inheritance'] as const;
/** One of {@link CYCLE_TYPES}. */
export type CycleType = (typeof CYCLE_TYPES)[number];

/** Things that need each other (S0-31). */
export const CircularDependency = z.object({
  cycle_type: z.enum(CYCLE_TYPES),
  /** Qualified names; the first stands at the end again. */
  cycle_path: z.array(z.string()),
  /** Hops: 1 for what leads to itself. */
  cycle_length: z.number().int(),
});
export type CircularDependency = z.infer<typeof CircularDependency>;

/** One circle: its nodes by id, each once, the smallest id first. Its length in hops is how many there are. */
export type Cycle = readonly string[];

/** A directed graph by ids: what each node leads to. A node that leads nowhere may be left out. */
type Links = ReadonlyMap<string, readonly string[]>;

/** The row of a circle. */
export function circularDependency(
  cycle_type: CycleType,
  cycle: Cycle,
  nameOf: (id: string) => string,
): CircularDependency {
  const cycle_path = [...cycle, ...cycle.slice(0, 1)].map(nameOf);
  return { cycle_type, cycle_path, cycle_length: cycle.length };
}

/** The steps of a circle: each node with the next one, the last with the first. */
export function stepsOfCycle(cycle: Cycle): (readonly [from: string, to: string])[] {
  return cycle.map((from, at) => [from, cycle[(at + 1) % cycle.length] ?? from]);
}

/**
 * The strongly connected components that hold a circle: those of two nodes or more, and single nodes that lead to
 * themselves. Each sorted by id, the components by their first ids. Linear, and without recursion: a chain of calls may
 * be as long as a program.
 *
 * Source: Tarjan, Depth-first search and linear graph algorithms, 1972.
 */
export function strongComponents(links: Links): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found: string[][] = [];
  const enter = (node: string) => {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, next: 0 };
  };
  const lower = (node: string, to: number) => low.set(node, Math.min(low.get(node) ?? to, to));
  for (const root of links.keys()) {
    if (order.has(root)) continue;
    const path = [enter(root)];
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const far = links.get(at.node)?.[at.next++];
      if (far !== undefined) {
        const visited = order.get(far);
        if (visited === undefined) path.push(enter(far));
        else if (isOpen.has(far)) lower(at.node, visited);
        continue;
      }
      path.pop();
      const { node } = at;
      const before = path.at(-1);
      if (before) lower(before.node, low.get(node) ?? 0);
      if (low.get(node) !== order.get(node)) continue;
      const component = open.splice(open.lastIndexOf(node));
      for (const one of component) isOpen.delete(one);
      if (component.length > 1 || links.get(node)?.includes(node)) found.push(component.sort(compareText));
    }
  }
  return found.sort((a, b) => compareText(a[0] ?? '', b[0] ?? ''));
}

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
  const cycles: Cycle[] = [];
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
      cycles.push(...cyclesFrom(node, within));
    }
  }
  return sortedCycles(cycles);
}

/** Circles, each once: the shortest first, then by their ids. */
export function sortedCycles(cycles: readonly Cycle[]): Cycle[] {
  const each = new Map(cycles.map((cycle) => [cycle.join('\n'), cycle]));
  return [...each]
    .sort(([a, x], [b, y]) => x.length - y.length || compareText(a, b))
    .map(([, cycle]) => cycle);
}

/** For each link that leads to a node: the shortest circle through the two, found by breadth first search. */
function cyclesFrom(node: string, within: Links): Cycle[] {
  const before = new Map<string, string | null>([[node, null]]);
  const cycles: Cycle[] = [];
  for (const here of before.keys())
    for (const far of within.get(here) ?? []) {
      if (far !== node && !before.has(far)) before.set(far, here);
      if (far !== node) continue;
      const way: string[] = [];
      for (let at: string | null = here; at !== null; at = before.get(at) ?? null) way.unshift(at);
      // From its smallest id on.
      const first = way.indexOf(way.reduce((least, one) => (compareText(one, least) < 0 ? one : least)));
      cycles.push([...way.slice(first), ...way.slice(0, first)]);
    }
  return cycles;
}
