import type { Catalog } from './catalog.js';
import { adjacencyKey, type Overlay } from './overlay.js';
import type { ReadObserver } from './view.js';

/** What a run has read, as keys that writes can be compared with. */
export class ReadSet implements ReadObserver {
  readonly #keys = new Set<string>();

  node(id: string): void {
    this.#keys.add(`n\0${id}`);
  }

  adjacency(key: string): void {
    this.#keys.add(`a\0${key}`);
  }

  range(key: string): void {
    this.#keys.add(`r\0${key}`);
  }

  /** Whether another commit changed something that this run had read. */
  meets(written: ReadonlySet<string>): boolean {
    for (const key of written) if (this.#keys.has(key)) return true;
    return false;
  }

  clear(): void {
    this.#keys.clear();
  }
}

/** What a commit writes, as the keys that {@link ReadSet} collects. */
export function writeSet(overlay: Overlay, catalog: Catalog): Set<string> {
  const keys = new Set<string>();
  for (const [id, { before, after }] of overlay.nodes) {
    keys.add(`n\0${id}`);
    const name = after?.archetype.name ?? before?.type;
    for (const type of (name === undefined ? undefined : catalog.node(name)?.lineage) ?? []) {
      keys.add(`r\0${type}\0`);
      for (const property of catalog.node(type)?.indexes ?? []) keys.add(`r\0${type}\0${property}`);
    }
    keys.add('r\0');
  }
  const edges = [
    ...[...overlay.edges.values()].map(({ ref }) => ({
      type: ref.archetype.name,
      from: ref.from,
      to: ref.to,
    })),
    ...overlay.removed.values(),
  ];
  for (const { type, from, to } of edges) {
    for (const direction of ['out', 'in'] as const) {
      keys.add(`a\0${adjacencyKey(from, direction, type)}`);
      keys.add(`a\0${adjacencyKey(to, direction, type)}`);
    }
    keys.add('r\0');
  }
  return keys;
}
