import type { EmbeddedKind, VectorsHead } from './stored-vector.js';
import { VectorTable } from './vector-table.js';

/** The vectors of one layer in memory. */
export class LayerVectors {
  head: VectorsHead;
  readonly #tables = new Map<EmbeddedKind, VectorTable>();
  readonly #keys = new Map<EmbeddedKind, Map<string, string>>();

  constructor(head: VectorsHead) {
    this.head = head;
  }

  /** The vectors of one kind. */
  table(kind: EmbeddedKind): VectorTable | undefined {
    return this.#tables.get(kind);
  }

  /** The key of the text that a node's vector was made of. */
  keyOf(kind: EmbeddedKind, id: string): string | undefined {
    return this.#keys.get(kind)?.get(id);
  }

  /** Ids by kind. */
  *ids(): Iterable<readonly [kind: EmbeddedKind, id: string]> {
    for (const [kind, keys] of this.#keys) for (const id of keys.keys()) yield [kind, id];
  }

  set(kind: EmbeddedKind, id: string, key: string, vector: Float32Array): void {
    const table = this.#tables.get(kind) ?? new VectorTable(vector.length);
    const keys = this.#keys.get(kind) ?? new Map<string, string>();
    this.#tables.set(kind, table);
    this.#keys.set(kind, keys);
    table.set(id, vector);
    keys.set(id, key);
  }

  delete(kind: EmbeddedKind, id: string): void {
    this.#tables.get(kind)?.delete(id);
    this.#keys.get(kind)?.delete(id);
  }
}
