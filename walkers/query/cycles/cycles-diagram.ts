import type { Diagram } from '../../diagram/index.js';
import { type Caller, diagramNode } from '../parts/code-node.js';
import { type CycleType, closed } from './circular-dependency.js';
import type { Cycle } from './shortest-cycles.js';

/** What the arrows of each kind of circle are called. */
const ARROWS: Readonly<Record<CycleType, string>> = {
  imports: 'imports',
  calls: 'calls',
  inheritance: 'inherits',
};

/** Circles as one picture: each thing once, each step between two once. */
export function cyclesDiagram(
  cycles: readonly Cycle[],
  { title, nodes, kind }: { title: string; nodes: ReadonlyMap<string, Caller>; kind: CycleType },
): Diagram {
  const edges = new Map<string, Diagram['edges'][number]>();
  for (const cycle of cycles) {
    const path = closed(cycle);
    for (const [at, from] of cycle.entries()) {
      const to = path[at + 1] ?? from;
      edges.set(`${from}\n${to}`, { from, to, kind: ARROWS[kind] });
    }
  }
  return {
    title,
    nodes: [...new Set(cycles.flat())].flatMap((id) => {
      const node = nodes.get(id);
      return node ? [diagramNode(node)] : [];
    }),
    edges: [...edges.values()],
  };
}
