import type { Diagram } from '../../diagram/index.js';
import type { GraphEdge } from '../parts/call-edge.js';
import { type Caller, diagramNode } from '../parts/code-node.js';

/** A call graph as boxes with an arrow for each call, which says how it is written. */
export function callGraphDiagram(
  entry: string,
  nodes: readonly Caller[],
  calls: readonly GraphEdge[],
): Diagram {
  return {
    title: `Call graph of ${entry}`,
    nodes: nodes.map(diagramNode),
    edges: calls.map(({ from, to, call_type, may }) => ({ from, to, kind: may ? 'may' : call_type })),
  };
}
