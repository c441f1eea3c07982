import { z } from 'zod';
import { compareText } from '../../../runtime/index.js';

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

/** The row of a circle. */
export function circularDependency(
  cycle_type: CycleType,
  cycle: Cycle,
  nameOf: (id: string) => string,
): CircularDependency {
  return { cycle_type, cycle_path: closed(cycle).map(nameOf), cycle_length: cycle.length };
}

/** The nodes of a circle and the first one again. */
export function closed(cycle: Cycle): string[] {
  return [...cycle, ...cycle.slice(0, 1)];
}

/** A circle in words: `A -> B -> A`. */
export function cycleText({ cycle_path }: Pick<CircularDependency, 'cycle_path'>): string {
  return cycle_path.join(' -> ');
}

/** A directed graph by ids: what each node leads to. A node that leads nowhere may be left out. */
type Links = ReadonlyMap<string, readonly string[]>;

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
        const seen = order.get(far);
        if (seen === undefined) path.push(enter(far));
        else if (isOpen.has(far)) lower(at.node, seen);
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
