import { CodewalkError, type Layer, type NodeType } from '../schema/index.js';
import { recordCodec } from './codec.js';
import { prepareCommit } from './commit.js';
import { type Frame, whenThere } from './frame.js';
import { sharedNode } from './frozen.js';
import type { IdHash } from './hash.js';
import { type Header, headerWrite, newHeader, readHeader } from './header.js';
import { HUB_SIZES, type HubSizes } from './hub.js';
import { indexedId, indexRange } from './index-keys.js';
import {
  afterPrefix,
  generationRange,
  type KeyForm,
  type KeySpace,
  keySpace,
  OWNER_AND_REST,
  WHOLE_ID,
} from './keys.js';
import { type KeyValueStore, type Pause, putAll, type Write } from './kv.js';
import type {
  ArchetypeCatalog,
  HotReader,
  LayerChanges,
  LayerCommitOptions,
  LayerReader,
  LayerSnapshot,
  LayerStore,
  StoredEdge,
  StoredNode,
} from './layer.js';
import { entryDecoders, layerReader } from './layer-reader.js';
import { valueCodec } from './msgpack.js';
import { propertyEntries } from './node-indexes.js';
import { PackedLayer } from './packed/packed-layer.js';
import { copyUnderSalt } from './rekey.js';
import { type StoredType, sameList, TypeTable } from './type-table.js';

/** The stored types whose loaded archetypes index other properties than the store does. */
function staleIndexes({ types }: Frame): { type: StoredType; indexed: readonly string[] }[] {
  return types.all('node').flatMap((type) => {
    const loaded = types.loaded(type);
    if (loaded === undefined || !isNode(loaded) || sameList(loaded.indexes, type.indexed)) return [];
    return [{ type, indexed: loaded.indexes }];
  });
}

/**
 * Rebuilds the property indexes of one archetype for a new list of properties. Until it is done the table says
 * that nothing is indexed, so a run that is cut off is begun again by whoever opens the store next.
 */
async function reindex(
  store: KeyValueStore,
  frame: Frame,
  type: StoredType,
  indexed: readonly string[],
): Promise<void> {
  const { types, records, keys } = frame;
  const empty = types.setIndexed(type, []);
  await saveTypes(store, frame, []);
  const allNodes = indexRange(type.code, 0, {});
  const wholeType = allNodes.from.subarray(0, 3);
  await store.clear({ from: allNodes.to, to: afterPrefix(wholeType) });
  for await (const page of store.scan(allNodes)) {
    const ids = page.map(([key, value]) => indexedId(key, value));
    const found = await store.getMany(ids.map((id) => keys.node(id)));
    const writes = found.flatMap((bytes) => {
      const node = bytes === undefined ? undefined : records.decodeNode(bytes);
      return node === undefined ? [] : propertyEntries(empty, indexed, node);
    });
    await store.write(writes);
  }
  types.setIndexed(empty, indexed);
  await saveTypes(store, frame, []);
}

async function saveTypes(store: KeyValueStore, { types }: Frame, more: readonly Write[]): Promise<void> {
  await store.write([...more, ...types.pendingWrites()]);
  types.saved();
}

function isNode(type: { readonly element: string }): type is NodeType {
  return type.element === 'node';
}

/** Options of {@link openLayer}, for measurements and tests. */
export interface LayerOptions {
  /** Of a new store; an existing one keeps its own. Default: 6+6 bytes, owning file and id (docs/internals/storage.md). */
  readonly keyForm?: KeyForm;
  /** Default: our 64-bit hash. */
  readonly hash?: IdHash;
  /** Default: {@link HUB_SIZES}. */
  readonly hubs?: HubSizes;
}

/** So many salts are tried before a collision is given up: with 96 bits even the second is hardly ever needed. */
const MOST_SALTS = 64;
const NEVER: Pause = () => undefined;
const EVERYTHING = { from: Buffer.from([0]), to: Buffer.from([0xff]) };

/**
 * Opens one layer of a graph over a store, which the layer owns from then on.
 *
 * @param catalog The archetypes as they are now; asked anew whenever one is needed.
 * @throws CodewalkError `STORE_NEWER`, `STORE_CORRUPT`
 */
export async function openLayer(
  store: KeyValueStore,
  layer: Layer,
  catalog: ArchetypeCatalog,
  options: LayerOptions = {},
): Promise<LayerStore> {
  const found = await readHeader(store, layer);
  const header = found ?? newHeader(layer, (options.keyForm ?? OWNER_AND_REST).name);
  if (layer === 'derived') return PackedLayer.open(store, catalog, header);
  const opened = new GraphLayer(store, catalog, header, options);
  await opened.prepare();
  return opened;
}

class GraphLayer implements LayerStore {
  readonly layer: Layer;
  readonly #reader: LayerReader;
  readonly #decoder = entryDecoders();
  #frame: Frame;
  #seq: number;
  /** Commits and everything else that writes, one after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  readonly hot: HotReader;
  readonly nodes: LayerReader['nodes'];
  readonly adjacency: LayerReader['adjacency'];
  readonly edges: LayerReader['edges'];
  readonly blobs: LayerReader['blobs'];
  readonly blobNames: LayerReader['blobNames'];
  readonly blobsUnder: LayerReader['blobsUnder'];
  readonly allNodes: LayerReader['allNodes'];
  readonly counts: LayerReader['counts'];

  constructor(
    private readonly store: KeyValueStore,
    private readonly catalog: ArchetypeCatalog,
    private header: Header,
    private readonly options: LayerOptions,
  ) {
    this.layer = header.layer;
    this.#seq = header.seq;
    this.#frame = this.#newFrame(this.#keys(header));
    this.#reader = layerReader(store, () => this.#frame, catalog, this.#decoder);
    this.hot = storedReader(this.#reader);
    this.nodes = this.#reader.nodes;
    this.adjacency = this.#reader.adjacency;
    this.edges = this.#reader.edges;
    this.blobs = this.#reader.blobs;
    this.blobNames = this.#reader.blobNames;
    this.blobsUnder = this.#reader.blobsUnder;
    this.allNodes = this.#reader.allNodes;
    this.counts = this.#reader.counts;
  }

  /** Reads the type table, removes what a cut-off re-keying left, and brings indexes up to date. */
  async prepare(): Promise<void> {
    await this.#frame.types.load(this.store, this.store.place);
    await this.store.clear(generationRange(this.header.generation + 1));
    await this.#refreshIndexes();
  }

