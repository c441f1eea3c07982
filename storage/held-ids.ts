import type { NodeEdits } from './node-edits.js';

/** So many ids are remembered at most: they are strings, and hardly anybody else has them. */
const MOST = 32_768;

/**
 * Ids of which commits found or made that they hold their keys: the later ones need not look again. A large index
 * names most nodes in several commits.
 */
export class HeldIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** After a commit that touched these. */
  note(nodes: readonly NodeEdits[]): void {
    for (const { id, isChanged, isEnd, after } of nodes) {
      if (isChanged && !isEnd && after === undefined) this.#ids.delete(id);
      else this.#add(id);
    }
  }

  #add(id: string): void {
    if (this.#ids.size >= MOST) this.#ids.clear();
    this.#ids.add(id);
  }

  clear(): void {
    this.#ids.clear();
  }
}
