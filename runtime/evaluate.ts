import type { EdgeType, NodeType } from '../schema/index.js';
import { type AdjacencyEntry, type Awaitable, type Direction, whenThere } from '../storage/index.js';
import type { Catalog } from './catalog.js';
import { OwnEntry } from './edge-changes.js';
import { addressKey, entryAddress } from './element.js';
import { DIRECTIONS, hopOrder } from './order.js';
import type { Overlay } from './overlay.js';
import type { Hop, HopDirection, PathData } from './path.js';
import { holdsAll } from './predicate.js';
import { hotEntries, reachHot } from './reach.js';
import type { EdgeRef, NodeRef } from './refs.js';
import { LAYERS, type View } from './view.js';

/** One edge that a last hop kept, seen from the frontier node it was found at. */
export interface HopStep {
  readonly node: string;
  readonly entry: AdjacencyEntry;
}

/** Where path data is evaluated: a run's view of the store, and its own changes (null where it has none). */
export interface PathScope {
  readonly view: View;
  readonly overlay: Overlay | null;
  readonly catalog: Catalog;
}

/** Ids of the far nodes of the steps, each once, at its first place. */
function farIds(steps: readonly HopStep[]): string[] {
  const ids = new Set<string>();
  for (const { entry } of steps) ids.add(entry.far);
  return [...ids];
}

/**
 * Walks a path hop by hop: one batched adjacency read per hop (and one node read where a hop's node
 * predicates need properties), far nodes de-duplicated after every hop. Gives the steps of the last hop, in
 * frontier order and each node's edge order.
 */
export async function walkPath(scope: PathScope, path: PathData): Promise<HopStep[]> {
  const last = path.hops.at(-1);
  if (!last) return [];
  return takeHop(scope, await walkIds(scope, path.origin, path.hops.slice(0, -1)), last);
}

/** As {@link walkPath} for paths of which only the far ids are needed: nothing is kept per edge. */
export async function walkIds(
  scope: PathScope,
  origin: readonly string[],
  hops: readonly Hop[],
): Promise<readonly string[]> {
  let frontier = origin;
  for (let at = 0; at < hops.length; ) {
    const hot = await reachHot(scope, frontier, hops.slice(at));
    const hop = hops[at];
    if (hot) {
      frontier = hot.ids;
      at += hot.hops;
    } else if (hop) {
      const plain = hop.edgeWhere.length === 0 && hop.nodeWhere.length === 0;
      frontier = plain ? await farOf(scope, frontier, hop) : farIds(await takeHop(scope, frontier, hop));
      at += 1;
    }
  }
  return frontier;
}

/**
 * The edges of many nodes as their adjacency shows them: per node, in the order in which a hop sees them. In `any`, an
 * undirected edge and a self loop count once. One round trip per layer; none, and no wait, where they are in memory.
 */
export function entriesOf(
  scope: PathScope,
  ids: readonly string[],
  direction: HopDirection,
  edge: EdgeType | null,
): Awaitable<(readonly AdjacencyEntry[])[]> {
  const hot = hotEntries(scope, ids, direction, edge);
  if (!(hot instanceof Promise)) return entriesFrom(scope, ids, { direction, edge }, hot);
  return hot.then(() => {
    const again = hotEntries(scope, ids, direction, edge);
    // A commit came between: what it left is read from the store.
    const there = again instanceof Promise ? again.then(() => undefined) : again;
    return whenThere(there, (entries) => entriesFrom(scope, ids, { direction, edge }, entries));
  });
}

/** @param hot What memory tells of them; undefined: they are read from the store. */
function entriesFrom(
  scope: PathScope,
  ids: readonly string[],
  hop: Pick<Hop, 'edge' | 'direction'>,
  hot: (readonly AdjacencyEntry[])[] | undefined,
): Awaitable<(readonly AdjacencyEntry[])[]> {
  const distinct = (all: (readonly AdjacencyEntry[])[]) =>
    hop.direction === 'any' ? all.map((entries, at) => distinctAt(ids[at] ?? '', entries)) : all;
  if (hot) return distinct(hot);
  return whenThere(edgesOfHop(scope, ids, hop), (edgesAt) => distinct(ids.map(edgesAt)));
}