  get damaged(): ReadonlySet<string> {
    return this.#frame.values.damaged;
  }

  get revision(): number {
    return this.header.revision;
  }

  edgeTypes(): readonly string[] {
    return this.#frame.types.all('edge').map((type) => type.name);
  }

  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** Several ranges are merged, so one version is pinned meanwhile. */
  async *find(query: Parameters<LayerReader['find']>[0]): AsyncGenerator<readonly string[]> {
    yield* this.#pinned((reader) => reader.find(query));
  }

  async *allEdges(): AsyncGenerator<readonly StoredEdge[]> {
    yield* this.#pinned((reader) => reader.allEdges());
  }

  commit(changes: LayerChanges, options: LayerCommitOptions = {}): Promise<void> {
    return this.#enqueue(() => this.#commit(changes, options));
  }

  snapshot(): LayerSnapshot {
    const pinned = this.store.snapshot();
    const frame = this.#frame;
    const reader = layerReader(pinned, () => frame, this.catalog, this.#decoder);
    return { ...reader, hot: storedReader(reader), close: () => pinned.close() };
  }

  clear(): Promise<void> {
    return this.#enqueue(async () => {
      const header = newHeader(this.layer, this.header.keyForm);
      await this.store.clear(EVERYTHING);
      this.header = header;
      this.#seq = 0;
      this.#frame = this.#newFrame(this.#keys(header));
    });
  }

  sizeOnDisk(): Promise<number> {
    return this.store.sizeOnDisk();
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.store.close();
  }

  async #commit(changes: LayerChanges, options: LayerCommitOptions): Promise<void> {
    for (const { after } of changes.nodes)
      if (after !== undefined) this.#frame.types.forWriting('node', after.type);
    const { pause = NEVER, beforeWrite, ...how } = options;
    await this.#refreshIndexes(beforeWrite);
    for (;;) {
      const frame = this.#frame;
      const sizes = this.options.hubs ?? HUB_SIZES;
      const prepared = await prepareCommit(this.store, frame, changes, { sizes, pause });
      if ('collision' in prepared) {
        beforeWrite?.();
        await this.#changeSalt(prepared.collision);
        continue;
      }
      let header: Header = {
        ...this.header,
        revision: this.header.revision + 1,
        seq: Math.max(this.header.seq, this.#seq),
      };
      await this.store.write(async (batch) => {
        const changes = await prepared.write(batch);
        header = { ...header, counts: changes.after(header.counts) };
        putAll(batch, [...frame.types.pendingWrites(), headerWrite(header)]);
        beforeWrite?.();
      }, how);
      frame.types.saved();
      this.header = header;
      return;
    }
  }

  /** Puts every record under the next salt that separates all ids. */
  async #changeSalt([one, other]: readonly [string, string]): Promise<void> {
    const old = this.header;
    const generation = old.generation + 1;
    for (let salt = old.salt + 1; salt < MOST_SALTS; salt += 1) {
      const keys = this.#keys({ ...old, salt, generation });
      if (keys.node(one).equals(keys.node(other)) || !(await copyUnderSalt(this.store, this.#frame, keys)))
        continue;
      const header = { ...old, salt, generation };
      await this.store.write([headerWrite(header)], { sync: true });
      this.header = header;
      this.#frame = { ...this.#frame, keys };
      await this.store.clear(generationRange(old.generation));
      return;
    }
    throw new CodewalkError('KEY_COLLISION', `${one} and ${other} share a key under ${MOST_SALTS} salts`, {
      suggestion: 'This cannot happen with the hash of Codewalk; please report it with both ids.',
    });
  }

  async #refreshIndexes(beforeWrite?: () => void): Promise<void> {
    for (const { type, indexed } of staleIndexes(this.#frame)) {
      beforeWrite?.();
      await reindex(this.store, this.#frame, type, indexed);
    }
  }

  async *#pinned<T>(read: (reader: LayerReader) => AsyncIterable<T>): AsyncGenerator<T> {
    const snapshot = this.snapshot();
    try {
      yield* read(snapshot);
    } finally {
      await snapshot.close();
    }
  }

  #newFrame(keys: KeySpace): Frame {
    const values = valueCodec();
    const types = new TypeTable(values, this.catalog);
    return { keys, types, values, records: recordCodec(values, types) };
  }

  #keys({ salt, generation, keyForm }: Header): KeySpace {
    const form = keyForm === 'owner' ? OWNER_AND_REST : WHOLE_ID;
    const { hash } = this.options;
    return keySpace({ salt, generation, form, ...(hash === undefined ? {} : { hash }) });
  }

  #enqueue<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(action);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}

/** Reads records as they are stored: traces come one by one, and nothing of them stays in memory. */
function storedReader({ nodes, adjacency, edges }: LayerReader): HotReader {
  const shared = (node: StoredNode | undefined) => node && sharedNode(node);
  return {
    nodes: (ids) => whenThere(nodes(ids), (found) => found.map(shared)),
    adjacency,
    edges,
    find: () => undefined,
    entries: () => undefined,
    reach: () => undefined,
  };
}
