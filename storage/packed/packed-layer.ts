import { CodewalkError, LIMITS } from '../../schema/index.js';
import { type Header, headerWrite, isCurrentHeader, newHeader, readHeader } from '../header.js';
import { blobKey, fixedTable, HEADER_KEY } from '../keys.js';
import {
  type Awaitable,
  type KeyRange,
  type KeyValueStore,
  type Pause,
  putAll,
  type WriteBatch,
} from '../kv.js';
import type {
  ArchetypeCatalog,
  ChangeBlobs,
  HotReader,
  LayerChanges,
  LayerCommitOptions,
  LayerReader,
  LayerSnapshot,
  LayerStore,
} from '../layer.js';
import { blobReader } from '../layer-reader.js';
import { valueCodec } from '../msgpack.js';
import { TypeTable } from '../type-table.js';
import { unsealed } from './bytes.js';
import { FirstVersion } from './first-version.js';
import type { Need } from './marks.js';
import { NodeNames } from './node-names.js';
import { PACK_PARTS, packKey } from './owner.js';
import { type OwnerChanges, ownersOf } from './owner-changes.js';
import { Pack } from './pack.js';
import { PackCodec } from './pack-codec.js';
import { type EncodedPack, PackEncoder } from './pack-encoder.js';
import { PackMemory } from './pack-memory.js';
import { PackedReader, type Reading } from './packed-reader.js';
import { Version } from './version.js';

const NEVER: Pause = () => undefined;
const EVERYTHING = { from: Buffer.from([0]), to: Buffer.from([0xff]) };

/** What of a layer's memory is made again when the layer is emptied. */
interface Inside extends Reading {
  readonly types: TypeTable;
  readonly encoder: PackEncoder;
  readonly empty: Version;
}

/**
 * A layer that is stored by owner: one pack per file with its nodes and the edges that leave them, and others for what
 * files share. It is read as a whole, without details, when the graph is first looked at; a commit replaces the packs
 * of what it changes, and publishes the next version.
 */
export class PackedLayer implements LayerStore {
  readonly layer = 'derived';
  readonly hot: HotReader;
  readonly nodes: LayerReader['nodes'];
  readonly adjacency: LayerReader['adjacency'];
  readonly edges: LayerReader['edges'];
  readonly find: LayerReader['find'];
  readonly allNodes: LayerReader['allNodes'];
  readonly allEdges: LayerReader['allEdges'];
  readonly counts: LayerReader['counts'];
  readonly blobs: LayerReader['blobs'];
  readonly blobNames: LayerReader['blobNames'];
  readonly blobsUnder: LayerReader['blobsUnder'];
  #inside: Inside;
  /** The newest. */
  #version: Version | FirstVersion;
  #seq: number;
  #isClosed = false;
  #wasUsed = false;
  #idle: NodeJS.Timeout | null = null;
  /** Commits and everything else that writes, one after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly store: KeyValueStore,
    private readonly catalog: ArchetypeCatalog,
    private header: Header,
  ) {
    this.#seq = header.seq;
    this.#inside = this.#made();
    this.#version = this.#opened();
    const reader = new PackedReader(
      (need) => this.#reading(this.#version, need),
      () => this.#inside,
    );
    const blobs = blobReader(store);
    this.hot = reader.hot;
    this.nodes = (ids) => reader.nodes(ids);
    this.adjacency = (requests) => reader.adjacency(requests);
    this.edges = (addresses) => reader.edges(addresses);
    this.find = (query) => reader.find(query);
    this.allNodes = () => reader.allNodes();
    this.allEdges = () => reader.allEdges();
    this.counts = () => reader.counts();
    this.blobs = blobs.blobs;
    this.blobNames = blobs.blobNames;
    this.blobsUnder = blobs.blobsUnder;
  }

  /** @param header Of the store; that of an empty one where it has none. @throws CodewalkError `STORE_CORRUPT` */
  static async open(store: KeyValueStore, catalog: ArchetypeCatalog, header: Header): Promise<PackedLayer> {
    const layer = new PackedLayer(store, catalog, header);
    await layer.#inside.types.load(store, store.place);
    return layer;
  }

  get damaged(): ReadonlySet<string> {
    return this.#inside.codec.values.damaged;
  }

  get revision(): number {
    return this.header.revision;
  }

  edgeTypes(): readonly string[] {
    return this.#inside.types.all('edge').map((type) => type.name);
  }

  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  commit(changes: LayerChanges, options: LayerCommitOptions = {}): Promise<void> {
    return this.#enqueue(() => this.#commit(changes, options));
  }

  snapshot(): LayerSnapshot {
    const pinned = this.store.snapshot();
    const version = this.#version;
    const inside = this.#inside;
    const reader = new PackedReader(
      (need) => this.#reading(version, need),
      () => inside,
    );
    return {
      ...blobReader(pinned),
      hot: reader.hot,
      nodes: (ids) => reader.nodes(ids),
      adjacency: (requests) => reader.adjacency(requests),
      edges: (addresses) => reader.edges(addresses),
      find: (query) => reader.find(query),
      allNodes: () => reader.allNodes(),
      allEdges: () => reader.allEdges(),
      counts: () => reader.counts(),
      close: () => pinned.close(),
    };
  }

