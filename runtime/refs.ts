import type { EdgeType, NodeType, PropsOf } from '../schema/index.js';

/** What every node reference has beside its properties. (A type, not an interface: references fit open records.) */
export type NodeIdentity = {
  /** Readable and deterministic for code, time-sortable for what is created without an id. */
  readonly id: string;
  readonly archetype: NodeType;
  /** True for a stub: the node is gone from its layer, but edges of the other layer still end on it. */
  readonly gone?: true;
};

/** What every edge reference has beside its properties. */
export type EdgeIdentity = {
  readonly id: string;
  readonly archetype: EdgeType;
  /** Id of the stored source. */
  readonly from: string;
  /** Id of the stored target. */
  readonly to: string;
  readonly undirected: boolean;
};

/**
 * A node as a walker sees it: read-only properties and identity. One object per id and run, so equality of
 * references is identity; `ctx.set` changes what it shows. Read-only is a promise of the types: assigning to a
 * reference, or into a list that it holds, goes unnoticed at run time.
 */
export type NodeRef<T extends NodeType = NodeType> = NodeIdentity & Readonly<PropsOf<T>>;

/** An edge as a walker sees it; as {@link NodeRef}. */
export type EdgeRef<T extends EdgeType = EdgeType> = EdgeIdentity & Readonly<PropsOf<T>>;

/** Anything a walker can be at. */
export type Location = NodeRef | EdgeRef;

/** The reference type of an archetype: a node's or an edge's. */
export type RefOf<T> = T extends NodeType ? NodeRef<T> : T extends EdgeType ? EdgeRef<T> : never;

/** Whether a location is an edge. */
export function isEdgeRef(location: Location): location is EdgeRef {
  return location.archetype.element === 'edge';
}
