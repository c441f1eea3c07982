import type { Diagram } from '../../diagram/index.js';
import type { CallRef } from '../parts/calls.js';
import { type Caller, diagramNode } from '../parts/code-node.js';

/** A call graph as boxes with an arrow for each call, which says how it is written. */
export function callGraphDiagram(
  entry: string,
  nodes: readonly Caller[],
  calls: readonly CallRef[],
): Diagram {
  return {
    title: `Call graph of ${entry}`,
    nodes: nodes.map(diagramNode),
    edges: calls.map(({ from, to, call_type }) => ({ from, to, kind: call_type })),
  };
}
