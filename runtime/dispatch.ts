import { type EdgeType, isA, type NodeType } from '../schema/index.js';
import type { Location } from './refs.js';
import type { Ability, AbilityEvent, Arrival, WalkerType } from './walker.js';
import { withOverrides } from './walker.js';

/** One thing that runs at a location: a walker's ability or the location's own. */
export type Slot = { readonly ability: Ability } | { readonly arrival: Arrival };

/** What runs at locations of one archetype for one walker, in order (object-spatial.md section 5). */
export interface SlotTable {
  readonly entry: readonly Slot[];
  readonly exit: readonly Slot[];
}

/** Which abilities run where, worked out once per (walker, archetype). */
export class Dispatch {
  readonly #arrivals: readonly Arrival[];
  readonly #tables = new Map<WalkerType, Map<NodeType | EdgeType, SlotTable>>();

  constructor(arrivals: readonly Arrival[]) {
    this.#arrivals = arrivals;
  }

  /** What runs for `walker` at a location. */
  at(walker: WalkerType, location: Location): SlotTable {
    let tables = this.#tables.get(walker);
    if (!tables) {
      tables = new Map();
      this.#tables.set(walker, tables);
    }
    const known = tables.get(location.archetype);
    if (known) return known;
    const table = this.#table(walker, location.archetype);
    tables.set(location.archetype, table);
    return table;
  }

  #table(walker: WalkerType, type: NodeType | EdgeType): SlotTable {
    const own = walker.abilities.filter((a) => a.triggers?.some((trigger) => isA(type, trigger)));
    const sited = this.#arrivalsOf(type);
    const anyone = sited.filter((a) => a.triggers === null);
    const meant = sited.filter((a) => a.triggers?.some((trigger) => isA(walker, trigger)));
    const of = (event: AbilityEvent) => ({
      abilities: own.filter((a) => a.event === event).map((ability) => ({ ability })),
      anyone: anyone.filter((a) => a.event === event).map((arrival) => ({ arrival })),
      meant: meant.filter((a) => a.event === event).map((arrival) => ({ arrival })),
    });
    const entry = of('entry');
    const exit = of('exit');
    return {
      entry: [...entry.abilities, ...entry.anyone, ...entry.meant],
      exit: [...exit.meant, ...exit.anyone, ...exit.abilities],
    };
  }

  /** The abilities of an archetype: inherited ones first, overrides in the place of what they replace. */
  #arrivalsOf(type: NodeType | EdgeType): readonly Arrival[] {
    const parents: readonly (NodeType | EdgeType)[] = type.parents;
    const inherited = [...new Set(parents.flatMap((parent) => this.#arrivalsOf(parent)))];
    return withOverrides(
      inherited,
      this.#arrivals.filter((arrival) => arrival.at.name === type.name),
    );
  }
}
