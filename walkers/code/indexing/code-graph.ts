import { createHash } from 'node:crypto';
import type { EdgeDraft, EdgeType, NodeDraft, PropsInput } from '../../../runtime/index.js';

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
export function link<E extends EdgeType>(
  from: string,
  type: E & ((props?: PropsInput<E>) => EdgeDraft),
  to: string,
  props?: PropsInput<E>,
): Link {
  return { from, to, edge: type(props) };
}

/**
 * A digest of a part's content, clocks left out: equal digests mean an equal part. SHA-1, for speed and size;
 * nothing here is a secret.
 */
export function digestOf({ nodes, links }: GraphPart): string {
  const hash = createHash('sha1');
  for (const { id, archetype, props } of nodes) {
    const stable = Object.entries(props).filter(([field]) => !archetype.volatile.includes(field));
    hash.update(JSON.stringify([id, archetype.name, stable]));
  }
  for (const { from, to, edge } of links)
    hash.update(JSON.stringify([from, edge.archetype.name, to, edge.props]));
  return hash.digest('hex');
}
