import type { LayerStore } from '../../storage/index.js';
import type { Archive } from './archive.js';
import { linesOf } from './archive-line.js';

/** The durable layer, of which every commit is told to an archive first, whoever makes it. */
export function archivedLayer(layer: LayerStore, archive: Archive): LayerStore {
  return {
    layer: layer.layer,
    hot: layer.hot,
    get damaged() {
      return layer.damaged;
    },
    get revision() {
      return layer.revision;
    },
    edgeTypes: () => layer.edgeTypes(),
    nextSeq: () => layer.nextSeq(),
    commit: async (changes, options = {}) => {
      archive.append(linesOf(changes), { sync: options.sync ?? false });
      await layer.commit(changes, options);
    },
    snapshot: () => layer.snapshot(),
    clear: () => layer.clear(),
    sizeOnDisk: () => layer.sizeOnDisk(),
    close: () => layer.close(),
    nodes: (ids) => layer.nodes(ids),
    types: (ids) => layer.types(ids),
    adjacency: (requests) => layer.adjacency(requests),
    edges: (addresses) => layer.edges(addresses),
    find: (query) => layer.find(query),
    allNodes: () => layer.allNodes(),
    allEdges: () => layer.allEdges(),
    counts: () => layer.counts(),
    blobs: (names) => layer.blobs(names),
    blobNames: (prefix) => layer.blobNames(prefix),
    blobsUnder: (prefix) => layer.blobsUnder(prefix),
  };
}