/** The node references of far ids, loading what is not known in one round trip per layer. */
export async function loadFar(scope: PathScope, steps: readonly HopStep[]): Promise<NodeRef[]> {
  const types = new Map<string, string>();
  for (const { entry } of steps) types.set(entry.far, entry.farType);
  await scope.view.load(types.keys(), types);
  const refs: NodeRef[] = [];
  for (const [id, type] of types) {
    const ref = farRef(scope, id, type);
    if (ref) refs.push(ref);
  }
  return refs;
}

/** The far node of an edge, which was loaded: a stub where the run deleted it and the edge stays. */
export function farRef({ view, overlay }: PathScope, id: string, type: string): NodeRef | undefined {
  return overlay?.isDeleted(id) ? view.stubOf(id, type) : view.known(id);
}

/** The edges of distinct steps, in their order; undefined for one whose record is gone. */
export async function loadEdges(
  scope: PathScope,
  distinct: readonly HopStep[],
): Promise<(EdgeRef | undefined)[]> {
  const own = distinct.map(({ entry }) => (entry instanceof OwnEntry ? entry.change.ref : undefined));
  const stored = distinct.filter((_, at) => own[at] === undefined);
  const loaded = stored.length === 0 ? [] : await scope.view.edges(stored);
  if (stored.length === distinct.length) return loaded;
  let next = 0;
  return own.map((ref) => ref ?? loaded[next++]);
}

