import type { EdgeType, Layer, NodeDraft, NodeType } from '../schema/index.js';
import type {
  AdjacencyEntry,
  EdgeAddress,
  HotNode,
  HotReader,
  IndexQuery,
  LayerCounts,
  NamedBlob,
  StoredEdge,
  StoredNode,
} from '../storage/index.js';
import { ROOT_ID, Root } from './builtin.js';
import type { Catalog } from './catalog.js';
import { grown } from './edge-changes.js';
import {
  addressKey,
  addressOf,
  EdgeElement,
  entryAddress,
  NodeElement,
  propsOf,
  replaceProps,
} from './element.js';
import { LiveNodes } from './live-nodes.js';
import { ReadLists } from './read-lists.js';
import type { EdgeRef, NodeRef } from './refs.js';
import type { ReadObserver, ViewSource } from './view-source.js';

type Props = Readonly<Record<string, unknown>>;

/** The layers of a graph in the order in which their edges are seen. */
export const LAYERS = ['derived', 'durable'] as const satisfies readonly Layer[];

/**
 * One run's view of stored elements: every node and edge is one live object per run, and what was read once
 * is not read again. Knows nothing of the run's own changes.
 */
export class View {
  /** The adjacency that was read. */
  readonly lists: ReadLists;
  readonly #source: ViewSource;
  readonly #catalog: Catalog;
  readonly #observer: ReadObserver | null;
  readonly #nodes = new LiveNodes();
  readonly #absent = new Set<string>();
  readonly #deleted = new Map<string, NodeRef>();
  readonly #types = new Map<string, string>();
  readonly #edges = new Map<string, EdgeRef>();
  #epoch = 0;

  constructor(source: ViewSource, catalog: Catalog, observer: ReadObserver | null) {
    this.#source = source;
    this.#catalog = catalog;
    this.#observer = observer;
    this.lists = new ReadLists(source, observer);
  }

  /** The node if it was loaded (or taken in) before. */
  known(id: string): NodeRef | undefined {
    return this.#nodes.get(id);
  }

  /** The archetype name of a node that a record or an entry has shown. */
  typeOf(id: string): string {
    return this.#nodes.archetypeOf(id)?.name ?? this.#types.get(id) ?? Root.name;
  }

  /** The archetype of a node that was loaded or taken in. */
  archetypeOf(id: string): NodeType | undefined {
    return this.#nodes.isGone(id) ? undefined : this.#nodes.archetypeOf(id);
  }

  /** Takes in a node that the run made. */
  adopt(ref: NodeRef): void {
    this.#nodes.set(ref);
    this.#absent.delete(ref.id);
  }

  /** Takes in a node that the run put: it becomes an object when it is asked for. */
  adoptDraft(id: string, draft: NodeDraft): void {
    this.#nodes.setDraft(id, draft);
    this.#absent.delete(id);
  }

  /** Lets go of a node whose deletion is committed: under its id another may come. */
  drop(id: string): void {
    this.#nodes.delete(id);
  }

  /** The edge if it was loaded (or taken in) before. */
  knownEdge(address: EdgeAddress): EdgeRef | undefined {
    return this.#edges.size === 0 ? undefined : this.#edges.get(addressKey(address));
  }

  /** Whether any edge was loaded, or taken in. */
  get hasEdges(): boolean {
    return this.#edges.size > 0;
  }

  /** Takes in an edge that the run made. */
  adoptEdge(ref: EdgeRef): void {
    this.#edges.set(addressKey(addressOf(ref)), ref);
  }

