import { createHash } from 'node:crypto';
import type { EdgeDraft, EdgeType, NodeDraft, NodeType, PropsInput } from '../../../runtime/index.js';
import { knownEdge } from '../../../schema/index.js';

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

/**
 * A digest of a part's content, clocks left out: equal digests mean an equal part. SHA-1, for speed and size;
 * nothing here is a secret.
 */
export function digestOf({ nodes, links }: GraphPart): string {
  const content = [
    nodes.map(({ id, archetype, props }) => [id, archetype.name, stableProps(archetype, props)]),
    links.map(({ from, to, edge }) => [from, edge.archetype.name, to, edge.props]),
  ];
  return createHash('sha1').update(JSON.stringify(content)).digest('hex');
}

function stableProps({ volatile }: NodeType, props: NodeDraft['props']): object {
  if (volatile.length === 0) return props;
  return Object.fromEntries(Object.entries(props).filter(([field]) => !volatile.includes(field)));
}
