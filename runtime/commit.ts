import type { Layer, NodeDraft } from '../schema/index.js';
import {
  type EdgeAddress,
  inTurns,
  type LayerChanges,
  type LayerStore,
  type Pause,
  type StoredEdge,
  type StoredNode,
} from '../storage/index.js';
import type { BlobWrites } from './blob-writes.js';
import { toStoredNode } from './element.js';
import { isNodeDraft } from './live-nodes.js';
import type { Overlay } from './overlay.js';
import type { NodeRef } from './refs.js';
import type { View } from './view.js';
import { LAYERS } from './view.js';

/** What one commit does to each layer; layers that it does not touch are absent. */
export type LayerCommits = Partial<Record<Layer, LayerChanges>>;

/** What a commit is planned from. Nothing of it changes meanwhile. */
interface Planned {
  readonly overlay: Overlay;
  readonly blobs: BlobWrites;
  readonly view: View;
  readonly layers: Readonly<Record<Layer, LayerStore>>;
  readonly pause: Pause;
}

/**
 * Turns a run's changes into one commit per layer: a node goes to its archetype's layer, an edge's records to
 * its own type's. New edges of creation types get their numbers here, in the order they were connected.
 */
export async function planCommits({ overlay, blobs, view, layers, pause }: Planned): Promise<LayerCommits> {
  const nodes: Record<Layer, LayerChanges['nodes'][number][]> = { derived: [], durable: [] };
  const edges: Record<Layer, StoredEdge[]> = { derived: [], durable: [] };
  const removedEdges: Record<Layer, EdgeAddress[]> = { derived: [], durable: [] };
  await inTurns(overlay.nodes, pause, ([id, { before, after }]) => {
    const layer = after?.archetype.layer ?? before?.layer;
    if (!layer) return;
    // A node whose new archetype lives in the other layer leaves its old one.
    const moved = before && before.layer !== layer;
    if (moved) nodes[before.layer].push({ id, before: before.record, after: undefined });
    nodes[layer].push({
      id,
      before: moved ? undefined : before?.record,
      after: after && recordOf(id, after),
    });
  });
  await inTurns(overlay.edges, pause, (edge) => {
    const { layer, order } = edge.archetype;
    if (order === 'creation' && !edge.stored) edge.number(layers[layer].nextSeq());
    edges[layer].push(edge.record());
  });
  for (const { address, layer } of overlay.removed.values()) removedEdges[layer].push(address);
  const typeOf = (id: string) => view.typeOf(id);
  const commits: LayerCommits = {};
  for (const layer of LAYERS) {
    const written = [...blobs[layer]].map(([name, value]) => ({ name, value }));
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

function recordOf(id: string, node: NodeRef | NodeDraft): StoredNode {
  if (!isNodeDraft(node)) return toStoredNode(node);
  return { id, type: node.archetype.name, props: node.props };
}
