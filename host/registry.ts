import { closest } from 'fastest-levenshtein';
import type { WalkerType } from '../runtime/index.js';
import { CodewalkError, TOOLS, toolEntry } from '../schema/index.js';
import { WALKERS } from '../walkers/index.js';

/** The walkers that can be spawned by name: ours (unless it is `bare`), then the caller's own. */
export class WalkerRegistry {
  readonly #walkers: readonly WalkerType[];

  /** @throws CodewalkError `WALKER_INVALID` when two walkers have one name. */
  constructor(own: readonly WalkerType[], { bare }: { bare: boolean }) {
    this.#walkers = [...(bare ? [] : WALKERS), ...own];
    const names = new Set<string>();
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

  /** As {@link namedWalker}. */
  get(name: string): WalkerType {
    return namedWalker(name, this.#walkers);
  }
}

/**
 * The walker of this name, or of this command.
 *
 * @throws CodewalkError `WALKER_NOT_FOUND` with the nearest name.
 */
export function namedWalker<T extends { readonly name: string }>(name: string, walkers: readonly T[]): T {
  const byCommand = TOOLS.find(({ command }) => command === name)?.walker;
  const byName = (wanted: string | undefined) => walkers.find((walker) => walker.name === wanted);
  const known = byName(name) ?? byName(byCommand);
  if (known) return known;
  const planned = toolEntry(name)?.walker ?? byCommand;
  const names = walkers.map((walker) => walker.name);
  const nearest =
    names.length > 0 ? `Did you mean '${closest(name, names)}'? 'codewalk walkers' lists them.` : '';
  throw new CodewalkError('WALKER_NOT_FOUND', `there is no walker '${name}'`, {
    input: name,
    suggestion: planned === undefined ? nearest : `${planned} is planned and not built yet.`,
  });
}
