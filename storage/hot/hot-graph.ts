import { type EdgeType, LIMITS, type NodeType } from '../../schema/index.js';
import { compareIds } from '../entry-order.js';
import { encodeValue, indexedId, indexedValue } from '../index-keys.js';
import type { Bytes, KeyRange, KeyValueReader } from '../kv.js';
import type { Direction, HotNode, IndexQuery, LayerChanges, StoredEdge, StoredNode } from '../layer.js';
import { NodeNames } from '../packed/node-names.js';
import { Lane } from './lane.js';

/** Look-ups in an index that the store answers before all of it is taken into memory. */
const ASKED_FIRST = 4;
/** Nodes that commits wrote since indexes were taken in; of more everything is taken in anew. */
const MOST_CHANGED = 1000;
/** Numbers of nodes are less: with 32 bits of a hash beside it one is still a whole number. */
const NODES = 2 ** 21;

/** What of a store an index consists of. */
interface IndexedRanges {
  /** Names of the archetypes that are looked in. */
  readonly types: ReadonlySet<string>;
  readonly store: KeyValueReader;
  readonly ranges: () => readonly KeyRange[];
  /** Whether what was read is still what the newest version has. */
  readonly isNewest: () => boolean;
}

/** One index: of each entry the hash of its value and the number of its node in one number, sorted. */
interface Table {
  entries: Float64Array | null;
  asked: number;
  isLoading: boolean;
  /** How many archetypes there were when it was taken in. */
  types: number;
}

/**
 * The indexes of the newest version of a layer that are asked again and again, in memory: a look-up in the store waits for
 * one iterator per archetype. They are taken in beside the questions, which nobody waits for, and follow commits.
 */
class HotIndexes {
  readonly #tables = new Map<string, Table>();
  /** What commits wrote since; undefined: it is gone. */
  readonly #changed = new Map<string, StoredNode | undefined>();

  constructor(
    private readonly names: NodeNames,
    /** Bytes that these and the names of nodes may take. */
    private readonly budget: number,
  ) {}

  /** Bytes of memory. */
  get bytes(): number {
    let sum = 0;
    for (const { entries } of this.#tables.values()) sum += entries?.byteLength ?? 0;
    return sum;
  }

  /**
   * The ids of all nodes whose property has a value, and of few others that share its hash; by id. Undefined where the
   * store has to be asked.
   */
  find(query: IndexQuery, of: IndexedRanges): string[] | undefined {
    const { property, equals } = query;
    if (property === null || equals === undefined || property.includes('+')) return undefined;
    const table = this.#tableOf(`${query.type}\0${property}`);
    if (table.entries === null || table.types !== of.types.size) {
      table.asked += 1;
      if (table.asked >= ASKED_FIRST && !table.isLoading) void this.#load(table, of);
      return undefined;
    }
    const ids: string[] = [];
    for (const id of this.#idsOf(table.entries, hashOf(encodeValue(equals))))
      if (!this.#changed.has(id)) ids.push(id);
    for (const [id, node] of this.#changed)
      if (node && of.types.has(node.type) && hasValue(node.props, property, equals)) ids.push(id);
    return ids.sort(compareIds);
  }

  /** Takes over what a commit wrote. @param nodes Null: it is not known what is stored. */
  follow(nodes: LayerChanges['nodes'] | null): void {
    if (this.#tables.size === 0) return;
    for (const { id, after } of nodes ?? []) this.#changed.set(id, after);
    if (nodes !== null && this.#changed.size <= MOST_CHANGED) return;
    this.clear();
  }

  /** Lets go of everything. */
  clear(): void {
    this.#tables.clear();
    this.#changed.clear();
  }

  #tableOf(name: string): Table {
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = { entries: null, asked: 0, isLoading: false, types: 0 };
      this.#tables.set(name, table);
    }
    return table;
  }

  /** Gives up where a commit or the end of the store comes between: whoever asks next begins again. */
  async #load(table: Table, { types, store, ranges, isNewest }: IndexedRanges): Promise<void> {
    table.isLoading = true;
    table.asked = 0;
    try {
      const entries: number[] = [];
      for (const range of ranges())
        for await (const page of store.scan(range)) {
          if (!isNewest() || this.names.bytes + this.bytes + 8 * entries.length > this.budget) return;
          for (const [key, value] of page) {
            const node = this.names.numberOf(indexedId(key, value));
            if (node >= NODES) return;
            entries.push(hashOf(indexedValue(key)) * NODES + node);
          }
        }
      if (!isNewest()) return;
      table.entries = Float64Array.from(entries).sort();
      table.types = types.size;
    } catch {
      // The store was closed.
    } finally {
      table.isLoading = false;
    }
  }

  *#idsOf(entries: Float64Array, hash: number): Generator<string> {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((entries[middle] ?? 0) < hash * NODES) low = middle + 1;
      else high = middle;
    }
    for (; low < entries.length; low += 1) {
      const node = (entries[low] ?? 0) - hash * NODES;
      if (node >= NODES) return;
      yield this.names.nameOf(node);
    }
  }
}

function hasValue(props: StoredNode['props'], index: string, value: unknown): boolean {
  const list = index.endsWith('[]') ? props[index.slice(0, -'[]'.length)] : undefined;
  return Array.isArray(list) ? list.includes(value) : props[index] === value;
}

/** 32 bits of FNV-1a. */
function hashOf(bytes: Bytes): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Bytes in memory for each byte of a record, about: names of properties are shared, values are objects. */
const PER_BYTE = 4;

const PER_RECORD = 200;

/**
 * What was decoded and asked for of late, by id. Two halves: what is asked for again moves to the younger one, and when
 * that is full the older one is let go.
 */
class Recent<T> {
  #young = new Map<string, T>();
  #old = new Map<string, T>();
  #bytes = 0;

