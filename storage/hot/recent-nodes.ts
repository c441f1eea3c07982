import type { StoredNode } from '../layer.js';

/** Bytes in memory for each byte of a record, about: names of properties are shared, values are objects. */
const PER_BYTE = 4;
const PER_NODE = 200;

/**
 * Decoded nodes by id that were asked for of late; null: there is none. Two halves: what is asked for again moves to the
 * younger one, and when that is full the older one is let go.
 */
export class RecentNodes {
  readonly #most: number;
  #young = new Map<string, StoredNode | null>();
  #old = new Map<string, StoredNode | null>();
  #bytes = 0;

  /** @param most Bytes of memory, about. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Undefined: not known. */
  get(id: string): StoredNode | null | undefined {
    return this.#young.get(id) ?? this.#again(id);
  }

  /** Keeps a node. @param size Bytes of its record. */
  set(id: string, node: StoredNode | null, size: number): void {
    this.#bytes += PER_NODE + PER_BYTE * size;
    this.#young.set(id, node);
    if (this.#bytes < this.#most / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }

  delete(id: string): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }

  #again(id: string): StoredNode | null | undefined {
    if (this.#young.has(id)) return null;
    const node = this.#old.get(id);
    if (node === undefined) return undefined;
    this.#old.delete(id);
    // What it takes was told when it came; half of an average node stands for it.
    this.set(id, node, PER_NODE);
    return node;
  }
}
