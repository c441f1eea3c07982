import { compareIds } from '../entry-order.js';
import { encodeValue, indexedId, indexedValue } from '../index-keys.js';
import type { Bytes, KeyRange, KeyValueReader } from '../kv.js';
import type { IndexQuery, LayerChanges, StoredNode } from '../layer.js';
import type { NodeNames } from './node-names.js';

/** Look-ups in an index that the store answers before all of it is taken into memory. */
const ASKED_FIRST = 4;
/** Nodes that commits wrote since indexes were taken in; of more everything is taken in anew. */
const MOST_CHANGED = 1000;
/** Numbers of nodes are less: with 32 bits of a hash beside it one is still a whole number. */
const NODES = 2 ** 21;

/** What of a store an index consists of. */
export interface IndexedRanges {
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
export class HotIndexes {
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
