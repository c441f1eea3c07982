import type { Lowering } from './rules.js';
import type { Scope } from './scopes.js';
import type { NodeId } from './syntax-tree.js';

/** One of several ways on, of which one is gone. */
export interface Branch {
  readonly node: NodeId;
  /** Where it begins, when that is before the node. */
  readonly from?: number;
  /** What holds in it: types of places, by how these are written. */
  readonly facts?: ReadonlyMap<string, number>;
  /** Whether it ends with the function, or with the loop around it: what is assigned in it reaches nothing behind. */
  readonly ends?: boolean;
  run(): void;
}

/**
 * Locals of a language whose names hold what was assigned to them last. Each assignment is a binding that is seen from there
 * on; where branches meet a name that one of them assigned is bound again, to either of what it holds at their ends. So the
 * linker finds what a name holds by where it is used. What conditions tell of a place holds until the branch ends, or the
 * place is assigned.
 */
export class AssignedNames {
  #assigned = new Set<string>();
  /** Where names are assigned first that are nothing before. */
  #first = new Map<string, number>();
  #narrowed = new Map<string, number>();

  /**
   * @param ownerOf The scope that has a name, in the function around the place, for a language whose blocks assign the names of
   * what is around them; without it a name is that of the scope where it is assigned.
   */
  constructor(
    private readonly to: Lowering,
    private readonly ownerOf?: (name: string) => Scope | null,
  ) {}

  /** Binds a name from an offset on. */
  assign(name: string, from: number, binding: { readonly type?: number; readonly value?: number }): void {
    const { scopes } = this.to;
    if (!scopes.find(name)) this.#first.set(name, from);
    const owner = this.ownerOf?.(name) ?? scopes.current;
    scopes.within(owner, () => scopes.bind('local', name, { ...binding, from }));
    this.#assigned.add(name);
    this.forget(name);
  }

  /** Drops what conditions say of a place, and of all that begins with it. */
  forget(place: string): void {
    for (const one of this.#narrowed.keys())
      if (one.startsWith(place) && !/^\w/.test(one.slice(place.length))) this.#narrowed.delete(one);
  }

  /** The type that conditions say a place is of; undefined where none does. */
  narrowed(place: string): number | undefined {
    return this.#narrowed.get(place);
  }

  /** Says what holds from here on, until the branch around it ends. */
  narrow(facts: ReadonlyMap<string, number>): void {
    for (const [place, type] of facts) this.#narrowed.set(place, type);
  }

  /** Runs with further facts. */
  knowing<T>(facts: ReadonlyMap<string, number> | undefined, run: () => T): T {
    if (!facts || facts.size === 0) return run();
    const around = this.#narrowed;
    this.#narrowed = new Map([...around, ...facts]);
    const made = run();
    this.#narrowed = around;
    return made;
  }

  /** Runs in a function of its own: nothing that is assigned in it is around it, and no condition holds in it. */
  inFunction<T>(run: () => T): T {
    const [assigned, narrowed, first] = [this.#assigned, this.#narrowed, this.#first];
    this.#assigned = new Set();
    this.#narrowed = new Map();
    this.#first = new Map();
    const made = run();
    this.#assigned = assigned;
    this.#narrowed = narrowed;
    this.#first = first;
    return made;
  }

  /** Runs branches of which one is gone, or none unless they are `all` that there are. @param end Where they meet. */
  branches(branches: readonly Branch[], all: boolean, end: number): void {
    const { to } = this;
    const [assigned, narrowed] = [this.#assigned, this.#narrowed];
    const changed = new Set<string>();
    const startOf = (branch: Branch) => branch.from ?? to.tree.start(branch.node);
    const before = branches[0] ? startOf(branches[0]) : end;
    const ends: number[] = all ? [] : [before];
    for (const branch of branches) {
      const { node, facts, ends: isLast, run } = branch;
      const start = startOf(branch);
      for (const name of changed) this.#bind(name, [before], start);
      this.#assigned = new Set();
      this.#narrowed = new Map(facts ? [...narrowed, ...facts] : narrowed);
      run();
      for (const name of this.#assigned) changed.add(name);
      if (!isLast) ends.push(Math.max(start, to.tree.end(node) - 1));
    }
    this.#assigned = assigned;
    this.#narrowed = narrowed;
    for (const name of changed) {
      this.#bind(name, ends, end);
      assigned.add(name);
      this.forget(name);
    }
  }

  /** Binds a name to either of what it holds at some offsets. */
  #bind(name: string, at: readonly number[], from: number): void {
    const { to } = this;
    const owner = this.ownerOf ? this.ownerOf(name) : to.scopes.current;
    // What only a block has is gone behind it.
    if (owner === null) return;
    const first = this.#first.get(name) ?? 0;
    const held = at.filter((offset) => offset >= first);
    const parts = held.map((offset) => to.addExpression({ kind: 'name', name, at: offset }));
    const [only = to.unknown] = parts;
    const value = parts.length < 2 ? only : to.addExpression({ kind: 'either', parts, at: from });
    to.scopes.within(owner, () => to.scopes.bind('local', name, { value, from }));
  }
}
