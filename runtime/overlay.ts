import type { AdjacencyEntry, Direction, EdgeAddress, StoredNode } from '../storage/index.js';
import { addressKey, addressOf, entryAddress, propsOf } from './element.js';
import type { EdgeRef, NodeRef } from './refs.js';

/** Creation numbers of edges that are not committed yet start here: after every stored one, in their order. */
const FIRST_PROVISIONAL_SEQ = 2 ** 48;

/** What a transaction changed and has not committed: node changes, added, changed and removed edges. */
export class Overlay {
  /** Changed nodes: the record they had when they were first touched, and the live reference (undefined: deleted). */
  readonly nodes = new Map<string, { before: StoredNode | undefined; after: NodeRef | undefined }>();
  /** Added or changed edges by address. `stored` tells whether the store has the edge already. */
  readonly edges = new Map<string, { ref: EdgeRef; stored: boolean }>();
  /** Stored edges that were removed, by address. */
  readonly removed = new Map<string, EdgeAddress>();
  readonly #added = new Map<string, AdjacencyEntry[]>();
  #seq = FIRST_PROVISIONAL_SEQ;

  get isEmpty(): boolean {
    return this.nodes.size === 0 && this.edges.size === 0 && this.removed.size === 0;
  }

  /** The edge types with changes: an untyped hop must look at them too. */
  readonly edgeTypes = new Set<string>();

  /** Forgets everything: after a commit. Provisional numbers go on. */
  clear(): void {
    this.nodes.clear();
    this.edges.clear();
    this.removed.clear();
    this.edgeTypes.clear();
    this.#added.clear();
  }

  nextSeq(): number {
    return this.#seq++;
  }

  /** Records that a node changes; `before` counts only the first time. */
  touch(id: string, before: StoredNode | undefined, after: NodeRef | undefined): void {
    const known = this.nodes.get(id);
    this.nodes.set(id, { before: known ? known.before : before, after });
  }

  /** Adds an edge, or replaces the properties of one with the same address. */
  put(ref: EdgeRef, stored: boolean, typeOf: (id: string) => string): void {
    const address = addressOf(ref);
    const key = addressKey(address);
    const known = this.edges.get(key);
    if (known) this.#forget(known.ref);
    this.edges.set(key, { ref, stored: stored || (known?.stored ?? this.removed.delete(key)) });
    this.edgeTypes.add(address.type);
    for (const [node, direction, entry] of entriesOf(ref, typeOf)) {
      const at = adjacencyKey(node, direction, address.type);
      const list = this.#added.get(at);
      if (list) list.push(entry);
      else this.#added.set(at, [entry]);
    }
  }

  /** Removes an edge, whether it was stored or only added. */
  remove(address: EdgeAddress): void {
    const key = addressKey(address);
    const known = this.edges.get(key);
    if (known) {
      this.edges.delete(key);
      this.#forget(known.ref);
    }
    if (!known || known.stored) this.removed.set(key, address);
    this.edgeTypes.add(address.type);
  }

  /** The entries of one adjacency record with this overlay's changes; `base` as the store has it. */
  apply(
    node: string,
    direction: Direction,
    edgeType: string,
    base: readonly AdjacencyEntry[],
  ): readonly AdjacencyEntry[] {
    const added = this.#added.get(adjacencyKey(node, direction, edgeType));
    const kept = this.edgeTypes.has(edgeType) ? base.filter((entry) => !this.#hides(node, entry)) : base;
    if (!added) return kept.length === base.length ? base : kept;
    return [...kept, ...added];
  }

  #hides(node: string, entry: AdjacencyEntry): boolean {
    const key = addressKey(entryAddress(node, entry));
    return this.removed.has(key) || this.edges.has(key);
  }

  #forget(ref: EdgeRef): void {
    const key = addressKey(addressOf(ref));
    const ends = ref.from === ref.to ? [ref.from] : [ref.from, ref.to];
    for (const node of ends) {
      for (const direction of ['out', 'in'] as const) {
        const at = adjacencyKey(node, direction, ref.archetype.name);
        const list = this.#added.get(at);
        if (!list) continue;
        const rest = list.filter((entry) => addressKey(entryAddress(node, entry)) !== key);
        if (rest.length > 0) this.#added.set(at, rest);
        else this.#added.delete(at);
      }
    }
  }
}

/** One string per adjacency record, for maps. */
export function adjacencyKey(node: string, direction: Direction, edgeType: string): string {
  return `${direction}\0${edgeType}\0${node}`;
}

/** The adjacency entries that an edge makes: one at each end, or both directions at both ends when undirected. */
function* entriesOf(
  ref: EdgeRef,
  typeOf: (id: string) => string,
): Generator<[node: string, direction: Direction, entry: AdjacencyEntry]> {
  const { type, from, to, seq } = addressOf(ref);
  const props = propsOf(ref);
  const shared = { edgeType: type, undirected: ref.undirected, seq, props };
  const atSource: AdjacencyEntry = { ...shared, far: to, farType: typeOf(to), outgoing: true };
  const atTarget: AdjacencyEntry = { ...shared, far: from, farType: typeOf(from), outgoing: false };
  yield [from, 'out', atSource];
  yield [to, 'in', atTarget];
  if (ref.undirected && from !== to) {
    yield [from, 'in', atSource];
    yield [to, 'out', atTarget];
  }
}
