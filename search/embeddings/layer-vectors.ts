import type { ReadContext } from '../../runtime/index.js';
import type { Layer } from '../../schema/index.js';
import { storedNear } from './stored-near.js';
import type { EmbeddedKind, VectorsHead } from './stored-vector.js';
import { type Near, VectorTable } from './vector-table.js';

/** Of which layer vectors are, and how much of them stays in memory. */
interface Kept {
  readonly layer: Layer;
  /** How often vectors had been forgotten when they were read. */
  readonly forgotten: number;
  readonly mostBytes: number;
}

/** The vectors of one layer: the keys of their texts in memory, and their numbers too while these are few enough. */
export class LayerVectors {
  head: VectorsHead;
  /** See {@link Kept}. */
  forgotten: number;
  readonly #layer: Layer;
  readonly #mostBytes: number;
  /** Null: there are too many; each search reads them from the store. */
  #tables: Map<EmbeddedKind, VectorTable> | null = new Map();
  readonly #keys = new Map<EmbeddedKind, Map<string, string>>();

  constructor(head: VectorsHead, { layer, forgotten, mostBytes }: Kept) {
    this.head = head;
    this.forgotten = forgotten;
    this.#layer = layer;
    this.#mostBytes = mostBytes;
  }

  /** How many there are. */
  get size(): number {
    let size = 0;
    for (const keys of this.#keys.values()) size += keys.size;
    return size;
  }

  /** Whether their numbers are in memory. */
  get isWhole(): boolean {
    return this.#tables !== null;
  }

  /**
   * The nearest of one kind to a query, by cosine, the nearest first; ties by id. The same whether they are in memory or
   * read from the store.
   *
   * @param within Ids that are looked at; default: all.
   */
  async nearest(
    context: Pick<ReadContext, 'blobs' | 'blobsUnder'>,
    kind: EmbeddedKind,
    query: Float32Array,
    limit: number,
    within?: Iterable<string>,
  ): Promise<Near[]> {
    if (this.#tables) return this.#tables.get(kind)?.nearest(query, limit, within) ?? [];
    return storedNear(context, this.#layer, kind, query, limit, within);
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
    const keys = this.#keys.get(kind) ?? new Map<string, string>();
    this.#keys.set(kind, keys);
    keys.set(id, key);
    if (this.#tables && this.size * vector.byteLength > this.#mostBytes) this.#tables = null;
    if (!this.#tables) return;
    const table = this.#tables.get(kind) ?? new VectorTable(vector.length);
    this.#tables.set(kind, table);
    table.set(id, vector);
  }

  delete(kind: EmbeddedKind, id: string): void {
    this.#tables?.get(kind)?.delete(id);
    this.#keys.get(kind)?.delete(id);
  }
}
