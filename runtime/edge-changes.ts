import type { EdgeDraft, EdgeType } from '../schema/index.js';
import type { AdjacencyEntry, EdgeAddress, StoredEdge } from '../storage/index.js';
import { EdgeElement, propsOf, toStoredEdge } from './element.js';
import type { EdgeRef } from './refs.js';

/**
 * An added or changed edge of a transaction. Its reference is made when somebody asks for it: edges of bulk writers are
 * committed as they were drafted.
 */
export class EdgeChange implements StoredEdge {
  readonly archetype: EdgeType;
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly undirected: boolean;
  /** As it was drafted; a reference shows the properties of now. */
  readonly props: Readonly<Record<string, unknown>>;
  seq: number;
  /** Whether the store has the edge already; false also where that is not known (canonical types). */
  stored: boolean;
  /** False once it was removed again. */
  live = true;
  #ref: EdgeRef | null;

  private constructor(
    archetype: EdgeType,
    address: Omit<EdgeAddress, 'type'> & { readonly undirected: boolean },
    props: Readonly<Record<string, unknown>>,
    ref: EdgeRef | null,
    stored: boolean,
  ) {
    this.archetype = archetype;
    this.type = archetype.name;
    this.from = address.from;
    this.to = address.to;
    this.undirected = address.undirected;
    this.props = props;
    this.seq = address.seq;
    this.stored = stored;
    this.#ref = ref;
  }

  /** A new edge, from its draft. */
  static drafted({ archetype, props }: EdgeDraft, from: string, to: string, seq: number): EdgeChange {
    return new EdgeChange(archetype, { from, to, seq, undirected: false }, props, null, false);
  }

  /** What a reference shows. */
  static of(ref: EdgeRef, stored: boolean): EdgeChange {
    const { from, to, undirected } = ref;
    const address = { from, to, undirected, seq: EdgeElement.seqOf(ref) };
    return new EdgeChange(ref.archetype, address, NO_PROPS, ref, stored);
  }

  get ref(): EdgeRef {
    this.#ref ??= new EdgeElement(this.archetype, this, this.props) as unknown as EdgeRef;
    return this.#ref;
  }

  set ref(ref: EdgeRef) {
    this.#ref = ref;
  }

  /** The properties as they are now. */
  get shown(): Readonly<Record<string, unknown>> {
    return this.#ref === null ? this.props : propsOf(this.#ref);
  }

  /** Gives a new edge the creation number that its commit has for it. */
  number(seq: number): void {
    this.seq = seq;
    if (this.#ref !== null) EdgeElement.number(this.#ref, seq);
  }

  /** The edge as a record. */
  record(): StoredEdge {
    return this.#ref === null ? this : toStoredEdge(this.#ref, this.seq);
  }
}

const NO_PROPS: Readonly<Record<string, unknown>> = {};

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
  #seen = false;
  #live = 0;

  get size(): number {
    return this.#live;
  }

  /** How many were ever added, removed ones included: places of {@link EdgeChanges.at}. */
  get places(): number {
    return this.#list.length;
  }

  /** The change at a place, removed ones included. */
  at(place: number): EdgeChange | undefined {
    this.#catchUp();
    return this.#list[place];
  }

  find(address: EdgeAddress): EdgeChange | undefined {
    this.#catchUp();
    if (this.#list.length === 0) return undefined;
    return this.#index.get(address.type)?.get(address.from)?.get(tellOf(address));
  }

  /** Whether none was looked for, nor looked at in its place. */
  get isUnseen(): boolean {
    return !this.#seen;
  }

  /** Adds a change of an edge that has none yet; while they are unseen, one of an edge that may have one. */
  add(change: EdgeChange): void {
    this.#list.push(change);
    this.#live++;
  }

  /** Takes a change back. */
  drop(change: EdgeChange): void {
    this.#index.get(change.type)?.get(change.from)?.delete(tellOf(change));
    change.live = false;
    this.#live--;
  }

  *[Symbol.iterator](): Generator<EdgeChange> {
    for (const change of this.#list) if (change.live) yield change;
  }

  #catchUp(): void {
    this.#seen = true;
    for (; this.#indexed < this.#list.length; this.#indexed++) {
      const change = this.#list[this.#indexed];
      if (!change?.live) continue;
      const bySource = grown(this.#index, change.type, () => new Map());
      const siblings = grown(bySource, change.from, () => new Map());
      // Of several with one address, the last counts.
      const earlier = siblings.get(tellOf(change));
      if (earlier) this.drop(earlier);
      siblings.set(tellOf(change), change);
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
    return this.change.type;
  }

  get far(): string {
    return this.outgoing ? this.change.to : this.change.from;
  }

  get farType(): string {
    return this.#typeOf(this.far);
  }

  get undirected(): boolean {
    return this.change.undirected;
  }

  get seq(): number {
    return this.change.seq;
  }

  get props(): Readonly<Record<string, unknown>> {
    return this.change.shown;
  }
}
