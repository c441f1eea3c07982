import { LIMITS } from '../../schema/index.js';
import type { Lookups, Remembered } from './lookups.js';

/** What is behind a class, nearest first; null stands for a class that is not known, and at the end for all further away. */
export type Behind<C> = readonly (C | null)[];

/** What is known of a class that is its own ancestor, or has one that is: such code does not run. */
const CYCLIC: readonly null[] = [null];

/** How classes of an engine are told apart and put in order. */
export interface AncestorRules<C extends Owner, K, Owner> {
  /** What a class is cached by. */
  keyOf(one: Owner): K;
  /** Puts parents, each with what is behind it, in one order. */
  merged(lists: readonly Behind<C>[], parents: Behind<C>): Behind<C>;
}

/** A class whose parents' ancestors are being worked out. */
interface OpenClass<C, Owner> {
  readonly owner: Owner;
  readonly parents: Behind<C>;
  /** The parent whose turn it is. */
  next: number;
}

/** The classes behind classes, {@link LIMITS}.ancestors of each, cached with all that was looked at for them. */
export class Ancestors<C extends Owner, K, Owner = C> {
  readonly #known = new Map<K, Remembered<Behind<C>>>();
  readonly #parents = new Map<K, Remembered<Behind<C>>>();

  constructor(
    private readonly lookups: Lookups,
    private readonly rules: AncestorRules<C, K, Owner>,
  ) {}

  /** What is behind a class. @param find The classes that one names as its bases; asked once for each. */
  of(owner: Owner, find: (one: Owner) => Behind<C>): Behind<C> {
    const key = this.rules.keyOf(owner);
    if (!this.#known.has(key)) this.#linearize(owner, find);
    return this.lookups.remembered(this.#known, key, () => CYCLIC);
  }

  #parentsOf(owner: Owner, find: (one: Owner) => Behind<C>): Behind<C> {
    return this.lookups.remembered(this.#parents, this.rules.keyOf(owner), () => find(owner));
  }

  /** Works out the ancestors of a class and of all that are behind it, those first: a chain may be as long as a file. */
  #linearize(owner: Owner, find: (one: Owner) => Behind<C>): void {
    const { keyOf, merged } = this.rules;
    const open = new Set<K>();
    const stack: OpenClass<C, Owner>[] = [];
    const enter = (one: Owner) => {
      const parents = this.#parentsOf(one, find);
      open.add(keyOf(one));
      stack.push({ owner: one, parents, next: 0 });
    };
    const { value: isCyclic, looked } = this.lookups.recorded(() => {
      enter(owner);
      for (let top = stack.at(-1); top; top = stack.at(-1)) {
        const parent = top.parents[top.next];
        top.next += 1;
        if (parent === undefined) {
          const { owner: one, parents } = top;
          this.lookups.remembered(this.#known, keyOf(one), () => {
            // Noted once more: what this rests on is what they rest on.
            this.#parentsOf(one, find);
            return merged(
              parents.map((each) => [each, ...(each === null ? [] : this.of(each, find))]),
              parents,
            );
          });
          open.delete(keyOf(one));
          stack.pop();
        } else if (parent !== null) {
          const key = keyOf(parent);
          if (open.has(key) || this.#isKnownCyclic(key)) return true;
          if (!this.#known.has(key)) enter(parent);
        }
      }
      return false;
    });
    // Whatever leads to a circle is one with it, and rests on all that was looked at on the way.
    if (isCyclic) for (const key of open) this.#known.set(key, { value: CYCLIC, looked });
  }

  /** Whether a class is known to lead to a circle; what that rests on is noted. */
  #isKnownCyclic(key: K): boolean {
    if (this.#known.get(key)?.value !== CYCLIC) return false;
    this.lookups.remembered(this.#known, key, () => CYCLIC);
    return true;
  }
}

const MOST_ANCESTORS = LIMITS.ancestors.max;

/** As many as are looked at, and that there are more. */
export function nearest<C>(ancestors: Behind<C>): Behind<C> {
  const near = ancestors.slice(0, MOST_ANCESTORS);
  return ancestors.length > near.length ? [...near, null] : near;
}

/** Lists one behind the other, each class once, as many as are looked at. */
export function inTurn<C>(lists: readonly Behind<C>[], keyOf: (one: C) => unknown): Behind<C> {
  const seen = new Set<unknown>();
  return nearest(
    lists.flat().filter((one) => one === null || (!seen.has(keyOf(one)) && seen.add(keyOf(one)))),
  );
}
