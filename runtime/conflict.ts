import type { Layer } from '../schema/index.js';
import { type EdgeAddress, ownerOf } from '../storage/index.js';
import type { BlobWrites } from './blob-writes.js';
import type { Catalog } from './catalog.js';
import { adjacencyKey, type Overlay } from './overlay.js';
import { LAYERS } from './view.js';
import type { ReadObserver } from './view-source.js';

/** What a run has read, as keys that writes can be compared with. */
export class ReadSet implements ReadObserver {
  readonly #nodes: Set<string>;
  #keys = new Set<string>();

  /** @param nodes What it is known to have read already. */
  constructor(nodes = new Set<string>()) {
    this.#nodes = nodes;
  }

  node(id: string): void {
    this.#nodes.add(id);
  }

  adjacency(key: string): void {
    this.#keys.add(`a\0${key}`);
  }

  range(key: string): void {
    this.#keys.add(`r\0${key}`);
  }

  blob(layer: Layer, name: string): void {
    this.#keys.add(blobKey(layer, name));
  }

  edgeType(name: string): void {
    this.#keys.add(`t\0${name}`);
  }

  /** Whether another commit changed something that this run had read. */
  meets(written: WriteSet): boolean {
    for (const id of written.nodes) if (this.#nodes.has(id)) return true;
    for (const key of written.keys) if (this.#keys.has(key)) return true;
    if (written.owners.size === 0) return false;
    for (const id of this.#nodes) if (written.owners.has(ownerOf(id))) return true;
    for (const key of this.#keys) {
      // Of a look-up it cannot be told what it would have found.
      if (key.startsWith('r') || (key.startsWith('a') && written.owners.has(ownerOf(nodeIn(key)))))
        return true;
    }
    return false;
  }

  /** What was read up to now, which {@link ReadSet.forget} does not take away. */
  kept(): ReadSet {
    const kept = new ReadSet(this.#nodes);
    kept.#keys = this.#keys;
    return kept;
  }

  /** After a commit inside a run. Nodes stay: the run goes on with the objects that it has. */
  forget(): void {
    this.#keys = new Set();
  }
}

/** What a commit writes: ids of nodes, and keys of adjacency and of ranges. */
export interface WriteSet {
  readonly nodes: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
  /** Owners of which everything may be another. */
  readonly owners: ReadonlySet<string>;
}

/** The layers that a commit changes. */
export function layersOf(overlay: Overlay, withBlobs: readonly Layer[]): ReadonlySet<Layer> {
  const layers = new Set<Layer>(withBlobs);
  const isAll = () => layers.size === 2;
  for (const { before, after } of overlay.nodes.values()) {
    if (before) layers.add(before.layer);
    if (after) layers.add(after.archetype.layer);
    if (isAll()) return layers;
  }
  for (const { archetype } of overlay.edges) {
    layers.add(archetype.layer);
    if (isAll()) return layers;
  }
  for (const { layer } of overlay.removed.values()) layers.add(layer);
  return layers;
}

/**
 * What a commit writes, as {@link ReadSet} collects it.
 *
 * @param newTypes Edge types that no layer held before: hops that would have looked at them read nothing.
 * @param only What it writes to this layer; null: to both.
 */
export function writeSet(
  overlay: Overlay,
  blobs: BlobWrites,
  catalog: Catalog,
  newTypes: readonly string[],
  only: Layer | null = null,
): WriteSet {
  const isIn = (layer: Layer | undefined) => only === null || layer === only;
  const nodes = new Set<string>();
  const keys = new Set<string>();
  for (const [id, { before, after }] of overlay.nodes) {
    if (!isIn(before?.layer) && !isIn(after?.archetype.layer)) continue;
    nodes.add(id);
    for (const name of new Set([after?.archetype.name, before?.record.type])) {
      for (const type of catalog.node(name ?? '')?.lineage ?? []) {
        keys.add(`r\0${type}\0`);
        for (const property of catalog.node(type)?.indexes ?? []) keys.add(`r\0${type}\0${property}`);
      }
    }
    keys.add('r\0');
  }
  for (const name of newTypes) {
    if (!isIn(catalog.edge(name)?.layer)) continue;
    for (const type of ['', ...(catalog.edge(name)?.lineage ?? [name])]) keys.add(`t\0${type}`);
  }
  const noteEdge = ({ type, from, to }: Pick<EdgeAddress, 'type' | 'from' | 'to'>, isBothWays: boolean) => {
    keys.add(`a\0${adjacencyKey(from, 'out', type)}`);
    keys.add(`a\0${adjacencyKey(to, 'in', type)}`);
    keys.add('r\0');
    if (!isBothWays) return;
    keys.add(`a\0${adjacencyKey(from, 'in', type)}`);
    keys.add(`a\0${adjacencyKey(to, 'out', type)}`);
  };
  for (const edge of overlay.edges) if (isIn(edge.archetype.layer)) noteEdge(edge, edge.undirected);
  // An address does not tell whether its edge was undirected.
  for (const { address, layer } of overlay.removed.values()) if (isIn(layer)) noteEdge(address, true);
  for (const layer of LAYERS)
    if (isIn(layer)) for (const name of blobs[layer].keys()) keys.add(blobKey(layer, name));
  const units = isIn('derived') ? [...blobs.units.values()] : [];
  for (const { links } of units)
    for (const { to, edge } of links) keys.add(`a\0${adjacencyKey(to, 'in', edge.archetype.name)}`);
  return { nodes, keys, owners: new Set(units.map(({ id }) => ownerOf(id))) };
}

/** The node whose adjacency a key is about. */
function nodeIn(key: string): string {
  return key.slice(key.lastIndexOf('\0') + 1);
}

function blobKey(layer: Layer, name: string): string {
  return `b\0${layer}\0${name}`;
}
