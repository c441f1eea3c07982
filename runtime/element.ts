import type { EdgeType, NodeType } from '../schema/index.js';
import type { AdjacencyEntry, EdgeAddress, StoredEdge, StoredNode } from '../storage/index.js';
import type { EdgeRef, NodeRef } from './refs.js';

type Props = Record<string, unknown>;

/** The live object behind every {@link NodeRef}: what the transaction changes and the walker reads. */
export class NodeElement {
  readonly id: string;
  readonly archetype: NodeType;
  declare gone?: true;

  constructor(id: string, archetype: NodeType, props: Readonly<Props>) {
    this.id = id;
    this.archetype = archetype;
    Object.assign(this, props);
  }
}

/** The live object behind every {@link EdgeRef}. Its creation number is provisional until it is committed. */
export class EdgeElement {
  readonly archetype: EdgeType;
  readonly from: string;
  readonly to: string;
  readonly undirected: boolean;
  #seq: number;

  constructor(
    archetype: EdgeType,
    address: { from: string; to: string; undirected: boolean; seq: number },
    props: Readonly<Props>,
  ) {
    this.archetype = archetype;
    this.from = address.from;
    this.to = address.to;
    this.undirected = address.undirected;
    this.#seq = address.seq;
    Object.assign(this, props);
  }

  /** The creation number of an edge; 0 for canonical ones. Static, so that a field can have any name. */
  static seqOf(ref: EdgeRef): number {
    return #seq in ref ? ref.#seq : 0;
  }

  /** Gives an edge the creation number that its commit has for it. */
  static number(ref: EdgeRef, seq: number): void {
    if (#seq in ref) ref.#seq = seq;
  }

  get id(): string {
    return edgeId({ type: this.archetype.name, from: this.from, to: this.to, seq: this.#seq });
  }
}

/** The readable id of an edge: `Calls(fn:a.ts:f>fn:b.ts:g)`, with `#seq` where parallel edges can stand. */
export function edgeId({ type, from, to, seq }: EdgeAddress): string {
  return `${type}(${from}>${to})${seq === 0 ? '' : `#${seq}`}`;
}

/** The address of an edge reference. */
export function addressOf(ref: EdgeRef): EdgeAddress {
  return { type: ref.archetype.name, from: ref.from, to: ref.to, seq: EdgeElement.seqOf(ref) };
}

/** One string per edge address, for maps. */
export function addressKey({ type, from, to, seq }: EdgeAddress): string {
  return `${type}\0${from}\0${to}\0${seq}`;
}

/** The address of the edge behind an adjacency entry of `node`. */
export function entryAddress(node: string, entry: AdjacencyEntry): EdgeAddress {
  const { edgeType: type, far, seq } = entry;
  return entry.outgoing ? { type, from: node, to: far, seq } : { type, from: far, to: node, seq };
}

/** The properties that a reference shows now, without its identity. */
export function propsOf(ref: NodeRef | EdgeRef): Props {
  const props: Props = {};
  for (const field of Object.keys(ref.archetype.shape)) {
    const value = (ref as Props)[field];
    if (value !== undefined) props[field] = value;
  }
  return props;
}

/** One property that a reference shows now; undefined where it has none, or its archetype knows no such one. */
export function propOf(ref: NodeRef | EdgeRef, field: string): unknown {
  return Object.hasOwn(ref.archetype.shape, field) ? (ref as Props)[field] : undefined;
}

/** One object per element and run: what replaces it changes what its reference shows. */
export function replaceProps(ref: NodeRef | EdgeRef, props: Readonly<Record<string, unknown>>): void {
  for (const field of Object.keys(ref.archetype.shape))
    if (!(field in props)) Reflect.deleteProperty(ref, field);
  Object.assign(ref, props);
}

/** A node reference as a record. */
export function toStoredNode(ref: NodeRef): StoredNode {
  return { id: ref.id, type: ref.archetype.name, props: propsOf(ref) };
}

/** An edge reference as a record. */
export function toStoredEdge(ref: EdgeRef, seq: number): StoredEdge {
  return {
    type: ref.archetype.name,
    from: ref.from,
    to: ref.to,
    seq,
    undirected: ref.undirected,
    props: propsOf(ref),
  };
}
