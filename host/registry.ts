import { closest } from 'fastest-levenshtein';
import type { WalkerType } from '../runtime/index.js';
import { CodewalkError, TOOLS, toolEntry } from '../schema/index.js';
import { WALKERS } from '../walkers/index.js';

/** The walkers that can be spawned by name: ours, then the caller's own. */
export class WalkerRegistry {
  readonly #byName = new Map<string, WalkerType>();

  /**
   * @throws CodewalkError `WALKER_INVALID` when two walkers have one name.
   */
  constructor(own: readonly WalkerType[], { bare }: { bare: boolean }) {
    for (const walker of [...(bare ? [] : WALKERS), ...own]) {
      if (this.#byName.has(walker.name))
        throw new CodewalkError('WALKER_INVALID', `two walkers are called '${walker.name}'`, {
          suggestion: 'Rename your walker; the names of the built-in ones are taken.',
        });
      this.#byName.set(walker.name, walker);
    }
  }

  /** All walkers, built-in ones first. */
  list(): readonly WalkerType[] {
    return [...this.#byName.values()];
  }

  /**
   * The walker of this name, or of this command.
   *
   * @throws CodewalkError `WALKER_NOT_FOUND` with the nearest name.
   */
  get(name: string): WalkerType {
    const known = this.#byName.get(name) ?? this.#byCommand(name);
    if (known) return known;
    const planned = toolEntry(name)?.walker ?? TOOLS.find(({ command }) => command === name)?.walker;
    throw new CodewalkError('WALKER_NOT_FOUND', `there is no walker '${name}'`, {
      input: name,
      suggestion: planned === undefined ? this.#nearest(name) : `${planned} is planned and not built yet.`,
    });
  }

  #byCommand(name: string): WalkerType | undefined {
    const entry = TOOLS.find(({ command }) => command === name);
    return entry && this.#byName.get(entry.walker);
  }

  #nearest(name: string): string {
    const names = [...this.#byName.keys()];
    return names.length > 0 ? `Did you mean '${closest(name, names)}'? 'codewalk walkers' lists them.` : '';
  }
}
