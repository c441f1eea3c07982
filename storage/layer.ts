import type { EdgeDraft, EdgeType, Layer, NodeDraft, NodeType } from '../schema/index.js';
import type { Awaitable, Pause } from './kv.js';

/** A node as it is stored: its archetype's name, its id and its properties. */
export interface StoredNode {
  readonly id: string;
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
}

/** An edge as it is stored, with every property. */
export interface StoredEdge {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  /** Creation order within its layer for `creation` types; 0 for canonical ones. */
  readonly seq: number;
  readonly undirected: boolean;
  readonly props: Readonly<Record<string, unknown>>;
}

/** `out`: the edges that leave a node; `in`: those that reach it. An undirected edge is in both, at both ends. */
export type Direction = 'out' | 'in';

/**
 * One edge as one end's packed adjacency record shows it: enough for ordering and filtering without another read.
 * Stored entries read their record when asked (getters): copy the properties by name, do not spread an entry.
 */
export interface AdjacencyEntry {
  readonly edgeType: string;
  /** The id of the node at the other end. */
  readonly far: string;
  /** The archetype name of the node at the other end. */
  readonly farType: string;
  /** Whether the far node is the edge's stored target (always true in `out` records of directed edges). */
  readonly outgoing: boolean;
  readonly undirected: boolean;
  readonly seq: number;
  /** The inline properties of the edge's archetype. */
  readonly props: Readonly<Record<string, unknown>>;
}

/** The adjacency that is asked for: the edges of one type at one node in one direction. */
export interface AdjacencyRequest {
  readonly node: string;
  readonly direction: Direction;
  readonly edgeType: string;
}

/** The name of one edge: what a caller needs to read, change or delete it. */
export interface EdgeAddress {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly seq: number;
}

/** A look-up in a secondary index: nodes of the archetype (and its descendants) whose property fits. */
export interface IndexQuery {
  /** Archetype name; the whole lineage below it is searched. */
  readonly type: string;
  /**
   * An indexed property, or another index of the archetype (see `NodeType.indexes`), of which the first property is
   * asked about; null lists all nodes of the archetype in id order.
   */
  readonly property: string | null;
  /** Equality. Exclusive with the bounds. */
  readonly equals?: string | number | boolean;
  /**
   * With `equals`: whatever has no text that ends in the last two parts of this may be left out. A node's texts are its
   * name in its id, and what is indexed of it; parts end at a dot, a slash or a colon.
   */
  readonly ending?: string;
  /** Values starting with this. */
  readonly prefix?: string;
  readonly gte?: string | number;
  readonly lt?: string | number;
  /** The last by (value, id) first. Default false. */
  readonly reverse?: boolean;
  readonly limit?: number;
}

/** Bytes under a name. */
export interface NamedBlob {
  readonly name: string;
  readonly value: Uint8Array;
}

/** How many nodes each archetype has, and how many edges each type: by name, those without any left out. */
export interface LayerCounts {
  readonly nodes: ReadonlyMap<string, number>;
  readonly edges: ReadonlyMap<string, number>;
}

/** What is read of a layer, or of one version of it. One call is one round trip per dependent read it needs. */
export interface LayerReader {
  /** The nodes of many ids, in their order; undefined where there is none. One round trip. */
  nodes(ids: readonly string[]): Awaitable<(StoredNode | undefined)[]>;
  /** The entries of many adjacency records, each in its type's order. One round trip; two where a hub is among them. */
  adjacency(requests: readonly AdjacencyRequest[]): Awaitable<(readonly AdjacencyEntry[])[]>;
  /** Edges with all their properties. One round trip. */
  edges(addresses: readonly EdgeAddress[]): Awaitable<(StoredEdge | undefined)[]>;
  /** Ids found by an index, by (value, id), in pages. */
  find(query: IndexQuery): AsyncIterable<readonly string[]>;
  /** Every node in key order, in pages. */
  allNodes(): AsyncIterable<readonly StoredNode[]>;
  /** Every edge with all its properties, in key order, in pages. */
  allEdges(): AsyncIterable<readonly StoredEdge[]>;
  /** How many there are of each archetype, ancestors not counted in. */
  counts(): Awaitable<LayerCounts>;
  /** A record that is not of the graph (extracts, marks): opaque bytes under a name. One round trip. */
  blobs(names: readonly string[]): Awaitable<(Uint8Array | undefined)[]>;
  /** Names of blobs that start with a prefix, in byte order. */
  blobNames(prefix: string): AsyncIterable<readonly string[]>;
  /** The same with their bytes. */
  blobsUnder(prefix: string): AsyncIterable<readonly NamedBlob[]>;
}

/** One hop along adjacency of which only the far ids are wanted. */
export interface HotHop {
  readonly edgeTypes: readonly string[];
  readonly directions: readonly Direction[];
  /** The order in which a node's edges are seen where it has some of several types, or in both directions. */
  readonly order: (a: AdjacencyEntry, b: AdjacencyEntry) => number;
  /** Whether far nodes of an archetype are kept; null: all. */
  readonly far: ((archetype: string) => boolean) | null;
}

/** A node that is kept in memory. */
export interface HotNode extends StoredNode {
  /** What a reader made of it, for the next one. */
  shown: unknown;
}

/**
 * Reads one version of a layer and keeps in memory what it has read: what is there costs no round trip. What is kept is
 * shared by all versions, follows commits, and is let go when nobody asks (docs/internals/architecture.md). For runs that only
 * read: what it gives is shared, and what properties hold is frozen.
 */