  /**
   * Loads nodes that are not known yet. With `types` (id to archetype name) only their layer is read, and a
   * node that is gone from it becomes a stub; without, both layers are asked and unknown ids stay unknown.
   */
  async load(ids: Iterable<string>, types?: ReadonlyMap<string, string>): Promise<void> {
    const wanted: Record<Layer, string[]> = { derived: [], durable: [] };
    const unsure: string[] = [];
    for (const id of ids) {
      if (id === ROOT_ID && !this.#nodes.has(id))
        this.#nodes.set(new NodeElement(id, Root, {}) as unknown as NodeRef);
      // What was not found by its id alone is a stub where an edge names it.
      if (this.#nodes.has(id) || (this.#absent.has(id) && !types?.has(id))) continue;
      this.#observer?.node(id);
      const type = types?.get(id);
      const layer = type === undefined ? undefined : this.#catalog.node(type)?.layer;
      if (layer) wanted[layer].push(id);
      else unsure.push(id);
    }
    await this.#loadFrom('derived', wanted.derived.concat(unsure));
    await this.#loadFrom('durable', wanted.durable.concat(unsure.filter((id) => !this.#nodes.has(id))));
    for (const id of wanted.derived.concat(wanted.durable, unsure)) {
      if (this.#nodes.has(id)) continue;
      const type = types?.get(id);
      if (type !== undefined) this.#nodes.set(this.#stub(id, type));
      else this.#absent.add(id);
    }
  }

  /** The version as it is kept in memory; null where the run may write. */
  hot(layer: Layer): HotReader | null {
    return this.#source.hot(layer);
  }

  /** Ids that an index lists, in pages. */
  find(layer: Layer, query: IndexQuery): AsyncIterable<readonly string[]> {
    this.#observer?.range(`${query.type}\0${query.property ?? ''}`);
    return this.#source.reader(layer).find(query);
  }

  /** Every stored node of a layer, in key order, in pages; not kept as live objects. */
  allNodes(layer: Layer): AsyncIterable<readonly StoredNode[]> {
    this.#observer?.range('');
    return wholeRecords(this.#source.reader(layer).allNodes(), this.#catalog, 'node');
  }

  /** Every stored edge of a layer with all its properties, in key order, in pages. */
  allEdges(layer: Layer): AsyncIterable<readonly StoredEdge[]> {
    this.#observer?.range('');
    return wholeRecords(this.#source.reader(layer).allEdges(), this.#catalog, 'edge');
  }

  /** How many there are of each archetype, of both layers. */
  async counts(): Promise<LayerCounts> {
    this.#observer?.range('');
    const of = await Promise.all(LAYERS.map((layer) => this.#source.reader(layer).counts()));
    const sum = (maps: readonly ReadonlyMap<string, number>[]) => new Map(maps.flatMap((map) => [...map]));
    return { nodes: sum(of.map(({ nodes }) => nodes)), edges: sum(of.map(({ edges }) => edges)) };
  }

  /** Bytes kept beside a layer, by name. */
  async blobs(names: readonly string[], layer: Layer): Promise<(Uint8Array | undefined)[]> {
    for (const name of names) this.#observer?.blob(layer, name);
    return this.#source.reader(layer).blobs(names);
  }

  /** Bytes kept beside a layer whose names start with a prefix, in pages, by name. No conflict is told of them. */
  blobsUnder(prefix: string, layer: Layer): AsyncIterable<readonly NamedBlob[]> {
    return this.#source.reader(layer).blobsUnder(prefix);
  }

  /**
   * The edges behind entries, with all their properties, in their order; undefined for one whose record is gone.
   * One round trip per layer at most.
   */
  async edges(wanted: readonly { node: string; entry: AdjacencyEntry }[]): Promise<(EdgeRef | undefined)[]> {
    const addresses = wanted.map(({ node, entry }) => entryAddress(node, entry));
    for (const { entry } of wanted) this.#types.set(entry.far, entry.farType);
    const keys = addresses.map(addressKey);
    const missing: Record<Layer, number[]> = { derived: [], durable: [] };
    for (const [i, { entry }] of wanted.entries()) {
      const key = keys[i] ?? '';
      if (this.#edges.has(key)) continue;
      const type = this.#catalog.edge(entry.edgeType);
      if (type && type.inline.length === Object.keys(type.shape).length) {
        this.#edges.set(
          key,
          this.#edgeRef(type, {
            ...(addresses[i] as StoredEdge),
            undirected: entry.undirected,
            props: entry.props,
          }),
        );
      } else missing[type?.layer ?? this.#layerOf(entry.edgeType)].push(i);
    }
    for (const layer of LAYERS) {
      const at = missing[layer];
      if (at.length === 0) continue;
      const reader = this.#source.hot(layer) ?? this.#source.reader(layer);
      const stored = await reader.edges(at.map((i) => addresses[i] as StoredEdge));
      for (const [n, i] of at.entries()) {
        const record = stored[n];
        if (record) this.#edges.set(keys[i] ?? '', this.#edgeRef(this.#edgeType(record), record));
      }
    }
    return keys.map((key) => this.#edges.get(key));
  }

  /** A stored node as the run's live object. */
  materialise(record: StoredNode, layer: Layer): NodeRef {
    const known = this.#nodes.get(record.id);
    if (known) return known;
    const type =
      this.#catalog.node(record.type) ??
      this.#catalog.bareNode(record.type, layer, Object.keys(record.props));
    const props = { ...this.#catalog.defaults(type), ...record.props };
    const ref = new NodeElement(record.id, type, props) as unknown as NodeRef;
    this.#nodes.set(ref);
    return ref;
  }

  /** Changes whenever what was read is forgotten. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Forgets what was read; live nodes stay. After a commit inside a run. */
  forgetReads(): void {
    this.#epoch++;
    this.lists.clear();
    this.#edges.clear();
    this.#absent.clear();
  }

  /** Forgets the live nodes too: what is loaded again is another object. */
  forgetNodes(): void {
    this.#nodes.clear();
    this.#types.clear();
    this.#deleted.clear();
  }

  /** Reads live nodes again that another run has changed: their objects stay and show the new values. */
  async refresh(ids: Iterable<string>): Promise<void> {
    const before = new Map<string, NodeRef>();
    for (const id of ids) {
      const ref = this.#nodes.get(id);
      this.#nodes.delete(id);
      if (ref) before.set(id, ref);
    }
    await this.load(before.keys());
    for (const [id, ref] of before) {
      const now = this.#nodes.get(id);
      if (now?.archetype !== ref.archetype) continue;
      replaceProps(ref, propsOf(now));
      this.#nodes.set(ref);
    }
  }

  /** The edge types that a hop along `edge` (null: any) has to look at, by layer. */
  hopTypes(edge: EdgeType | null, extra: ReadonlySet<string>): { layer: Layer; edgeType: string }[] {
    this.#observer?.edgeType(edge?.name ?? '');
    const wanted = edge === null ? null : new Set(this.#catalog.descendants(edge.name));
    return LAYERS.flatMap((layer) => {
      const here = [...extra].filter((name) => this.#catalog.edge(name)?.layer === layer);
      const names = new Set([...this.#source.edgeTypes(layer), ...here]);
      return [...names]
        .filter((name) => wanted === null || wanted.has(name))
        .map((edgeType) => ({ layer, edgeType }));
    });
  }

  /** The stub of a node that is not there: one that this run deleted, as an edge that stays on it sees it. */
  stubOf(id: string, typeName: string): NodeRef {
    return grown(this.#deleted, id, () => this.#stub(id, typeName));
  }

  async #loadFrom(layer: Layer, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const hot = this.#source.hot(layer);
    if (hot) {
      const answer = hot.nodes(ids);
      const records = answer instanceof Promise ? await answer : answer;
      for (const record of records) if (record) this.#show(record, layer);
      return;
    }
    const answer = this.#source.reader(layer).nodes(ids);
    const records = answer instanceof Promise ? await answer : answer;
    for (const record of records) if (record) this.materialise(record, layer);
  }

  /** A node from memory: runs that only read have one object of it in common, which cannot be changed. */
  #show(record: HotNode, layer: Layer): void {
    const { shown } = record;
    const isSame = shown instanceof NodeElement && shown.archetype === this.#catalog.node(record.type);
    if (isSame) this.#nodes.set(shown as unknown as NodeRef);
    else record.shown = Object.freeze(this.materialise(record, layer));
  }

  #stub(id: string, typeName: string): NodeRef {
    const type = this.#catalog.node(typeName) ?? this.#catalog.bareNode(typeName, 'derived', []);
    const stub = new NodeElement(id, type, this.#catalog.defaults(type));
    stub.gone = true;
    return stub as unknown as NodeRef;
  }

  #edgeRef(type: EdgeType, record: StoredEdge): EdgeRef {
    const props = { ...this.#catalog.defaults(type), ...record.props };
    return new EdgeElement(type, record, props) as unknown as EdgeRef;
  }

  #edgeType({ type, props }: StoredEdge): EdgeType {
    return this.#catalog.edge(type) ?? this.#catalog.bareEdge(type, this.#layerOf(type), Object.keys(props));
  }

  /** The layer of an edge type that is not loaded: the one that has it. */
  #layerOf(edgeType: string): Layer {
    return this.#source.edgeTypes('derived').includes(edgeType) ? 'derived' : 'durable';
  }
}

/**
 * Records with the fields that their archetype got since they were written, where it has a default for them: what was
 * written before a field existed is shown as what is written now.
 */
async function* wholeRecords<R extends StoredNode | StoredEdge>(
  pages: AsyncIterable<readonly R[]>,
  catalog: Catalog,
  kind: 'node' | 'edge',
): AsyncGenerator<readonly R[]> {
  for await (const page of pages)
    yield page.map((record) => {
      const type = catalog[kind](record.type);
      const props = type === undefined ? record.props : filled(type, catalog, record.props);
      return props === record.props ? record : { ...record, props };
    });
}

/** In the order of the schema; the same object where no field is missing. */
function filled(type: NodeType | EdgeType, catalog: Catalog, props: Props): Props {
  const defaults = catalog.defaults(type);
  if (Object.keys(defaults).every((field) => field in props)) return props;
  const fields = Object.keys(type.shape).filter((field) => field in props || field in defaults);
  return Object.fromEntries(fields.map((field) => [field, field in props ? props[field] : defaults[field]]));
}
