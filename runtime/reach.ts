import type { EdgeType, Layer } from '../schema/index.js';
import type { AdjacencyEntry, HotHop } from '../storage/index.js';
import type { PathScope } from './evaluate.js';
import { DIRECTIONS, hopOrder } from './order.js';
import type { Hop, HopDirection } from './path.js';
import { LAYERS } from './view.js';

/**
 * Walks as many of the first hops of a path as can be told from what is kept in memory: hops without predicates on
 * properties, along edges of one layer, in a run that changes nothing.
 *
 * @returns What they reach, and how many they are; undefined where that is none.
 */
export async function reachHot(
  scope: PathScope,
  origin: readonly string[],
  hops: readonly Hop[],
): Promise<{ readonly ids: readonly string[]; readonly hops: number } | undefined> {
  if (scope.view.hot('derived') === null) return undefined;
  const walk = hotHops(scope, hops);
  if (walk === undefined) return undefined;
  // Whatever has to be read is there when it is asked again: each time at least one hop gets further.
  for (let tries = 0; tries <= walk.hops.length; tries += 1) {
    const ids = scope.view.hot(walk.layer)?.reach(origin, walk.hops);
    if (ids === undefined) return undefined;
    if (!(ids instanceof Promise)) return { ids, hops: walk.hops.length };
    await ids;
  }
  return undefined;
}

/**
 * The edges of many nodes, as a hop sees them, from memory. A promise where something has to be waited for: ask again
 * when it is over. Undefined where they cannot be told from memory.
 */
export function hotEntries(
  { view }: PathScope,
  ids: readonly string[],
  direction: HopDirection,
  edge: EdgeType | null,
): (readonly AdjacencyEntry[])[] | Promise<unknown> | undefined {
  if (view.hot('derived') === null) return undefined;
  const types = view.hopTypes(edge, NO_TYPES);
  const order = hopOrder(direction);
  let all: (readonly AdjacencyEntry[])[] | undefined;
  for (const layer of LAYERS) {
    const edgeTypes = types.flatMap((type) => (type.layer === layer ? [type.edgeType] : []));
    if (edgeTypes.length === 0) continue;
    const found = view.hot(layer)?.entries(ids, { edgeTypes, directions: DIRECTIONS[direction], order });
    if (found === undefined || found instanceof Promise) return found;
    all = all?.map((one, at) => merged(one, found[at] ?? [], order)) ?? found;
  }
  return all ?? ids.map(() => []);
}

function merged(
  one: readonly AdjacencyEntry[],
  other: readonly AdjacencyEntry[],
  order: (a: AdjacencyEntry, b: AdjacencyEntry) => number,
): readonly AdjacencyEntry[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  return [...one, ...other].sort(order);
}

function hotHops(
  { view, catalog }: PathScope,
  hops: readonly Hop[],
): { readonly layer: Layer; readonly hops: readonly HotHop[] } | undefined {
  const walked: HotHop[] = [];
  let only: Layer | undefined;
  for (const { direction, edge, edgeWhere, node, nodeWhere } of hops) {
    if (edgeWhere.length > 0 || nodeWhere.length > 0) break;
    const types = view.hopTypes(edge, NO_TYPES);
    const layer = only ?? types[0]?.layer;
    if (layer === undefined || types.some((type) => type.layer !== layer)) break;
    only = layer;
    walked.push({
      edgeTypes: types.map(({ edgeType }) => edgeType),
      directions: DIRECTIONS[direction],
      order: hopOrder(direction),
      far: node === null ? null : (archetype) => catalog.isA(archetype, node.name),
    });
  }
  return only === undefined ? undefined : { layer: only, hops: walked };
}

const NO_TYPES: ReadonlySet<string> = new Set();
