import type { Layer } from '../schema/index.js';
import type { HotHop } from '../storage/index.js';
import type { PathScope } from './evaluate.js';
import { DIRECTIONS, hopOrder } from './order.js';
import type { Hop } from './path.js';

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
