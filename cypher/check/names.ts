import type { StaticType } from './types.js';

/** The variables that a place knows, with what is known of their values. Never changed: steps make new ones. */
export class Names {
  private readonly types: ReadonlyMap<string, StaticType>;
  /** Names of a query around that stay known behind WITH too: in EXISTS, COUNT and COLLECT. */
  private readonly around: Names | null;

  constructor(types: Iterable<readonly [string, StaticType]> = [], around: Names | null = null) {
    this.types = new Map(types);
    this.around = around;
  }

  /** Undefined for a name that nothing has bound. */
  typeOf(name: string): StaticType | undefined {
    return this.types.get(name) ?? this.around?.typeOf(name);
  }

  has(name: string): boolean {
    return this.typeOf(name) !== undefined;
  }

  /** Whether a query around this one has bound it. */
  isOfAround(name: string): boolean {
    return this.around?.has(name) ?? false;
  }

  /** Of this query, in the order in which they were bound; not those around. */
  own(): readonly (readonly [string, StaticType])[] {
    return [...this.types];
  }

  all(): readonly string[] {
    return [...this.types.keys(), ...(this.around?.all() ?? [])];
  }

  /** These and more, which hide those of the same name. */
  and(more: Iterable<readonly [string, StaticType]>): Names {
    return new Names([...this.types, ...more], this.around);
  }

  /** What goes on behind a WITH: only these, and those around. */
  only(types: Iterable<readonly [string, StaticType]>): Names {
    return new Names(types, this.around);
  }

  /** What a subquery that sees all of this begins with. */
  within(): Names {
    return new Names([], this);
  }
}
