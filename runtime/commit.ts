import type { Layer } from '../schema/index.js';
import type { EdgeAddress, LayerChanges, LayerStore, StoredEdge, StoredNode } from '../storage/index.js';
import type { Catalog } from './catalog.js';
import { addressOf, EdgeElement, toStoredEdge, toStoredNode } from './element.js';
import type { Overlay } from './overlay.js';
import type { View } from './view.js';
import { LAYERS } from './view.js';

/** Bytes that go beside the graph with a commit, by name. */
export type BlobWrites = ReadonlyMap<string, Uint8Array | undefined>;

/** What one commit does to each layer; layers that it does not touch are absent. */
export type LayerCommits = Partial<Record<Layer, LayerChanges>>;

/**
 * Turns a run's changes into one commit per layer: a node goes to its archetype's layer, an edge's records to
 * its own type's. New edges of creation types get their numbers here, in the order they were connected.
 */
export function planCommits(
  overlay: Overlay,
  blobs: BlobWrites,
  view: View,
  catalog: Catalog,
  layers: Readonly<Record<Layer, LayerStore>>,
): LayerCommits {
  const nodes: Record<Layer, LayerChanges['nodes'][number][]> = { derived: [], durable: [] };
  const edges: Record<Layer, StoredEdge[]> = { derived: [], durable: [] };
  const removedEdges: Record<Layer, EdgeAddress[]> = { derived: [], durable: [] };
  const layerOf = (node: StoredNode | undefined) => catalog.node(node?.type ?? '')?.layer ?? 'durable';
  for (const [id, { before, after }] of overlay.nodes) {
    if (!before && !after) continue;
    const layer = after?.archetype.layer ?? layerOf(before);
    // A node whose new archetype lives in the other layer leaves its old one.
    if (before && layerOf(before) !== layer) nodes[layerOf(before)].push({ id, before, after: undefined });
    nodes[layer].push({
      id,
      before: before && layerOf(before) === layer ? before : undefined,
      after: after && toStoredNode(after),
    });
  }
  for (const { ref, stored } of overlay.edges) {
    const { layer, order } = ref.archetype;
    if (order === 'creation' && !stored) EdgeElement.number(ref, layers[layer].nextSeq());
    edges[layer].push(toStoredEdge(ref, addressOf(ref).seq));
  }
  for (const address of overlay.removed.values())
    removedEdges[catalog.edge(address.type)?.layer ?? 'durable'].push(address);
  const typeOf = (id: string) => view.typeOf(id);
  const commits: LayerCommits = {};
  for (const layer of LAYERS) {
    const written = layer === 'derived' ? [...blobs].map(([name, value]) => ({ name, value })) : [];
    if (nodes[layer].length + edges[layer].length + removedEdges[layer].length + written.length === 0)
      continue;
    commits[layer] = {
      nodes: nodes[layer],
      edges: edges[layer],
      removedEdges: removedEdges[layer],
      typeOf,
      blobs: written,
    };
  }
  return commits;
}
