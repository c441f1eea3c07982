import type { EdgeDraft, EdgeType, NodeDraft, PropsInput } from '../../runtime/index.js';
import { knownEdge } from '../../schema/index.js';

/** One edge that should be in the graph, between ids. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly edge: EdgeDraft;
}

/** A part of the code graph as it should be: what one file contributes, or what files share. */
export interface GraphPart {
  /** Each has an id. */
  readonly nodes: readonly NodeDraft[];
  /** Out-edges of the part's own nodes; unique per (type, from, to). */
  readonly links: readonly Link[];
}

/** A link, typed by its edge's archetype. */
export function link<E extends EdgeType>(from: string, type: E, to: string, props?: PropsInput<E>): Link {
  return { from, to, edge: knownEdge(type, props) };
}