/** Steps without those whose edge came before. */
export function distinctEdges(steps: readonly HopStep[]): HopStep[] {
  const seen = new Set<string>();
  return steps.filter(({ node, entry }) => {
    const key = addressKey(entryAddress(node, entry));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const NO_TYPES: ReadonlySet<string> = new Set();

/** The adjacency of one type and direction that a hop looks at. */
interface Source {
  readonly edgeType: string;
  readonly direction: Direction;
  readonly lists: ReadonlyMap<string, readonly AdjacencyEntry[]>;
}

/** Reads all that a hop needs, and gives each frontier node's edges in their order. */
function edgesOfHop(
  { view, overlay }: PathScope,
  frontier: readonly string[],
  { edge, direction: way }: Pick<Hop, 'edge' | 'direction'>,
): Awaitable<(node: string) => readonly AdjacencyEntry[]> {
  const types = view.hopTypes(edge, overlay?.edgeTypes ?? NO_TYPES);
  const directions: readonly Direction[] = DIRECTIONS[way];
  const sources: Source[] = [];
  const reads: Promise<void>[] = [];
  for (const layer of LAYERS) {
    const wanted = types
      .filter((type) => type.layer === layer)
      .flatMap(({ edgeType }) => directions.map((direction) => ({ edgeType, direction, nodes: frontier })));
    if (wanted.length === 0) continue;
    const reading = view.lists.prefetch(layer, wanted);
    if (reading) reads.push(reading);
    for (const { edgeType, direction } of wanted)
      sources.push({ edgeType, direction, lists: view.lists.of(edgeType, direction) });
  }
  const edgesAt = edgesIn(sources, way, overlay);
  return reads.length === 0 ? edgesAt : Promise.all(reads).then(() => edgesAt);
}

/** The edges of a node from all that a hop looks at, in their order. */
function edgesIn(
  sources: readonly Source[],
  way: HopDirection,
  overlay: Overlay | null,
): (node: string) => readonly AdjacencyEntry[] {
  const [only] = sources;
  if (only && sources.length === 1 && !overlay?.edgeTypes.has(only.edgeType))
    return (node) => only.lists.get(node) ?? [];
  const order = hopOrder(way);
  return (node) => {
    let merged: readonly AdjacencyEntry[] = [];
    let lists = 0;
    for (const { edgeType, direction, lists: stored } of sources) {
      const base = stored.get(node) ?? [];
      const entries = overlay ? overlay.apply(node, direction, edgeType, base) : base;
      if (entries.length === 0) continue;
      // A list with own changes is not in its order yet.
      if (entries !== base) lists++;
      merged = lists++ === 0 ? entries : merged.concat(entries);
    }
    return lists > 1 ? [...merged].sort(order) : merged;
  };
}

/** The far ids of a hop without predicates on properties, each once, at its first place. */
async function farOf(scope: PathScope, frontier: readonly string[], hop: Hop): Promise<string[]> {
  const edgesAt = await edgesOfHop(scope, frontier, hop);
  const fits = hop.node === null ? null : farTypeFilter(scope.catalog, hop.node);
  const ids = new Set<string>();
  for (const node of frontier)
    for (const entry of edgesAt(node)) if (fits === null || fits(entry.farType)) ids.add(entry.far);
  return [...ids];
}

async function takeHop(scope: PathScope, frontier: readonly string[], hop: Hop): Promise<HopStep[]> {
  const edgesAt = await edgesOfHop(scope, frontier, hop);
  const fits = hop.node === null ? null : farTypeFilter(scope.catalog, hop.node);
  let steps: HopStep[] = [];
  for (const node of frontier) {
    const entries = hop.direction === 'any' ? distinctAt(node, edgesAt(node)) : edgesAt(node);
    for (const entry of entries) if (fits === null || fits(entry.farType)) steps.push({ node, entry });
  }
  if (hop.edgeWhere.length > 0) steps = await filterEdges(scope, steps, hop);
  if (hop.nodeWhere.length > 0) {
    await loadFar(scope, steps);
    steps = steps.filter(({ entry }) => {
      const ref = farRef(scope, entry.far, entry.farType);
      return ref !== undefined && holdsAll(hop.nodeWhere, ref);
    });
  }
  return steps;
}

/** In `any`, an undirected edge and a self loop stand in both records of a node: each counts once there. */
function distinctAt(node: string, entries: readonly AdjacencyEntry[]): readonly AdjacencyEntry[] {
  const isTwice = (entry: AdjacencyEntry) => entry.undirected || entry.far === node;
  if (!entries.some(isTwice)) return entries;
  const seen = new Set<string>();
  return entries.filter((entry) => {
    if (!isTwice(entry)) return true;
    const key = addressKey(entryAddress(node, entry));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

async function filterEdges(scope: PathScope, steps: readonly HopStep[], hop: Hop): Promise<HopStep[]> {
  const inlined = (entry: AdjacencyEntry) => {
    const type = scope.catalog.edge(entry.edgeType);
    return hop.edgeWhere.every(({ field }) => !type || type.inline.includes(field) || !(field in type.shape));
  };
  const outside = steps.filter(({ entry }) => !inlined(entry));
  if (outside.length === 0) return steps.filter(({ entry }) => holdsAll(hop.edgeWhere, entry.props));
  const refs = new Map<string, EdgeRef>();
  {
    const distinct = distinctEdges(outside);
    const loaded = await loadEdges(scope, distinct);
    for (const [i, { node, entry }] of distinct.entries()) {
      const ref = loaded[i];
      if (ref) refs.set(addressKey(entryAddress(node, entry)), ref);
    }
  }
  return steps.filter(({ node, entry }) =>
    holdsAll(hop.edgeWhere, refs.get(addressKey(entryAddress(node, entry))) ?? entry.props),
  );
}

function farTypeFilter(catalog: Catalog, node: NodeType): (farType: string) => boolean {
  const answers = new Map<string, boolean>();
  return (farType) => {
    const known = answers.get(farType);
    if (known !== undefined) return known;
    const fits = catalog.isA(farType, node.name);
    answers.set(farType, fits);
    return fits;
  };
}
