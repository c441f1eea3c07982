import {
  CodewalkError,
  type EdgeDraft,
  type EdgeType,
  isA,
  type NodeDraft,
  type NodeType,
  type PropsInput,
  type PropsOf,
  parseProps,
} from '../schema/index.js';
import type { LayerUnit } from '../storage/index.js';
import { GenericEdge, ROOT_ID } from './builtin.js';
import type { Catalog } from './catalog.js';
import { EdgeChange } from './edge-changes.js';
import { addressOf, EdgeElement, NodeElement, propsOf, replaceProps, toStoredNode } from './element.js';
import { isLocation, locationsOf, notALocation } from './locations.js';
import { type NodeBefore, Overlay } from './overlay.js';
import type { Where } from './path.js';
import { holdsAll } from './predicate.js';
import { Reading } from './reading.js';
import { type EdgeRef, isEdgeRef, type NodeRef } from './refs.js';
import type { View } from './view.js';

/** A node as an edge at it needs it. */
type End = Pick<NodeRef, 'id' | 'archetype'>;

/** A node, by reference or as a draft that becomes one. */
export type NodeLike = NodeRef | NodeDraft;

/** The reference that a node or draft becomes. */
export type Connected<T> =
  T extends NodeDraft<infer N> ? NodeRef<N> : T extends readonly (infer I)[] ? Connected<I>[] : T;

/** An edge's archetype (with every field defaulted) or a draft with its properties. */
export type EdgeLike = EdgeType | EdgeDraft;

/** How a connect is made. */
export interface ConnectOptions {
  /** One edge that counts in every direction from both ends. Default false. */
  undirected?: boolean;
}

/** How a disconnect chooses. */
export interface DisconnectOptions<E extends EdgeType = EdgeType> {
  /** Default: any type. */
  edge?: E;
  where?: Where<PropsOf<E>>;
  /** Seen from the first argument. Default `out`. */
  direction?: 'out' | 'in' | 'any';
}

const NO_OPTIONS: ConnectOptions = {};

/** Makes ids for nodes that are created without one: unique and sortable by time. */
export type IdSource = () => string;

/** Reads and changes of one run, committed as one atomic batch or not at all. */
export class Transaction extends Reading {
  readonly #catalog: Catalog;
  readonly #ids: IdSource;

  constructor(view: View, catalog: Catalog, ids: IdSource, writable: boolean) {
    super(view, catalog, writable ? new Overlay((id) => view.typeOf(id)) : null);
    this.#catalog = catalog;
    this.#ids = ids;
  }

  /** Creates a node from a draft; one with an id that exists already is replaced (an upsert). */
  async create<T extends NodeType>(draft: NodeDraft<T>): Promise<NodeRef<T>> {
    return (await this.createAll([draft]))[0] as NodeRef<T>;
  }

  /** As {@link Transaction.create}, many in one round trip. */
  async createAll<T extends NodeType>(drafts: readonly NodeDraft<T>[]): Promise<NodeRef<T>[]> {
    const overlay = this.requireWritable();
    await this.view.load(drafts.flatMap(({ id }) => (id === undefined ? [] : [id])));
    const refs: NodeRef<T>[] = [];
    for (const draft of drafts) {
      this.#catalog.add(draft.archetype);
      const id = draft.id ?? this.#ids();
      const stored = this.isDeleted(id) ? undefined : this.view.known(id);
      const known = stored?.gone ? undefined : stored;
      if (known?.archetype === draft.archetype) {
        this.#change(overlay, known, draft.props);
        refs.push(known as NodeRef<T>);
        continue;
      }
      // Neighbours' adjacency entries hold the archetype's name: a changed one is written to all of them.
      const edges = known ? await this.q(id).any().edges() : [];
      const ref = new NodeElement(id, draft.archetype, draft.props) as unknown as NodeRef<T>;
      overlay.touch(id, known && beforeOf(known), ref);
      this.view.adopt(ref);
      for (const edge of edges) overlay.put(edge, true);
      refs.push(ref);
    }
    return refs;
  }

  /**
   * As {@link Transaction.createAll}, for bulk writers: no references are made, and what was put is kept as it was given,
   * so its drafts must not be changed any more.
   */
  async putAll(drafts: readonly NodeDraft[]): Promise<void> {
    const overlay = this.requireWritable();
    await this.view.load(drafts.flatMap(({ id }) => (id === undefined ? [] : [id])));
    const known: NodeDraft[] = [];
    for (const draft of drafts) {
      const id = draft.id ?? this.#ids();
      if (this.view.archetypeOf(id) !== undefined) {
        known.push(draft);
        continue;
      }
      this.#catalog.add(draft.archetype);
      overlay.touch(id, undefined, draft);
      this.view.adoptDraft(id, draft);
    }
    if (known.length > 0) await this.createAll(known);
  }