export interface HotReader extends Pick<LayerReader, 'adjacency' | 'edges'> {
  /** As {@link LayerReader.nodes}. */
  nodes(ids: readonly string[]): Awaitable<(HotNode | undefined)[]>;
  /**
   * The ids of all nodes that an equality finds, by id; a few others may be among them. Undefined where it cannot be
   * told from memory.
   */
  find(query: IndexQuery): readonly string[] | undefined;
  /**
   * The edges of many nodes, per node in the order of the hop. A promise or undefined as in {@link HotReader.reach}.
   */
  entries(
    ids: readonly string[],
    hop: Omit<HotHop, 'far'>,
  ): (readonly AdjacencyEntry[])[] | Promise<unknown> | undefined;
  /**
   * The ids that a chain of hops reaches, each once, in the order of the frontier and of each node's edges. A promise
   * where something has to be waited for: ask again when it is over, of what reads the version then. Undefined where
   * it cannot be told from memory.
   */
  reach(origin: readonly string[], hops: readonly HotHop[]): readonly string[] | Promise<unknown> | undefined;
}

/** A pinned version of a layer. */
export interface LayerSnapshot extends LayerReader {
  readonly hot: HotReader;
  close(): Promise<void>;
}

/** An edge of a unit: one of the nodes of its owner to any node. It is not seen while that node is not there. */
export interface UnitLink {
  readonly from: string;
  readonly to: string;
  readonly edge: EdgeDraft;
}

/** All that a layer holds of one owner, in the place of what it held: of the code graph, a file's part. */
export interface LayerUnit {
  /** The id of a node that the owner has, or had: it says whose nodes these are. */
  readonly id: string;
  /** Each has an id of that owner. None, and no links: the owner is gone. */
  readonly nodes: readonly NodeDraft[];
  readonly links: readonly UnitLink[];
  /** Whether an edge to a node stays that is not of the unit. */
  readonly keeps: (to: string) => boolean;
}

/** Bytes that are kept beside a layer under a name; undefined removes them. */
export interface LayerBlob {
  readonly name: string;
  readonly value: Uint8Array | undefined;
}

/** Looks at what is kept beside a layer, and says what of it is to be another; null: the layer is not wanted. */
export type ChangeBlobs = (blobs: LayerReader['blobs']) => Promise<readonly LayerBlob[] | null>;

/** What one commit changes. Within it, ids and edge addresses are unique; of directed canonical edges the last counts. */
export interface LayerChanges {
  /** `after: undefined` deletes; its edges must be among `removedEdges`. `before` is what the run had read; storage
   * looks at what is stored instead. */
  readonly nodes: readonly { id: string; before: StoredNode | undefined; after: StoredNode | undefined }[];
  /**
   * New edges, or ones that replace the properties of the existing one of their address. When a node changes its
   * archetype, its edges have to be here again: adjacency entries name the archetype of their far end.
   */
  readonly edges: readonly StoredEdge[];
  readonly removedEdges: readonly EdgeAddress[];
  /** Archetype names of the far ends that are not among `nodes`: needed in the adjacency entries. */
  readonly typeOf: (id: string) => string;
  readonly blobs?: readonly LayerBlob[];
  /** Of the derived layer alone. Other changes of their owners count besides. */
  readonly units?: Iterable<LayerUnit>;
}

/** What the layer must know of archetypes to encode, order and index them. */
export interface ArchetypeCatalog {
  node(name: string): NodeType | undefined;
  edge(name: string): EdgeType | undefined;
  /** Names of the archetypes that are `name` or inherit from it. */
  descendants(name: string): readonly string[];
}

/** How a layer commits. */
export interface LayerCommitOptions {
  /** Wait until it is on disk. Default false: it survives the death of the process, not of the machine. */
  readonly sync?: boolean;
  /** Lets others have their turn while a large commit is prepared. Default: nobody. */
  readonly pause?: Pause;
  /** Called right before the store changes: until then whoever reads the layer reads what was. May be called twice. */
  readonly beforeWrite?: () => void;
}

/** One layer of a graph over one ordered key-value store. */
export interface LayerStore extends LayerReader {
  readonly layer: Layer;
  /** Of the newest version. */
  readonly hot: HotReader;
  /** What was damaged of all that was read since it was opened, and left out: ids of nodes, or what else tells it. */
  readonly damaged: ReadonlySet<string>;
  /** Counts commits; kept in the store. */
  readonly revision: number;
  /** Names of the edge types that were ever written here: what an untyped hop has to look at. */
  edgeTypes(): readonly string[];
  /** The next creation number; a commit stores how far it came. */
  nextSeq(): number;
  /** Records, adjacency and indexes in one atomic batch. Rejects with `KEY_COLLISION` handled inside (re-salted). */
  commit(changes: LayerChanges, options?: LayerCommitOptions): Promise<void>;
  snapshot(): LayerSnapshot;
  /**
   * Fills the layer, to which nothing was ever committed, with what the store of the same layer in another folder holds
   * (see `KeyValueStore.fillFrom`). What is damaged there is not taken. Of the derived layer alone.
   *
   * @param beforeWrite As in {@link LayerCommitOptions}.
   */
  fillFrom?(folder: string, change: ChangeBlobs, beforeWrite: () => void): Promise<boolean>;
  /** Empties the layer (the salt and the type table included). */
  clear(): Promise<void>;
  sizeOnDisk(): Promise<number>;
  close(): Promise<void>;
}
