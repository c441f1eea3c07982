import type { ReadContext } from '../../runtime/index.js';
import type { Layer } from '../../schema/index.js';
import {
  type EmbeddedKind,
  namedVector,
  storedVector,
  VECTOR_PREFIX,
  type VectorsHead,
  vectorName,
} from './stored-vector.js';
import { type Near, nearestOf, product, VectorTable } from './vector-table.js';

/** Vectors that are read at once by their names. */
const AT_ONCE = 500;

/** As many times what is wanted are held before the farthest fall. */
const ROOM = 4;

interface Stored {
  readonly id: string;
  readonly bytes: Uint8Array;
}

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

/** The nearest vectors of one kind to a query, read from the store page by page: what stays in memory is what is wanted. */
async function storedNear(
  context: Pick<ReadContext, 'blobs' | 'blobsUnder'>,
  layer: Layer,
  kind: EmbeddedKind,
  query: Float32Array,
  limit: number,
  within?: Iterable<string>,
): Promise<Near[]> {
  let found: Near[] = [];
  for await (const page of within ? named(context, layer, kind, within) : all(context, layer, kind)) {
    for (const { id, bytes } of page) {
      const stored = storedVector(bytes, query.length);
      const similarity = stored ? product(query, stored.vector, 0) : 0;
      if (similarity > 0) found.push({ id, similarity });
    }
    if (found.length > ROOM * Math.max(limit, AT_ONCE)) found = nearestOf(found, limit);
  }
  return nearestOf(found, limit);
}

async function* all(
  context: Pick<ReadContext, 'blobsUnder'>,
  layer: Layer,
  kind: EmbeddedKind,
): AsyncGenerator<Stored[]> {
  for await (const page of context.blobsUnder(`${VECTOR_PREFIX}${kind}/`, layer))
    yield page.flatMap(({ name, value }) => {
      const known = namedVector(name);
      return known?.kind === kind ? [{ id: known.id, bytes: value }] : [];
    });
}

async function* named(
  context: Pick<ReadContext, 'blobs'>,
  layer: Layer,
  kind: EmbeddedKind,
  within: Iterable<string>,
): AsyncGenerator<Stored[]> {
  const ids = [...new Set(within)];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const found = await context.blobs(
      some.map((id) => vectorName(kind, id)),
      layer,
    );
    yield some.flatMap((id, nth) => {
      const bytes = found[nth];
      return bytes ? [{ id, bytes }] : [];
    });
  }
}
