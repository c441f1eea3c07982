import {
  CodewalkError,
  type EdgeType,
  isA,
  type Layer,
  type NodeType,
  type PropsOf,
} from '../schema/index.js';
import {
  type AdjacencyEntry,
  type Awaitable,
  compareIds,
  type IndexQuery,
  type LayerCounts,
  type NamedBlob,
  type StoredEdge,
  type StoredNode,
} from '../storage/index.js';
import type { Catalog } from './catalog.js';
import { addressOf } from './element.js';
import {
  distinctEdges,
  entriesOf,
  farRef,
  type HopStep,
  loadEdges,
  loadFar,
  type PathScope,
  walkIds,
  walkPath,
} from './evaluate.js';
import { isNodeDraft } from './live-nodes.js';
import type { Overlay } from './overlay.js';
import {
  type HopDirection,
  type Origin,
  originIds,
  type PathData,
  type PathEvaluator,
  PathExpression,
  type Predicate,
  predicates,
  type Where,
} from './path.js';
import { holdsAll } from './predicate.js';
import type { ReadKind } from './read-ahead.js';
import { type EdgeRef, isEdgeRef, type Location, type NodeRef } from './refs.js';
import type { View } from './view.js';

/** A look-up of nodes by archetype and properties. */
interface FindQuery {
  readonly type: NodeType;
  readonly predicates: readonly Predicate[];
}

/**
 * What one run reads: a consistent version of the graph, with the run's own changes where it may make any.
 * References work the same in abilities and in plain functions.
 */
export class Reading implements PathEvaluator {
  /** What the run changed and has not committed; null where it may not change anything. */
  readonly changes: Overlay | null;
  readonly view: View;
  readonly #scope: PathScope;
  #over = false;

  constructor(view: View, catalog: Catalog, changes: Overlay | null) {
    this.view = view;
    this.changes = changes;
    this.#scope = { view, overlay: changes, catalog };
  }

  /** Ends it: from now on its methods throw, and so do path expressions that were made in it. */
  close(): void {
    this.#over = true;
  }

