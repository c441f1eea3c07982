import {
  decodeItems,
  encodeItems,
  itemIdentity,
  itemOrder,
  type OrderKey,
  type PackedItem,
} from './adjacency.js';
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
import { chunkKey } from './keys.js';
import type { Bytes, Write } from './kv.js';
import type { Direction } from './layer.js';
import type { TypeInUse } from './type-table.js';

/** An item of which only the identity is known. */
export type ItemName = Pick<PackedItem, 'far' | 'seq' | 'outgoing'>;

const NO_ITEMS: readonly PackedItem[] = [];

/** What one commit changes in one adjacency record, and what is stored of it. */
export class RecordEdit {
  readonly node: string;
  readonly direction: Direction;
  readonly inUse: TypeInUse;
  readonly key: Buffer;
  readonly #adds: PackedItem[] = [];
  #removes: ItemName[] | undefined;
  /** By identity, the stored items that go; made when there are stored items, which is rare in bulk commits. */
  #going: Map<number | string, ItemName> | undefined;
  #loaded = false;
  #stored = false;
  #items: readonly PackedItem[] = NO_ITEMS;
  #directory: Directory | undefined;
  #chunks: Map<number, PackedItem[]> | undefined;

  constructor(frame: Frame, node: string, direction: Direction, inUse: TypeInUse) {
    this.node = node;
    this.direction = direction;
    this.inUse = inUse;
    this.key = frame.keys.adjacency(node, direction, inUse.type.code);
  }

  /** Whether the stored record was given to {@link load}. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Adds an item; it takes the place of the stored one of its name. */
  add(item: PackedItem): void {
    this.#adds.push(item);
    this.#going = undefined;
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
    if (isDirectory(bytes)) this.#directory = decodeDirectory(bytes, frame.values);
    else this.#items = this.#decode(bytes, frame);
  }

  /** The chunks of a hub that have to be loaded before the edit can be made, by their numbers. */
  missingChunks(): number[] {
    const directory = this.#directory;
    if (directory === undefined) return [];
    const { order, versions } = this.inUse.type;
    const placed = versions.some(({ fields }) => fields.includes('line') || fields.includes('column'));
    const needed = new Set<number>();
    for (const item of this.#adds) needed.add(chunkOf(directory, item, this.#order()));
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

  /** The writes that make the edit. */
  writes(frame: Frame, sizes: HubSizes): Write[] {
    if (this.#directory !== undefined) return this.#hubWrites(this.#directory, frame, sizes);
    const items = this.#edited(this.#items, this.#adds);
    if (items.length === 0) return this.#stored ? [{ key: this.key, value: undefined }] : [];
    if (items.length <= sizes.most) return [{ key: this.key, value: this.#encode(items, frame) }];
    return this.#layChunks([{ number: undefined, items }], { next: 0, chunks: [] }, frame, sizes);
  }

  #hubWrites(directory: Directory, frame: Frame, sizes: HubSizes): Write[] {
    const compare = this.#order();
    const adds = new Map<number, PackedItem[]>();
    for (const item of this.#adds) {
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

  #edited(stored: readonly PackedItem[], adds: readonly PackedItem[]): PackedItem[] {
    if (stored.length === 0) return adds.length > 1 ? [...adds].sort(this.#order()) : [...adds];
    const going = this.#goes();
    const kept = stored.filter((item) => !going.has(this.#identity(item)));
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
      const names: readonly ItemName[] = [...(this.#removes ?? []), ...this.#adds];
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

/** The adjacency records of one node that one commit touches. */
export class NodeEdits {
  readonly node: string;
  /** The code of the node's archetype, as entries of its neighbours name it; 0 until it is asked for. */
  typeCode = 0;
  readonly #all: RecordEdit[];
  readonly #frame: Frame;
  readonly #out: RecordEdit[] = [];
  readonly #in: RecordEdit[] = [];

  constructor(frame: Frame, node: string, all: RecordEdit[]) {
    this.#frame = frame;
    this.node = node;
    this.#all = all;
  }

  of(direction: Direction, inUse: TypeInUse): RecordEdit {
    const list = direction === 'out' ? this.#out : this.#in;
    // A node has edges of a few types: looking through them costs less than a map of them.
    for (const known of list) if (known.inUse.type.code === inUse.type.code) return known;
    const edit = new RecordEdit(this.#frame, this.node, direction, inUse);
    list.push(edit);
    this.#all.push(edit);
    return edit;
  }
}

/** The adjacency records that one commit touches. */
export class RecordEdits {
  readonly #byNode = new Map<string, NodeEdits>();
  readonly #all: RecordEdit[] = [];
  readonly #frame: Frame;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  at(node: string): NodeEdits {
    let edits = this.#byNode.get(node);
    if (edits === undefined) {
      edits = new NodeEdits(this.#frame, node, this.#all);
      this.#byNode.set(node, edits);
    }
    return edits;
  }

  of(node: string, direction: Direction, inUse: TypeInUse): RecordEdit {
    return this.at(node).of(direction, inUse);
  }

  /** In the order in which they were first asked for. */
  all(): readonly RecordEdit[] {
    return this.#all;
  }
}

const NOWHERE: OrderKey = { far: '', outgoing: true, seq: 0, line: 0, column: 0 };

/** Pieces of even length, none longer than `most`. */
function cut<T>(items: readonly T[], most: number): T[][] {
  const count = Math.ceil(items.length / most);
  const size = Math.ceil(items.length / count);
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size)).filter(
    (piece) => piece.length > 0,
  );
}