  /** @param most Bytes of memory, about. */
  constructor(private readonly most: number) {}

  get(id: string): T | undefined {
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const old = this.#old.get(id);
    if (old === undefined) return undefined;
    this.#old.delete(id);
    // What it takes was told when it came; an average record stands for it.
    this.set(id, old, PER_RECORD);
    return old;
  }

  /** Keeps what is known under an id. @param size Bytes of the record that it comes from, or that comes to it. */
  set(id: string, known: T, size: number): void {
    this.#bytes += PER_RECORD + PER_BYTE * size;
    this.#young.set(id, known);
    if (this.#bytes < this.most / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }

  delete(id: string): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }
}

/** What is known of a node's id. */
export interface RecentNode {
  /** Null: there is no node. */
  readonly node: HotNode | null;
  /** Its archetype when it was decoded, if it was loaded: by it the fields were chosen. */
  readonly loaded: NodeType | undefined;
}

/** What is known of an edge. */
export interface RecentEdge {
  readonly edge: StoredEdge;
  readonly loaded: EdgeType | undefined;
}

/**
 * What was read of the newest version of a layer, compact in memory: adjacency as numbers in typed arrays, and decoded
 * nodes. It takes in what runs read, lets go of what commits write, and may be dropped at any time.
 */
export class HotGraph {
  readonly names = new NodeNames();
  readonly nodes = new Recent<RecentNode>(LIMITS.hotNodes.max);
  /** Edges with all their properties, by the node that they leave, then by what tells them from its others. */
  readonly edges = new Recent<Map<string, RecentEdge>>(LIMITS.hotEdges.max);
  readonly indexes: HotIndexes;
  /** By type code and direction. */
  readonly #lanes: (Lane | undefined)[] = [];
  #isFull = false;
  #isWorn = false;
  /** Bytes that were taken in since it was weighed. */
  #unweighed = 0;
  /** Marks of nodes, so that a hop tells which it has met. */
  #stamps = new Int32Array(0);
  #stamp = 0;

  /** @param budget Bytes that its adjacency may take. */
  constructor(private readonly budget: number) {
    this.indexes = new HotIndexes(this.names, budget / 2);
  }

  lane(typeCode: number, direction: Direction): Lane {
    const at = 2 * typeCode + (direction === 'out' ? 0 : 1);
    let lane = this.#lanes[at];
    if (lane === undefined) {
      lane = new Lane();
      this.#lanes[at] = lane;
    }
    return lane;
  }

  /** Takes in one node's adjacency in a lane, if there is room. */
  take(lane: Lane, node: number, stored: readonly Bytes[]): void {
    if (this.#isFull) return;
    lane.put(node, stored, this.#numberOf);
    this.#unweighed += LEAST;
    for (const { length } of stored) this.#unweighed += length;
    if (this.#unweighed > Math.min(WEIGHED_AT, this.budget)) this.#weigh();
  }

  /** Whether nothing more is taken in. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Bytes of memory that its adjacency and its indexes take, about. */
  get bytes(): number {
    let sum = this.names.bytes + this.indexes.bytes + this.#stamps.byteLength;
    for (const lane of this.#lanes) sum += lane?.bytes ?? 0;
    return sum;
  }

  /** Whether most of what it holds was written anew since: then another takes its place. */
  get isWorn(): boolean {
    return this.#isWorn;
  }

  /** Lets go of all that is known of a node. */
  forget(id: string): void {
    this.nodes.delete(id);
    this.edges.delete(id);
    const node = this.names.knownNumberOf(id);
    if (node === undefined) return;
    for (const lane of this.#lanes) lane?.forget(node);
  }

  /** Marks for one hop, by node number: those of nodes that it has met are set to the stamp, by the caller. */
  marks(): { readonly stamps: Int32Array; readonly stamp: number } {
    const { count } = this.names;
    if (this.#stamps.length < count) {
      this.#stamps = new Int32Array(count + (count >>> 1) + 1);
      this.#stamp = 0;
    }
    if (this.#stamp === LAST_STAMP) {
      this.#stamps.fill(0);
      this.#stamp = 0;
    }
    this.#stamp += 1;
    return { stamps: this.#stamps, stamp: this.#stamp };
  }

  #weigh(): void {
    this.#unweighed = 0;
    this.#isFull = this.bytes > this.budget;
    let [all, dropped] = [0, 0];
    for (const lane of this.#lanes) {
      all += lane?.edges.all ?? 0;
      dropped += lane?.edges.dropped ?? 0;
    }
    this.#isWorn = 2 * dropped > all;
  }

  readonly #numberOf = (id: string): number => this.names.numberOf(id);
}

/** After so many bytes of records it looks again whether there is room for more. */
const WEIGHED_AT = 64 * 1024;
/** What a node takes that has no edges. */
const LEAST = 4;
const LAST_STAMP = 0x7fffffff;
