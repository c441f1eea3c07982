import { decodeItems, encodeItems } from './adjacency.js';
import type { CountChanges } from './counts.js';
import { extraFields } from './entries.js';
import type { Frame } from './frame.js';
import {
  chunkOf,
  chunksThatMayHold,
  type Directory,
  decodeDirectory,
  encodeDirectory,
  type HubSizes,
  isDirectory,
} from './hub.js';
import { adjacencyBeside, chunkKey } from './keys.js';
import { type Bytes, putAll, type Write, type WriteBatch } from './kv.js';
import type { Direction, StoredEdge } from './layer.js';
import {
  type EndNode,
  itemIdentity,
  itemOrder,
  type OrderKey,
  type PackedItem,
  packedItem,
} from './packed-item.js';
import type { TypeInUse } from './type-table.js';

/** An item of which only the identity is known. */
export type ItemName = Pick<PackedItem, 'far' | 'seq' | 'outgoing'>;

const NO_ITEMS: readonly PackedItem[] = [];
/** So many are looked through sooner than a map of them is made. */
const FEW = 16;

/** What one commit changes in one adjacency record, and what is stored of it. */
export class RecordEdit {
  readonly node: EndNode;
  readonly direction: Direction;
  readonly inUse: TypeInUse;
  readonly key: Buffer;
  /** Edges that are added, and where each leads to. As items they take more room, so these are made at the end. */
  readonly #edges: StoredEdge[] = [];
  readonly #fars: EndNode[] = [];
  /** Where each is among {@link #fars}; made when there are many. */
  #places: Map<EndNode, number> | undefined = undefined;
  #adds: PackedItem[] | undefined = undefined;
  #removes: ItemName[] | undefined = undefined;
  /** By identity, the stored items that go; made when there are stored items, which is rare in bulk commits. */
  #going: Map<number | string, ItemName> | undefined = undefined;
  #leavingMore = 0;
  #loaded = false;
  #stored = false;
  #items: readonly PackedItem[] = NO_ITEMS;
  #directory: Directory | undefined = undefined;
  #chunks: Map<number, PackedItem[]> | undefined = undefined;

  constructor(node: EndNode, direction: Direction, inUse: TypeInUse) {
    this.node = node;
    this.direction = direction;
    this.inUse = inUse;
    this.key = adjacencyBeside(node.key, direction, inUse.type.code);
  }

  /** Whether it is about this direction and edge type. */
  isOf(direction: Direction, inUse: TypeInUse): boolean {
    return this.inUse.type.code === inUse.type.code && this.direction === direction;
  }

  /** Whether the stored record was given to {@link load}. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Adds an edge of this node; it takes the place of the stored one of its name. @param far its other end. */
  add(edge: StoredEdge, far: EndNode): void {
    if (!edge.undirected) this.#places?.set(far, this.#fars.length);
    this.#edges.push(edge);
    this.#fars.push(far);
    this.#adds = undefined;
    this.#going = undefined;
  }