  /** @throws CodewalkError `STORE_CLOSED` when it is over. */
  protected requireOpen(): void {
    if (!this.#over) return;
    throw new CodewalkError('STORE_CLOSED', 'the transaction is over: it can do nothing any more', {
      suggestion: 'Await everything inside its callback.',
    });
  }

  /** A path expression from one node or several. */
  q(origin: Origin): PathExpression {
    this.requireOpen();
    return new PathExpression(this, { origin: originIds(origin), hops: [], edges: false, slice: null });
  }

  async node(id: string): Promise<NodeRef | undefined> {
    return (await this.nodes([id]))[0];
  }

  /** The nodes with these ids, in order, undefined where there is none. One round trip per layer. */
  async nodes(ids: readonly string[]): Promise<(NodeRef | undefined)[]> {
    this.requireOpen();
    await this.view.load(ids);
    return ids.map((id) => (this.isDeleted(id) ? undefined : this.view.known(id)));
  }

  /**
   * The nodes of one archetype with these ids, in order. Where there is none, or one of another archetype: a stub
   * with `gone: true`, on which edges of the other layer can end. One round trip.
   */
  async nodesOf<T extends NodeType>(type: T, ids: readonly string[]): Promise<NodeRef<T>[]> {
    this.requireOpen();
    await this.view.load(ids, new Map(ids.map((id) => [id, type.name])));
    const found = ids.map((id) => {
      const known = this.isDeleted(id) ? undefined : this.view.known(id);
      return known && isA(known.archetype, type) ? known : this.view.stubOf(id, type.name);
    });
    return found as NodeRef<T>[];
  }

  /**
   * The nodes of an archetype (and its descendants) that fit, by id. An equality on an indexed property is
   * one index range; anything else looks at every node of the archetype.
   */
  async find<T extends NodeType>(type: T, where?: Where<PropsOf<T>>): Promise<NodeRef<T>[]> {
    this.requireOpen();
    const query: FindQuery = { type, predicates: predicates(where) };
    const found = await findNodes(this.view, this.changes, query);
    return found as NodeRef<T>[];
  }

  /**
   * Ids by an index, in its order, in pages: one that is read no further costs no more. Of what is stored: the run's own
   * changes are not among them.
   *
   * @param index One of the archetype's `indexes`; a range is about its first property.
   */
  lookUp(
    type: NodeType,
    index: string,
    query: Omit<IndexQuery, 'type' | 'property'> = {},
  ): AsyncIterable<readonly string[]> {
    this.requireOpen();
    return this.view.find(type.layer, { ...query, type: type.name, property: index });
  }

  /** As {@link Reading.find}, ids only: where the whole archetype is asked for, no node is read. */
  async findIds(type: NodeType): Promise<string[]> {
    this.requireOpen();
    return findIds(this.view, this.changes, type);
  }

  async evaluateNodes(path: PathData): Promise<NodeRef[]> {
    this.requireOpen();
    if (path.hops.length === 0) {
      const nodes = await this.nodes(path.origin);
      return sliced(
        nodes.filter((node) => node !== undefined),
        path,
      );
    }
    return sliced(await loadFar(this.#scope, await walkPath(this.#scope, path)), path);
  }

  async evaluateEdges(path: PathData): Promise<EdgeRef[]> {
    this.requireOpen();
    const steps = await walkPath(this.#scope, path);
    if (this.changes) await this.view.load(steps.map(({ node }) => node));
    const edges = await loadEdges(this.#scope, distinctEdges(steps));
    return sliced(
      edges.filter((edge) => edge !== undefined),
      path,
    );
  }

  async evaluateIds(path: PathData): Promise<string[]> {
    this.requireOpen();
    return sliced(await walkIds(this.#scope, path.origin, path.hops), path);
  }

  /** The edges of a path, each with the far node of its hop: what visiting edges queues. */
  async evaluatePairs(path: PathData): Promise<{ edge: EdgeRef; far: NodeRef }[]> {
    const steps = distinctEdges(await walkPath(this.#scope, path));
    await loadFar(this.#scope, steps);
    const pairs: { edge: EdgeRef; far: NodeRef }[] = [];
    for (const [i, edge] of (await loadEdges(this.#scope, steps)).entries()) {
      const entry = steps[i]?.entry;
      const far = entry && farRef(this.#scope, entry.far, entry.farType);
      if (edge && far) pairs.push({ edge, far });
    }
    return sliced(pairs, path);
  }

  /** This run's own objects for references that may be of another run; those that are gone stay as they are. */
  async live(given: readonly Location[]): Promise<Location[]> {
    const foreign = given.filter((item) => !isEdgeRef(item) && this.view.known(item.id) !== item);
    if (foreign.length > 0)
      await this.view.load(
        foreign.map(({ id }) => id),
        new Map(foreign.map(({ id, archetype }) => [id, archetype.name])),
      );
    const live: Location[] = [];
    for (const item of given) live.push((await this.#own(item)) ?? item);
    return live;
  }

  async #own(item: Location): Promise<Location | undefined> {
    if (!isEdgeRef(item)) {
      const node = this.isDeleted(item.id) ? undefined : this.view.known(item.id);
      return node?.gone ? undefined : node;
    }
    if (this.view.knownEdge(addressOf(item)) === item) return item;
    const edges = await this.q(item.from).out(item.archetype).edges();
    return edges.find(({ id }) => id === item.id);
  }

  /** Evaluates a path for many origins at once, so that evaluating it for each of them reads nothing. */
  async readAhead(path: PathData, origins: readonly string[], kind: ReadKind): Promise<void> {
    const all = path.origin.concat(origins);
    if (kind === 'ids') return void (await walkIds(this.#scope, all, path.hops));
    const steps = await walkPath(this.#scope, { ...path, origin: all });
    if (kind !== 'nodes') await loadEdges(this.#scope, distinctEdges(steps));
    if (kind !== 'edges') await loadFar(this.#scope, steps);
  }

  /** Every stored node of a layer, in key order, in pages of plain records: for exports and counts. */
  storedNodes(layer: Layer): AsyncIterable<readonly StoredNode[]> {
    this.requireOpen();
    return this.view.allNodes(layer);
  }

  /** Every stored edge of a layer with all its properties, in key order, in pages of plain records. */
  storedEdges(layer: Layer): AsyncIterable<readonly StoredEdge[]> {
    this.requireOpen();
    return this.view.allEdges(layer);
  }

  /**
   * The edges of many nodes as their adjacency shows them, for engines: per node, in the order in which a hop of a path
   * sees them (`any`: an undirected edge and a self loop once). At once where it can be told without a wait.
   *
   * @param edge Edges of this type and its descendants; null: of any type.
   * @example
   * const entries = await ctx.entries(ids, 'out', SymbolCallsSymbol);
   * const fars = entries[0]?.map(({ far }) => far);
   */
  entries(
    ids: readonly string[],
    direction: HopDirection,
    edge: EdgeType | null,
  ): Awaitable<readonly (readonly AdjacencyEntry[])[]> {
    this.requireOpen();
    return entriesOf(this.#scope, ids, direction, edge);
  }

  /**
   * The edges behind entries, with the properties that adjacency does not hold, in their order; undefined for one
   * that is gone. One round trip per layer at most; none where adjacency holds all properties of their types.
   */
  async entryEdges(of: readonly HopStep[]): Promise<(EdgeRef | undefined)[]> {
    this.requireOpen();
    return loadEdges(this.#scope, of);
  }

  /**
   * How many nodes each archetype has and how many edges each type, by name, descendants not counted in: for plans.
   * Of what is stored: the run's own changes are not counted.
   */
  async counts(): Promise<LayerCounts> {
    this.requireOpen();
    return this.view.counts();
  }

  /**
   * Bytes kept beside a layer under names; undefined where there are none. One round trip.
   *
   * @param layer Default `derived`.
   */
  async blobs(names: readonly string[], layer: Layer = 'derived'): Promise<(Uint8Array | undefined)[]> {
    this.requireOpen();
    return this.view.blobs(names, layer);
  }

  /**
   * The bytes kept beside a layer whose names start with a prefix, by name, in pages. What another run writes under
   * the prefix meanwhile is no conflict.
   *
   * @param layer Default `derived`.
   */
  blobsUnder(prefix: string, layer: Layer = 'derived'): AsyncIterable<readonly NamedBlob[]> {
    this.requireOpen();
    return this.view.blobsUnder(prefix, layer);
  }

  /** The reference of the node at one end of an edge. */
  async end(edge: EdgeRef, end: 'from' | 'to'): Promise<NodeRef | undefined> {
    return this.node(edge[end]);
  }

  /** Whether this run deleted the node. */
  protected isDeleted(id: string): boolean {
    return this.changes?.isDeleted(id) ?? false;
  }
}

function sliced<T>(items: readonly T[], { slice }: PathData): T[] {
  return slice ? items.slice(slice[0], slice[1]) : [...items];
}

/** Evaluates a look-up over the stored nodes and the run's own changes; results by id. */
async function findNodes(view: View, overlay: Overlay | null, query: FindQuery): Promise<NodeRef[]> {
  const found = new Map<string, NodeRef>();
  const take = async (page: readonly string[]) => {
    await view.load(page);
    for (const id of page) {
      const ref = view.known(id);
      if (ref) found.set(id, ref);
    }
  };
  const wanted = indexQuery(query);
  const kept = view.hot(query.type.layer)?.find(wanted);
  if (kept) await take(kept);
  else for await (const page of view.find(query.type.layer, wanted)) await take(page);
  for (const [id, change] of overlay?.nodes ?? []) {
    const after = change.after && isA(change.after.archetype, query.type) ? change.after : undefined;
    const ref = after && isNodeDraft(after) ? view.known(id) : after;
    if (ref) found.set(id, ref);
    else found.delete(id);
  }
  return [...found.values()]
    .filter((ref) => holdsAll(query.predicates, ref))
    .sort((a, b) => compareIds(a.id, b.id));
}

/** The ids of every node of an archetype (and its descendants), sorted. */
async function findIds(view: View, overlay: Overlay | null, type: NodeType): Promise<string[]> {
  const found = new Set<string>();
  for await (const page of view.find(type.layer, { type: type.name, property: null })) {
    for (const id of page) found.add(id);
  }
  for (const [id, { after }] of overlay?.nodes ?? []) {
    if (after && isA(after.archetype, type)) found.add(id);
    else found.delete(id);
  }
  return [...found].sort(compareIds);
}

/** The one index range that covers a look-up: an equality on an indexed property, else the whole archetype. */
function indexQuery({ type, predicates }: FindQuery): IndexQuery {
  for (const { field, op, value } of predicates) {
    if (op !== 'eq' || !type.indexes.includes(field)) continue;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return { type: type.name, property: field, equals: value };
  }
  return { type: type.name, property: null };
}