  clear(): Promise<void> {
    return this.#enqueue(async () => {
      await this.store.clear(EVERYTHING);
      this.header = newHeader(this.layer, this.header.keyForm);
      this.#seq = 0;
      this.#inside = this.#made();
      this.#version = this.#inside.empty;
    });
  }

  fillFrom(folder: string, change: ChangeBlobs, beforeWrite: () => void): Promise<boolean> {
    return this.#enqueue(async () => {
      const { fillFrom } = this.store;
      await this.#reading(this.#version, 'everything');
      if (!fillFrom || this.header.revision > 0) return false;
      const prepare = async (copy: KeyValueStore) => {
        const blobs = (await isSound(copy)) ? await change(blobReader(copy).blobs) : null;
        if (blobs === null) return false;
        await copy.write(blobs.map(({ name, value }) => ({ key: blobKey(name), value })));
        beforeWrite();
        return true;
      };
      if (!(await fillFrom(folder, prepare))) return false;
      this.header = (await readHeader(this.store, this.layer)) ?? this.header;
      this.#seq = this.header.seq;
      this.#inside = this.#made();
      await this.#inside.types.load(this.store, this.store.place);
      this.#version = this.#opened();
      return true;
    });
  }

  sizeOnDisk(): Promise<number> {
    return this.store.sizeOnDisk();
  }

  async close(): Promise<void> {
    await this.#queue;
    this.#isClosed = true;
    if (this.#idle) clearInterval(this.#idle);
    await this.store.close();
  }

  #checkOpen(): void {
    if (this.#isClosed)
      throw new CodewalkError('STORE_CLOSED', `The store ${this.store.place} is closed`, {
        suggestion: 'Open the graph again before using it.',
      });
  }

  /** What of a version a question needs. */
  #reading(version: Version | FirstVersion, need: Need): Awaitable<Version> {
    this.#checkOpen();
    this.#wasUsed = true;
    this.#idle ??= setInterval(() => this.#look(), LIMITS.hotIdle.max).unref();
    return version instanceof Version ? version : version.with(need);
  }

  #opened(): FirstVersion {
    const { empty, codec } = this.#inside;
    return new FirstVersion(this.store, empty, codec.values.damaged);
  }

  async #commit(changes: LayerChanges, options: LayerCommitOptions): Promise<void> {
    const { pause = NEVER, beforeWrite, ...how } = options;
    const before = await this.#reading(this.#version, 'everything');
    const { memory, types } = this.#inside;
    const owners = ownersOf(changes, before);
    const replaced = [...owners.keys()].flatMap((owner) => before.packAt(owner) ?? []);
    await memory.load(replaced);
    const encoded = await this.#encode(owners, changes, before, pause);
    const packs = new Map<string, Pack | undefined>();
    for (const [owner, bytes] of encoded)
      packs.set(owner, bytes && Pack.read(owner, bytes.packs, before.names));
    const after = before.with(packs);
    const header: Header = {
      ...this.header,
      revision: this.header.revision + 1,
      seq: Math.max(this.header.seq, this.#seq),
    };
    await this.store.write((batch) => {
      for (const [owner, bytes] of encoded) writePack(batch, owner, bytes);
      for (const { name, value } of changes.blobs ?? []) putAll(batch, [{ key: blobKey(name), value }]);
      putAll(batch, [...types.pendingWrites(), headerWrite(header)]);
      beforeWrite?.();
    }, how);
    types.saved();
    for (const pack of replaced) memory.release(pack);
    this.header = header;
    this.#version = after;
  }

  /** The packs that owners get. */
  async #encode(
    owners: ReadonlyMap<string, OwnerChanges>,
    changes: LayerChanges,
    before: Version,
    pause: Pause,
  ): Promise<Map<string, EncodedPack | undefined>> {
    const { codec, types, encoder } = this.#inside;
    for (const { after } of changes.nodes) if (after) types.forWriting('node', after.type);
    const codes = new Map<string, number>();
    const codeOf = (name: string) => {
      const code = codes.get(name) ?? types.codeOfNode(name);
      codes.set(name, code);
      return code;
    };
    const encoded = new Map<string, EncodedPack | undefined>();
    for (const [owner, change] of owners) {
      encoded.set(owner, encoder.encode(change.rows(codec, before.packAt(owner), before.names, codeOf)));
      const turn = pause();
      if (turn) await turn;
    }
    return encoded;
  }

  #made(): Inside {
    const values = valueCodec();
    const types = new TypeTable(values, this.catalog);
    const codec = new PackCodec(types, values);
    return {
      types,
      codec,
      encoder: new PackEncoder(codec),
      memory: new PackMemory(this.store, values.damaged),
      catalog: this.catalog,
      empty: Version.empty({ names: new NodeNames(), owners: new Map() }),
    };
  }

  #look(): void {
    if (!this.#wasUsed) {
      this.#inside.memory.clear();
      this.#version.forget();
    }
    this.#wasUsed = false;
  }

  #enqueue<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(action);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}

/** Whether a store holds a layer of today's format, every value of which can be read and is what was written. */
async function isSound(store: KeyValueStore): Promise<boolean> {
  const [bytes] = await store.getMany([HEADER_KEY]);
  if (bytes === undefined || !isCurrentHeader(bytes, 'derived')) return false;
  const isPack = (key: Uint8Array) => PACK_PARTS.some((part) => isIn(fixedTable(part), key));
  for await (const page of store.scan(EVERYTHING))
    for (const [key, value] of page) if (isPack(key) && unsealed(value) === undefined) return false;
  return true;
}

function isIn({ from, to }: Pick<KeyRange, 'from' | 'to'>, key: Uint8Array): boolean {
  return Buffer.compare(key, from) >= 0 && Buffer.compare(key, to) < 0;
}

function writePack(batch: WriteBatch, owner: string, bytes: EncodedPack | undefined): void {
  for (const part of PACK_PARTS) {
    const value = bytes?.[part];
    if (value) batch.put(packKey(part, owner), value);
    else batch.del(packKey(part, owner));
  }
}