  /** Where among the added edges a directed one with this other end is; -1: nowhere. */
  placeOf(far: EndNode): number {
    if (this.#places !== undefined) return this.#places.get(far) ?? -1;
    for (let at = 0; at < this.#fars.length; at += 1)
      if (this.#fars[at] === far && this.#edges[at]?.undirected === false) return at;
    if (this.#fars.length > FEW) {
      this.#places = new Map();
      for (const [at, one] of this.#fars.entries())
        if (this.#edges[at]?.undirected === false) this.#places.set(one, at);
    }
    return -1;
  }

  /** Puts an edge where {@link placeOf} found one. */
  replace(place: number, edge: StoredEdge): void {
    this.#edges[place] = edge;
  }

  /** Removes the stored item of this name, if there is one. */
  remove(item: ItemName): void {
    this.#removes ??= [];
    this.#removes.push(item);
    this.#going = undefined;
  }

  load(bytes: Bytes | undefined, frame: Frame): void {
    this.#loaded = true;
    if (bytes === undefined) return;
    this.#stored = true;
    if (isDirectory(bytes)) this.#directory = decodeDirectory(bytes, frame.values) ?? undefined;
    else this.#items = this.#decode(bytes, frame);
  }

  get isStored(): boolean {
    return this.#stored;
  }

  /** Whether what is stored is a hub's directory. */
  get isHub(): boolean {
    return this.#directory !== undefined;
  }

  /** The chunks of a hub that have to be loaded before the edit can be made, by their numbers. */
  missingChunks(): number[] {
    const directory = this.#directory;
    if (directory === undefined) return [];
    const { order, versions } = this.inUse.type;
    const placed = versions.some(({ fields }) => fields.includes('line') || fields.includes('column'));
    const needed = new Set<number>();
    for (const item of this.#added()) needed.add(chunkOf(directory, item, this.#order()));
    for (const item of this.#goes().values()) {
      const { from, to } = chunksThatMayHold(directory, item, order, this.direction, placed);
      for (let at = from; at <= to; at += 1) needed.add(at);
    }
    return [...needed]
      .map((at) => directory.chunks[at]?.number)
      .filter((number): number is number => number !== undefined && this.#chunks?.has(number) !== true);
  }

  loadChunk(number: number, bytes: Bytes | undefined, frame: Frame): void {
    this.#chunks ??= new Map();
    this.#chunks.set(number, bytes === undefined ? [] : this.#decode(bytes, frame));
  }

  /** The stored items that will go or be replaced. */
  removed(): PackedItem[] {
    if (!this.#stored) return [];
    const going = this.#goes();
    return [this.#items, ...(this.#chunks?.values() ?? [])].flatMap((items) =>
      items.filter((item) => going.has(this.#identity(item))),
    );
  }

  /** Writes what makes the edit. @param counts gets how many edges more or fewer leave here. */
  write(batch: WriteBatch, frame: Frame, sizes: HubSizes, counts: CountChanges): void {
    this.#write(batch, frame, sizes);
    counts.add(this.inUse.type.code, this.#leavingMore);
  }

  #write(batch: WriteBatch, frame: Frame, sizes: HubSizes): void {
    if (this.#directory !== undefined) {
      putAll(batch, this.#hubWrites(this.#directory, frame, sizes));
      return;
    }
    const items = this.#edited(this.#items, this.#added());
    if (items.length > sizes.most)
      putAll(batch, this.#layChunks([{ number: undefined, items }], { next: 0, chunks: [] }, frame, sizes));
    else if (items.length > 0) batch.put(this.key, this.#encode(items, frame));
    else if (this.#stored) batch.del(this.key);
    // Written is done with: of a large commit only one record's items are in memory at a time.
    this.#adds = undefined;
  }

  #hubWrites(directory: Directory, frame: Frame, sizes: HubSizes): Write[] {
    const compare = this.#order();
    const adds = new Map<number, PackedItem[]>();
    for (const item of this.#added()) {
      const number = directory.chunks[chunkOf(directory, item, compare)]?.number ?? 0;
      const list = adds.get(number);
      if (list === undefined) adds.set(number, [item]);
      else list.push(item);
    }
    const going = this.#goes();
    const plan = directory.chunks.map(({ number }) => {
      const stored = this.#chunks?.get(number);
      const added = adds.get(number) ?? [];
      const changes = added.length > 0 || stored?.some((item) => going.has(this.#identity(item)));
      return { number, items: stored && changes ? this.#edited(stored, added) : undefined };
    });
    return this.#layChunks(plan, directory, frame, sizes);
  }

  /** Writes chunks: those without items here stay as they are, empty ones go, long ones are cut, a last one becomes the record. */
  #layChunks(
    plan: readonly { number: number | undefined; items: PackedItem[] | undefined }[],
    directory: Directory,
    frame: Frame,
    sizes: HubSizes,
  ): Write[] {
    const firsts = new Map(directory.chunks.map(({ number, first }) => [number, first]));
    const kept: { number: number; first: OrderKey; items: PackedItem[] | undefined }[] = [];
    const writes: Write[] = [];
    let { next } = directory;
    for (const { number, items } of plan) {
      const first = number === undefined ? undefined : firsts.get(number);
      if (items === undefined) {
        if (number !== undefined && first !== undefined) kept.push({ number, first, items });
        continue;
      }
      if (items.length === 0) {
        if (number !== undefined) writes.push({ key: chunkKey(this.key, number), value: undefined });
        continue;
      }
      const pieces = items.length > sizes.most ? cut(items, sizes.chunk) : [items];
      for (const [at, piece] of pieces.entries()) {
        const own = at === 0 && number !== undefined ? number : next++;
        const boundary = at === 0 ? first : undefined;
        kept.push({ number: own, first: boundary ?? piece[0] ?? NOWHERE, items: piece });
      }
    }
    const [only, ...more] = kept;
    if (only === undefined) return [...writes, { key: this.key, value: undefined }];
    if (more.length === 0 && only.items !== undefined)
      return [
        ...writes,
        { key: chunkKey(this.key, only.number), value: undefined },
        { key: this.key, value: this.#encode(only.items, frame) },
      ];
    for (const { number, items } of kept)
      if (items !== undefined)
        writes.push({ key: chunkKey(this.key, number), value: this.#encode(items, frame) });
    const sameChunks =
      kept.length === directory.chunks.length &&
      kept.every(({ number }, at) => number === directory.chunks[at]?.number);
    if (!sameChunks) {
      const chunks = kept.map(({ number, first }) => ({ number, first }));
      writes.push({ key: this.key, value: encodeDirectory({ next, chunks }, frame.values) });
    }
    return writes;
  }

  #added(): PackedItem[] {
    if (this.#adds !== undefined) return this.#adds;
    const { type, version } = this.inUse;
    const extras = extraFields(type, version);
    const isOut = this.direction === 'out';
    const { id } = this.node;
    const adds: PackedItem[] = [];
    for (let at = 0; at < this.#edges.length; at += 1) {
      const edge = this.#edges[at];
      const far = this.#fars[at];
      if (edge === undefined || far === undefined) continue;
      // A self loop leaves in the one direction and arrives in the other.
      const outgoing = isOut ? edge.from === id : edge.to !== id;
      adds.push(packedItem(edge, type.order === 'canonical', extras, far, outgoing));
    }
    this.#adds = adds;
    return adds;
  }

  #edited(stored: readonly PackedItem[], adds: PackedItem[]): PackedItem[] {
    if (this.direction === 'out') this.#leavingMore += leaving(adds);
    if (stored.length === 0) return adds.length > 1 ? adds.sort(this.#order()) : adds;
    const going = this.#goes();
    const kept = stored.filter((item) => !going.has(this.#identity(item)));
    if (this.direction === 'out') this.#leavingMore += leaving(kept) - leaving(stored);
    return [...kept, ...adds].sort(this.#order());
  }

  #encode(items: readonly PackedItem[], frame: Frame): Buffer {
    const { type, version } = this.inUse;
    return encodeItems(items, { order: type.order, version }, frame.values);
  }

  /** Items of the current version: the values of an older one take the places that their fields have now. */
  #decode(bytes: Bytes, frame: Frame): PackedItem[] {
    const { type, version } = this.inUse;
    const { items, version: stored } = decodeItems(bytes, frame.values);
    if (stored === version) return items;
    const before = extraFields(type, stored);
    const places = extraFields(type, version).map((name) => before.indexOf(name));
    return items.map((item) => ({ ...item, extra: places.map((place) => item.extra[place]) }));
  }

  #goes(): ReadonlyMap<number | string, ItemName> {
    if (this.#going === undefined) {
      const names: readonly ItemName[] = [...(this.#removes ?? []), ...this.#added()];
      this.#going = new Map(names.map((item) => [this.#identity(item), item]));
    }
    return this.#going;
  }

  #identity(item: ItemName): number | string {
    return itemIdentity(this.inUse.type.order, this.direction, item);
  }

  #order(): (a: OrderKey, b: OrderKey) => number {
    return itemOrder(this.inUse.type.order, this.direction);
  }
}

const NOWHERE: OrderKey = { far: '', outgoing: true, seq: 0, line: 0, column: 0 };

/** How many are edges that leave: an undirected one stands in the records of both its ends and leaves one of them. */
function leaving(items: readonly PackedItem[]): number {
  let count = 0;
  for (const { outgoing } of items) if (outgoing) count += 1;
  return count;
}

/** Pieces of even length, none longer than `most`. */
function cut<T>(items: readonly T[], most: number): T[][] {
  const count = Math.ceil(items.length / most);
  const size = Math.ceil(items.length / count);
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size)).filter(
    (piece) => piece.length > 0,
  );
}
