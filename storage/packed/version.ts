import type { Direction } from '../layer.js';
import { EdgeTable } from './edge-table.js';
import type { NodeNames } from './node-names.js';
import type { Pack } from './pack.js';
import type { ValueIndex } from './value-index.js';

/** Edges in packs that changed since tables were made: with more, or a share of all, they are made again. */
const [MOST_CHANGED, SHARE] = [2000, 16];

/** What is the same for all versions of a layer. */
export interface Naming {
  readonly names: NodeNames;
  /** Numbers of owners: places in {@link Version.packs}. */
  readonly owners: Map<string, number>;
}

/** Tables over the packs of one version, made when they are needed. Later versions use them for what did not change. */
class Tables {
  readonly #edges: Partial<Record<Direction, EdgeTable>> = {};
  readonly #indexes = new Map<string, ValueIndex>();

  constructor(
    readonly packs: readonly Pack[],
    private readonly names: NodeNames,
  ) {}

  edges(direction: Direction): EdgeTable {
    this.#edges[direction] ??= new EdgeTable(this.packs, direction, this.names);
    return this.#edges[direction];
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
  }

  clear(): void {
    this.#indexes.clear();
    delete this.#edges.in;
    delete this.#edges.out;
  }

  index(name: string, make: (packs: readonly Pack[]) => ValueIndex): ValueIndex {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = make(this.packs);
      this.#indexes.set(name, index);
    }
    return index;
  }
}

/**
 * One version of a layer: its packs, and where each node is. It never changes. A commit makes the next one of it, which
 * shares what did not change.
 */
export class Version {
  readonly #naming: Naming;
  /** By node number: one more than the place of its pack, 0 where it is none of this layer; and its row there. */
  readonly #packOf: Int32Array;
  readonly #rowOf: Int32Array;
  /** By node number: the code of its archetype, so that a hop need not look at the pack of each far node. */
  readonly #codeOf: Uint16Array;
  readonly #base: Tables;
  /** Tables over the packs that the base does not have; null where there are none. */
  readonly #changed: Tables | null;
  /** Which packs are those of the base. */
  readonly #isBase: ((pack: Pack) => boolean) | null;
  /** Whether all ids that its edges name have numbers. */
  #isNamed = false;
  /** How many there are of each type, by code. */
  readonly counts: ReadonlyMap<number, number>;

  private constructor(
    readonly packs: readonly (Pack | undefined)[],
    naming: Naming,
    places: { readonly packOf: Int32Array; readonly rowOf: Int32Array; readonly codeOf: Uint16Array },
    counts: ReadonlyMap<number, number>,
    before: Tables | null,
    /** Whether it has all packs of the layer; else those that questions needed. */
    readonly isWhole: boolean,
  ) {
    this.#naming = naming;
    this.#packOf = places.packOf;
    this.#rowOf = places.rowOf;
    this.#codeOf = places.codeOf;
    this.counts = counts;
    const live = packs.filter((pack) => pack !== undefined);
    const shared = new Set(before?.packs);
    const fresh = before === null ? [] : live.filter((pack) => !shared.has(pack));
    const edges = fresh.reduce((sum, pack) => sum + pack.edgeCount + pack.nodeCount, 0);
    const all = live.reduce((sum, pack) => sum + pack.edgeCount + pack.nodeCount, 0);
    if (before === null || edges > Math.max(MOST_CHANGED, all / SHARE)) {
      this.#base = new Tables(live, naming.names);
      this.#changed = null;
      this.#isBase = null;
      return;
    }
    const living = new Set(live);
    const isSame = fresh.length === 0 && before.packs.every((pack) => living.has(pack));
    this.#base = before;
    this.#changed = fresh.length === 0 ? null : new Tables(fresh, naming.names);
    this.#isBase = isSame ? null : (pack) => living.has(pack);
  }

  static empty(naming: Naming): Version {
    const places = { packOf: new Int32Array(0), rowOf: new Int32Array(0), codeOf: new Uint16Array(0) };
    return new Version([], naming, places, new Map(), null, true);
  }

