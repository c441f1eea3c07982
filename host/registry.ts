import type { WalkerType } from '../runtime/index.js';
import { CodewalkError } from '../schema/index.js';
import { WALKERS } from '../walkers/index.js';
import { namedWalker } from './named-walker.js';

/** The walkers that can be spawned by name: ours, then the caller's own. */
export class WalkerRegistry {
  readonly #walkers: readonly WalkerType[];

  /**
   * @throws CodewalkError `WALKER_INVALID` when two walkers have one name.
   */
  constructor(own: readonly WalkerType[], { bare }: { bare: boolean }) {
    const names = new Set<string>();
    this.#walkers = [...(bare ? [] : WALKERS), ...own];
    for (const { name } of this.#walkers) {
      if (names.has(name))
        throw new CodewalkError('WALKER_INVALID', `two walkers are called '${name}'`, {
          suggestion: 'Rename your walker; the names of the built-in ones are taken.',
        });
      names.add(name);
    }
  }

  /** All walkers, built-in ones first. */
  list(): readonly WalkerType[] {
    return this.#walkers;
  }

  /**
   * The walker of this name, or of this command.
   *
   * @throws CodewalkError `WALKER_NOT_FOUND` with the nearest name.
   */
  get(name: string): WalkerType {
    return namedWalker(name, this.#walkers);
  }
}
