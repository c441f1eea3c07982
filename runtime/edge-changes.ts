import type { AdjacencyEntry, EdgeAddress } from '../storage/index.js';
import { addressOf, propsOf } from './element.js';
import type { EdgeRef } from './refs.js';

/** An added or changed edge of a transaction. */
export interface EdgeChange {
  ref: EdgeRef;
  /** Whether the store has the edge already; false also where that is not known (canonical types). */
  stored: boolean;
  /** False once it was removed again. */
  live: boolean;
}

/** From type to source to what tells an edge from its siblings: its target or its number. */
type Index = Map<string, Map<string, Map<string | number, EdgeChange>>>;

/**
 * Added and changed edges, in the order in which they were made, found by address. Edges of creation types are
 * indexed only when one is looked for: bulk writers never do, and each edge costs them one small object.
 */
export class EdgeChanges implements Iterable<EdgeChange> {
  readonly #list: EdgeChange[] = [];
  readonly #index: Index = new Map();
  #indexed = 0;
  #live = 0;

  /** How many there are. */
  get size(): number {
    return this.#live;
  }

  /** How many were ever added, removed ones included: places of {@link EdgeChanges.at}. */
  get places(): number {
    return this.#list.length;
  }

  /** The change at a place, removed ones included. */
  at(place: number): EdgeChange | undefined {
    return this.#list[place];
  }

  find(address: EdgeAddress): EdgeChange | undefined {
    if (this.#list.length === 0) return undefined;
    this.#catchUp();
    return this.#index.get(address.type)?.get(address.from)?.get(tellOf(address));
  }

  /** Adds a change of an edge that has none yet. */
  add(ref: EdgeRef, stored: boolean): void {
    this.#list.push({ ref, stored, live: true });
    this.#live++;
  }

  /** Takes a change back. */
  drop(change: EdgeChange): void {
    const address = addressOf(change.ref);
    this.#index.get(address.type)?.get(address.from)?.delete(tellOf(address));
    change.live = false;
    this.#live--;
  }

  *[Symbol.iterator](): Generator<EdgeChange> {
    for (const change of this.#list) if (change.live) yield change;
  }

  #catchUp(): void {
    for (; this.#indexed < this.#list.length; this.#indexed++) {
      const change = this.#list[this.#indexed];
      if (!change?.live) continue;
      const address = addressOf(change.ref);
      const bySource = grown(this.#index, address.type, () => new Map());
      grown(bySource, address.from, () => new Map()).set(tellOf(address), change);
    }
  }
}

/** The value of a key, made when it is not there. */
export function grown<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** What tells an edge from others of its type and source: creation numbers are unique, canonical edges are by target. */
function tellOf({ to, seq }: EdgeAddress): string | number {
  return seq === 0 ? to : seq;
}

/** An adjacency entry of an edge that is not committed: it shows the edge as it is now. */
export class OwnEntry implements AdjacencyEntry {
  readonly change: EdgeChange;
  readonly outgoing: boolean;
  readonly #typeOf: (id: string) => string;

  constructor(change: EdgeChange, outgoing: boolean, typeOf: (id: string) => string) {
    this.change = change;
    this.outgoing = outgoing;
    this.#typeOf = typeOf;
  }

  get edgeType(): string {
    return this.change.ref.archetype.name;
  }

  get far(): string {
    return this.outgoing ? this.change.ref.to : this.change.ref.from;
  }

  get farType(): string {
    return this.#typeOf(this.far);
  }

  get undirected(): boolean {
    return this.change.ref.undirected;
  }

  get seq(): number {
    return addressOf(this.change.ref).seq;
  }

  get props(): Readonly<Record<string, unknown>> {
    return propsOf(this.change.ref);
  }
}
