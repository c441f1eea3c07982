import type { EdgeType, NodeType } from '../schema/index.js';
import type { ArchetypeCatalog } from '../storage/index.js';
import type { Catalog } from './catalog.js';

/**
 * The archetypes of several graphs that write to one layer. Where two know different ones under a name (people's own,
 * of which a worktree has an older version), that of the graph that came last counts.
 */
export class JoinedCatalog implements ArchetypeCatalog {
  /** The last one first. */
  readonly #catalogs: Catalog[] = [];

  add(catalog: Catalog): void {
    this.#catalogs.unshift(catalog);
  }

  delete(catalog: Catalog): void {
    const at = this.#catalogs.indexOf(catalog);
    if (at >= 0) this.#catalogs.splice(at, 1);
  }

  node(name: string): NodeType | undefined {
    for (const catalog of this.#catalogs) {
      const type = catalog.node(name);
      if (type) return type;
    }
    return undefined;
  }

  edge(name: string): EdgeType | undefined {
    for (const catalog of this.#catalogs) {
      const type = catalog.edge(name);
      if (type) return type;
    }
    return undefined;
  }

  descendants(name: string): readonly string[] {
    const [only, ...others] = this.#catalogs;
    if (only && others.length === 0) return only.descendants(name);
    return [...new Set(this.#catalogs.flatMap((catalog) => catalog.descendants(name)))];
  }
}