  /** Takes in the nodes of a unit that goes with the next commit: links may lead to them. */
  noteUnit({ nodes }: Pick<LayerUnit, 'nodes'>): void {
    this.requireWritable();
    for (const draft of nodes) {
      this.#catalog.add(draft.archetype);
      this.view.adoptDraft(draft.id ?? '', draft);
    }
  }

  /**
   * Makes single edges between the nodes with these ids: what bulk writers use. A link of which an end is not in the
   * graph is left out. What was linked is kept as it was given, so its drafts must not be changed any more. One round
   * trip per layer for ends that the run does not know.
   */
  async linkAll(links: readonly { from: string; to: string; edge: EdgeDraft }[]): Promise<void> {
    const overlay = this.requireWritable();
    const unknown = new Set<string>();
    for (const { from, to } of links) {
      if (this.view.archetypeOf(from) === undefined) unknown.add(from);
      if (this.view.archetypeOf(to) === undefined) unknown.add(to);
    }
    if (unknown.size > 0) await this.view.load(unknown);
    for (const { from, to, edge } of links) {
      const source = this.view.archetypeOf(from);
      const target = this.view.archetypeOf(to);
      if (source === undefined || target === undefined) continue;
      this.#catalog.add(edge.archetype);
      this.#link(overlay, { id: from, archetype: source }, { id: to, archetype: target }, edge, NO_OPTIONS);
    }
  }

  /**
   * Makes single edges between nodes that exist or were just created, each as its draft says. Nothing is read.
   */
  connectAll(links: readonly { from: NodeRef; to: NodeRef; edge: EdgeDraft }[]): void {
    const overlay = this.requireWritable();
    for (const { from, to, edge } of links) {
      this.#catalog.add(edge.archetype);
      this.#link(overlay, nodeIn(from), nodeIn(to), ownDraft(edge), NO_OPTIONS);
    }
  }

  /**
   * Connects nodes: the cross product of both sides, left-major, one new edge each. Answers with the right
   * operand, drafts turned into nodes.
   */
  async connect<R extends NodeLike | readonly NodeLike[]>(
    left: NodeLike | readonly NodeLike[],
    right: R,
    edge: EdgeLike = GenericEdge,
    options: ConnectOptions = {},
  ): Promise<Connected<R>> {
    const overlay = this.requireWritable();
    const sources = await this.#realise(left);
    const targets = await this.#realise(right);
    const draft = 'draft' in edge && edge.draft === 'edge' ? ownDraft(edge) : emptyEdge(edge as EdgeType);
    this.#catalog.add(draft.archetype);
    for (const from of sources) for (const to of targets) this.#link(overlay, from, to, draft, options);
    return (Array.isArray(right) ? targets : targets[0]) as Connected<R>;
  }

  /** Removes the edges between every pair that fit. True when something was removed. */
  async disconnect<E extends EdgeType = EdgeType>(
    left: NodeRef | readonly NodeRef[],
    right: NodeRef | readonly NodeRef[],
    { edge, where, direction = 'out' }: DisconnectOptions<E> = {},
  ): Promise<boolean> {
    const overlay = this.requireWritable();
    const targets = new Set(locationsOf(right, 'disconnect').map(({ id }) => id));
    let removed = false;
    for (const from of locationsOf(left, 'disconnect')) {
      const path = this.q(from.id)[direction](edge, where).edges();
      for (const ref of await path) {
        const far = ref.from === from.id ? ref.to : ref.from;
        if (!targets.has(far)) continue;
        overlay.remove(ref);
        removed = true;
      }
    }
    return removed;
  }

  /**
   * Deletes edges, or nodes with their edges. Edges of the durable layer on a node of the derived layer stay:
   * re-indexing never detaches a trace (ruling X-34).
   */
  async del(target: NodeRef | EdgeRef | readonly (NodeRef | EdgeRef)[]): Promise<void> {
    const overlay = this.requireWritable();
    for (const item of locationsOf(target, 'delete')) {
      if (isEdgeRef(item)) {
        overlay.remove(item);
        continue;
      }
      if (item.id === ROOT_ID) throw new CodewalkError('INVALID_INPUT', 'the root cannot be deleted');
      if (this.isDeleted(item.id)) continue;
      const path = this.q(item).any().edges();
      for (const edge of await path) {
        if (edge.archetype.layer === 'durable' && item.archetype.layer === 'derived') continue;
        overlay.remove(edge);
      }
      overlay.touch(item.id, beforeOf(item), undefined);
    }
  }

  /**
   * Changes properties. The reference shows the new values at once; equal values change nothing.
   *
   * @throws CodewalkError `INVALID_INPUT` when the result does not fit the archetype.
   */
  set<T extends NodeType | EdgeType>(
    ref: (T extends NodeType ? NodeRef<T> : EdgeRef) | NodeRef | EdgeRef,
    patch: Partial<PropsInput<T>>,
  ): void {
    const overlay = this.requireWritable();
    const { name, schema } = ref.archetype;
    this.#change(overlay, ref, parseProps(name, schema, { ...propsOf(ref), ...patch }));
  }