  /** The version in which these owners have these packs, or none. */
  with(changes: ReadonlyMap<string, Pack | undefined>, isWhole = this.isWhole): Version {
    const { names, owners } = this.#naming;
    const packs = [...this.packs];
    const counts = new Map(this.counts);
    const count = (pack: Pack, sign: 1 | -1) => {
      for (const [code, many] of pack.counts) counts.set(code, (counts.get(code) ?? 0) + sign * many);
    };
    const length = Math.max(names.count, this.#packOf.length);
    const packOf = new Int32Array(length);
    packOf.set(this.#packOf);
    const rowOf = new Int32Array(length);
    rowOf.set(this.#rowOf);
    const codeOf = new Uint16Array(length);
    codeOf.set(this.#codeOf);
    const gone: [Pack, number][] = [];
    for (const [owner, pack] of changes) {
      let place = owners.get(owner);
      if (place === undefined) {
        place = owners.size;
        owners.set(owner, place);
      }
      const before = packs[place];
      if (before) {
        gone.push([before, place]);
        count(before, -1);
      }
      packs[place] = pack;
      if (pack) count(pack, 1);
    }
    for (const [{ numbers }, place] of gone)
      for (const number of numbers)
        if (packOf[number] === place + 1) {
          packOf[number] = 0;
          codeOf[number] = 0;
        }
    for (const [owner, pack] of changes) {
      const place = owners.get(owner) ?? 0;
      for (const [row, number] of pack?.numbers.entries() ?? []) {
        packOf[number] = place + 1;
        rowOf[number] = row;
        codeOf[number] = pack?.codeOf(row) ?? 0;
      }
    }
    return new Version(
      packs,
      this.#naming,
      { packOf, rowOf, codeOf },
      counts,
      this.packs.length === 0 ? null : this.#base,
      isWhole,
    );
  }

  get names(): NodeNames {
    return this.#naming.names;
  }

  /** The number of an id that has edges here, whether or not it is a node of this layer. */
  numberOf(id: string): number | undefined {
    const known = this.names.knownNumberOf(id);
    if (known !== undefined || this.#isNamed) return known;
    // What is no node is known by the edges that name it.
    for (const pack of this.packs) void pack?.edges;
    this.#isNamed = true;
    return this.names.knownNumberOf(id);
  }

  /** The pack of an owner. */
  packAt(owner: string): Pack | undefined {
    return this.packs[this.#naming.owners.get(owner) ?? -1];
  }

  /** The pack of a node; undefined where there is no such node. */
  packOf(number: number): Pack | undefined {
    return this.packs[(this.#packOf[number] ?? 0) - 1];
  }

  /** The row of a node in its pack. */
  rowOf(number: number): number {
    return this.#rowOf[number] ?? 0;
  }

  /** The code of a node's archetype; 0: it is none of this layer. */
  typeOf(number: number): number {
    return this.#codeOf[number] ?? 0;
  }

  /** The packs of a version by owner. */
  sorted(): Pack[] {
    return this.packs.filter((pack) => pack !== undefined).sort((a, b) => (a.owner < b.owner ? -1 : 1));
  }

  /** The edges seen from one side: those of tables that earlier versions made, and of packs that changed since. */
  edges(direction: Direction): VersionEdges {
    return {
      base: this.#base.edges(direction),
      isLive: this.#isBase,
      changed: this.#changed?.edges(direction) ?? null,
    };
  }

  /** An index: of the packs that tables were made of, and of those that changed since. */
  indexes(name: string, make: (packs: readonly Pack[]) => ValueIndex): ValueIndex[] {
    const base = this.#base.index(name, make);
    return this.#changed === null ? [base] : [base, this.#changed.index(name, make)];
  }

  /** The packs that an index has to be made of when it is asked for. */
  withoutIndex(name: string): readonly Pack[] {
    const changed = this.#changed === null || this.#changed.hasIndex(name) ? [] : this.#changed.packs;
    return this.#base.hasIndex(name) ? changed : [...this.#base.packs, ...changed];
  }

  /** Frees what was made of it in memory. */
  forget(): void {
    this.#base.clear();
    this.#changed?.clear();
    for (const pack of this.packs) pack?.forget();
  }
}

/** See {@link Version.edges}. */
export interface VersionEdges {
  readonly base: EdgeTable;
  /** Which packs of the base are those of the version still; null: all. */
  readonly isLive: ((pack: Pack) => boolean) | null;
  readonly changed: EdgeTable | null;
}
