import { closest } from 'fastest-levenshtein';
import type { WalkerRegistry } from '../host/index.js';
import type { WalkerType } from '../runtime/index.js';
import { CodewalkError, isListed, type Profile, toolEntry } from '../schema/index.js';

/** The walkers that a server lists: those of its profiles, and the user's own. */
export class ToolSet {
  readonly walkers: readonly WalkerType[];
  readonly #registry: WalkerRegistry;

  constructor(registry: WalkerRegistry, profiles: readonly Profile[]) {
    this.#registry = registry;
    this.walkers = registry.list().filter(({ name }) => profiles.some((profile) => isListed(name, profile)));
  }

  /**
   * The listed walker of this name, or of an upstream name for it.
   *
   * @throws CodewalkError `WALKER_NOT_FOUND`: with the profile that has it, or the nearest name.
   */
  get(name: string): WalkerType {
    const own = toolEntry(name)?.walker ?? name;
    const walker = this.walkers.find((listed) => listed.name === own);
    if (walker) return walker;
    throw new CodewalkError('WALKER_NOT_FOUND', `there is no tool '${name}' here`, {
      input: name,
      suggestion: this.#suggestion(own),
    });
  }

  #suggestion(name: string): string {
    const set = toolEntry(name)?.set;
    const exists = this.#registry.list().some((walker) => walker.name === name);
    if (exists && set)
      return `It is in another profile: codewalk mcp --profile ${set === 'extended' ? 'all' : set}.`;
    const names = this.walkers.map((walker) => walker.name);
    return names.length > 0 ? `Did you mean '${closest(name, names)}'?` : '';
  }
}
