import type { NodeType } from '../../schema/index.js';
import type { HotNode } from '../layer.js';

/** Bytes in memory for each byte of a record, about: names of properties are shared, values are objects. */
const PER_BYTE = 4;
const PER_NODE = 200;

/** What is known of an id. */
export interface RecentNode {
  /** Null: there is no node. */
  readonly node: HotNode | null;
  /** Its archetype when it was decoded, if it was loaded: by it the fields were chosen. */
  readonly loaded: NodeType | undefined;
}

/**
 * Decoded nodes by id that were asked for of late. Two halves: what is asked for again moves to the younger one, and
 * when that is full the older one is let go.
 */
export class RecentNodes {
  readonly #most: number;
  #young = new Map<string, RecentNode>();
  #old = new Map<string, RecentNode>();
  #bytes = 0;

  /** @param most Bytes of memory, about. */
  constructor(most: number) {
    this.#most = most;
  }

  get(id: string): RecentNode | undefined {
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const old = this.#old.get(id);
    if (old === undefined) return undefined;
    this.#old.delete(id);
    // What it takes was told when it came; an average node stands for it.
    this.set(id, old, PER_NODE);
    return old;
  }

  /** Keeps what is known of an id. @param size Bytes of its record. */
  set(id: string, known: RecentNode, size: number): void {
    this.#bytes += PER_NODE + PER_BYTE * size;
    this.#young.set(id, known);
    if (this.#bytes < this.#most / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }

  delete(id: string): void {
    this.#young.delete(id);
    this.#old.delete(id);
  }
}
