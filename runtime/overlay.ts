import type { Layer, NodeDraft } from '../schema/index.js';
import type { AdjacencyEntry, Direction, EdgeAddress, StoredNode } from '../storage/index.js';
import { EdgeChange, EdgeChanges, grown, OwnEntry } from './edge-changes.js';
import { addressKey, addressOf, entryAddress } from './element.js';
import type { EdgeRef, NodeRef } from './refs.js';

/** Creation numbers of edges that are not committed yet start here: after every stored one, in their order. */
const FIRST_PROVISIONAL_SEQ = 2 ** 48;

/** A node's record before a run changed it, and the layer that has it. */
export interface NodeBefore {
  readonly record: StoredNode;
  readonly layer: Layer;
}

/**
 * A changed node: what it was when it was first touched, and what it is now: the live reference, or the draft that it
 * was put with and that nobody has changed; undefined: deleted.
 */
export interface NodeChange {
  readonly before: NodeBefore | undefined;
  readonly after: NodeRef | NodeDraft | undefined;
}

/** What a transaction changed and has not committed: node changes, added, changed and removed edges. */
export class Overlay {
  readonly nodes = new Map<string, NodeChange>();
  /** Stored edges that were removed, by address. */
  readonly removed = new Map<string, { address: EdgeAddress; layer: Layer }>();
  /** The edge types with changes: an untyped hop must look at them too. */
  readonly edgeTypes = new Set<string>();
  readonly #typeOf: (id: string) => string;
  #edges = new EdgeChanges();
  /** References of edges that were added and removed again: changing one of them adds nothing. */
  readonly #dropped = new WeakSet<EdgeRef>();
  /** By direction and type, then by node; made when the first adjacency is looked at. */
  #entries = new Map<string, Map<string, OwnEntry[]>>();
  #entered = 0;
  /** Whether any node was: links ask it of both their ends. */
  #deleted = false;
  #seq = FIRST_PROVISIONAL_SEQ;

  /** @param typeOf The archetype name of a node now. */
  constructor(typeOf: (id: string) => string) {
    this.#typeOf = typeOf;
  }

  get isEmpty(): boolean {
    return this.nodes.size === 0 && this.#edges.size === 0 && this.removed.size === 0;
  }

  /** Added and changed edges, in the order in which they were made. */
  get edges(): EdgeChanges {
    return this.#edges;
  }

  /** Forgets everything: after a commit. Provisional numbers go on. */
  clear(): void {
    this.nodes.clear();
    this.removed.clear();
    this.edgeTypes.clear();
    this.#edges = new EdgeChanges();
    this.#entries = new Map();
    this.#entered = 0;
    this.#deleted = false;
  }

  nextSeq(): number {
    return this.#seq++;
  }

  /** Records that a node changes; `before` counts only the first time. */
  touch(id: string, before: NodeBefore | undefined, after: NodeChange['after']): void {
    const known = this.nodes.get(id);
    this.nodes.set(id, { before: known ? known.before : before, after });
    if (!after) this.#deleted = true;
  }

  /** Whether a node was deleted. */
  isDeleted(id: string): boolean {
    if (!this.#deleted) return false;
    const change = this.nodes.get(id);
    return change !== undefined && change.after === undefined;
  }

  /** Adds an edge that no other edge here can have the address of: one with a new number. */
  add(edge: EdgeChange): void {
    this.edgeTypes.add(edge.type);
    this.#edges.add(edge);
  }

  /**
   * Whether nobody has looked for an edge here: then new ones of canonical types may be added as they come, for of
   * several with one address the commit takes the last.
   */
  get isUnseen(): boolean {
    return this.removed.size === 0 && this.#edges.isUnseen;
  }

  /** Adds an edge, or puts another in the place of the one with its address. */
  put(ref: EdgeRef, stored: boolean): void {
    const address = addressOf(ref);
    this.edgeTypes.add(address.type);
    const known = this.#edges.find(address);
    if (known && known.undirected === ref.undirected) {
      known.ref = ref;
      known.stored ||= stored;
      return;
    }
    if (known) this.#edges.drop(known);
    const wasRemoved = this.removed.size > 0 && this.removed.delete(addressKey(address));
    this.#edges.add(EdgeChange.of(ref, stored || wasRemoved || (known?.stored ?? false)));
  }

  /** Removes an edge, whether it was stored or only added. */
  remove(ref: EdgeRef): void {
    const address = addressOf(ref);
    const known = this.#edges.find(address);
    if (known) {
      this.#edges.drop(known);
      this.#dropped.add(known.ref);
    }
    // A canonical edge may stand in the store whether or not that was looked at (its number is 0).
    if (!known || known.stored || address.seq === 0) {
      this.removed.set(addressKey(address), { address, layer: ref.archetype.layer });
    }
    this.edgeTypes.add(address.type);
  }

  /** Whether the edge behind a reference was removed. */
  isRemoved(ref: EdgeRef): boolean {
    if (this.#dropped.has(ref)) return this.#edges.find(addressOf(ref))?.ref !== ref;
    return this.removed.size > 0 && this.removed.has(addressKey(addressOf(ref)));
  }

  /** The entries of one adjacency record with this overlay's changes; `base` as the store has it. */
  apply(
    node: string,
    direction: Direction,
    edgeType: string,
    base: readonly AdjacencyEntry[],
  ): readonly AdjacencyEntry[] {
    if (!this.edgeTypes.has(edgeType)) return base;
    this.#enterAll();
    const added = this.#entries.get(listKey(direction, edgeType))?.get(node);
    const live = added?.filter(({ change }) => change.live) ?? [];
    const kept = base.filter((entry) => !this.#hides(node, entry));
    return live.length === 0 && kept.length === base.length ? base : [...kept, ...live];
  }

  #hides(node: string, entry: AdjacencyEntry): boolean {
    const address = entryAddress(node, entry);
    if (this.removed.size > 0 && this.removed.has(addressKey(address))) return true;
    return this.#edges.find(address) !== undefined;
  }

  /** Enters at both ends the edges that were made since the last look: at both sides of each where they are undirected. */
  #enterAll(): void {
    for (; this.#entered < this.#edges.places; this.#entered++) {
      const change = this.#edges.at(this.#entered);
      if (!change?.live) continue;
      const { type, from, to, undirected } = change;
      const atSource = new OwnEntry(change, true, this.#typeOf);
      const atTarget = new OwnEntry(change, false, this.#typeOf);
      this.#enter(from, 'out', type, atSource);
      this.#enter(to, 'in', type, atTarget);
      if (!undirected || from === to) continue;
      this.#enter(from, 'in', type, atSource);
      this.#enter(to, 'out', type, atTarget);
    }
  }

  #enter(node: string, direction: Direction, edgeType: string, entry: OwnEntry): void {
    const lists = grown(this.#entries, listKey(direction, edgeType), () => new Map<string, OwnEntry[]>());
    grown(lists, node, () => []).push(entry);
  }
}

/** One string per adjacency record, for sets. */
export function adjacencyKey(node: string, direction: Direction, edgeType: string): string {
  return `${listKey(direction, edgeType)}\0${node}`;
}

function listKey(direction: Direction, edgeType: string): string {
  return `${direction}\0${edgeType}`;
}
