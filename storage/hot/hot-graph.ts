import { type EdgeType, LIMITS, type NodeType } from '../../schema/index.js';
import type { Bytes } from '../kv.js';
import type { Direction, HotNode, StoredEdge } from '../layer.js';
import { HotIndexes } from './hot-indexes.js';
import { Lane } from './lane.js';
import { NodeNames } from './node-names.js';

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
