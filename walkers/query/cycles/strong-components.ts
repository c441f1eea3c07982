import { compareText } from '../../../runtime/index.js';

/** A directed graph by ids: what each node leads to. A node that leads nowhere may be left out. */
export type Links = ReadonlyMap<string, readonly string[]>;

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