  /** Gives a reference these properties and no others. */
  #change(overlay: Overlay, ref: NodeRef | EdgeRef, props: Readonly<Record<string, unknown>>): void {
    if (samePropsOf(propsOf(ref), props)) return;
    const before = isEdgeRef(ref) ? undefined : beforeOf(ref);
    replaceProps(ref, props);
    if (isEdgeRef(ref)) {
      if (!overlay.isRemoved(ref)) overlay.put(ref, isStored(overlay, ref));
    } else if (!this.isDeleted(ref.id)) overlay.touch(ref.id, before, ref);
  }

  #link(overlay: Overlay, from: End, to: End, draft: EdgeDraft, options: ConnectOptions): void {
    checkEnds(draft.archetype, from, to);
    this.#requireThere(from.id);
    this.#requireThere(to.id);
    const { archetype, props } = draft;
    const undirected = options.undirected ?? false;
    const isCreation = archetype.order === 'creation';
    if (!undirected && (isCreation || (overlay.isUnseen && !this.view.hasEdges))) {
      overlay.add(EdgeChange.drafted(draft, from.id, to.id, isCreation ? overlay.nextSeq() : 0));
      return;
    }
    if (isCreation) {
      const address = { from: from.id, to: to.id, undirected, seq: overlay.nextSeq() };
      overlay.add(EdgeChange.of(new EdgeElement(archetype, address, props) as unknown as EdgeRef, false));
      return;
    }
    const address = { type: archetype.name, from: from.id, to: to.id, seq: 0 };
    const known = overlay.edges.find(address)?.ref ?? this.view.knownEdge(address);
    if (known?.archetype === archetype && known.undirected === undirected) {
      replaceProps(known, props);
      overlay.put(known, isStored(overlay, known));
      return;
    }
    const ref = new EdgeElement(archetype, { ...address, undirected }, props) as unknown as EdgeRef;
    overlay.put(ref, false);
    if (known) this.view.adoptEdge(ref);
  }

  #requireThere(id: string): void {
    if (this.isDeleted(id))
      throw new CodewalkError('NODE_NOT_FOUND', `cannot connect '${id}': it was deleted in this run`);
  }

  async #realise(nodes: NodeLike | readonly NodeLike[]): Promise<NodeRef[]> {
    const refs: NodeRef[] = [];
    for (const node of listOf<NodeLike | null | undefined>(nodes)) {
      if (node === undefined || node === null) continue;
      refs.push(isDraft(node) ? await this.create(node) : nodeIn(node));
    }
    return refs;
  }

  /**
   * What the run changed so far.
   *
   * @throws CodewalkError `READ_ONLY` where it may not change anything.
   */
  requireWritable(): Overlay {
    this.requireOpen();
    if (this.changes) return this.changes;
    throw new CodewalkError('READ_ONLY', 'this run may only read the graph', {
      suggestion: "Declare access: 'write' (or 'steps') on the walker.",
    });
  }
}

function isDraft(node: unknown): node is NodeDraft {
  return isObject(node) && 'draft' in node && node.draft === 'node';
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** What edges can end on. */
function nodeIn(value: unknown): NodeRef {
  if (isLocation(value) && !isEdgeRef(value)) return value;
  throw notALocation(value, 'connect');
}

function beforeOf(ref: NodeRef): NodeBefore {
  return { record: toStoredNode(ref), layer: ref.archetype.layer };
}

function isStored(overlay: Overlay, ref: EdgeRef): boolean {
  return overlay.edges.find(addressOf(ref))?.stored ?? true;
}

/** What the caller does to its draft afterwards is not done to the edge. */
function ownDraft(draft: EdgeDraft): EdgeDraft {
  return { ...draft, props: { ...draft.props } };
}

function emptyEdge(type: EdgeType): EdgeDraft {
  return {
    draft: 'edge',
    archetype: type,
    props: parseProps(type.name, type.schema, {}) as EdgeDraft['props'],
  };
}

function samePropsOf(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(b);
  return (
    keys.length === Object.keys(a).length &&
    holdsAll(
      keys.map((field) => ({ field, op: 'eq', value: b[field] })),
      a,
    )
  );
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

/** @throws CodewalkError `INVALID_INPUT` when a type's edges cannot join these nodes. */
function checkEnds(type: EdgeType, from: End, to: End): void {
  checkEnd(type, 'from', from);
  checkEnd(type, 'to', to);
}

function checkEnd(type: EdgeType, end: 'from' | 'to', { id, archetype }: End): void {
  const wanted = type[end];
  if (wanted === null || isA(archetype, wanted)) return;
  throw new CodewalkError(
    'INVALID_INPUT',
    `${type.name} cannot have '${id}' (${archetype.name}) as '${end}'`,
    {
      suggestion: `Its '${end}' end must be a ${wanted.name}.`,
    },
  );
}
