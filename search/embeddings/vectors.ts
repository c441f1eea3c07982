import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ReadContext, Slot, WriteContext } from '../../runtime/index.js';
import { type Layer, LIMITS } from '../../schema/index.js';
import { compareIds } from '../../storage/index.js';
import { EMBEDDER } from './embedder.js';

/** The kinds of nodes that have vectors. */
export const EMBEDDED_KINDS = ['File', 'Symbol', 'Concept', 'Task', 'Step', 'Memory'] as const;
/** One of {@link EMBEDDED_KINDS}. */
export type EmbeddedKind = (typeof EMBEDDED_KINDS)[number];

/** The layers that nodes of a kind are in. */
export const LAYERS_OF_KIND: Readonly<Record<EmbeddedKind, readonly Layer[]>> = {
  File: ['derived'],
  Symbol: ['derived'],
  Concept: ['derived', 'durable'],
  Task: ['durable'],
  Step: ['durable'],
  Memory: ['durable'],
};

/** The blob of each layer with what its vectors have in common. */
export const VECTORS_HEAD = 'vectors';
/** The prefix of the names of vectors: kind and id follow. */
export const VECTOR_PREFIX = 'vector/';
/** The blob with how often vectors were deleted because what they were made of is forgotten. */
export const VECTORS_FORGOTTEN = 'vectors-forgotten';
/** Bytes of a text's key. */
const KEY_BYTES = 16;

/** What the vectors of a layer have in common. */
export const VectorsHead = z.object({
  model: z.string(),
  /** Null before the first vector. */
  dimension: z.number().int().nullable(),
  /** How their texts are made: of another version, other vectors. */
  texts: z.number().int(),
  /** Counts commits, over all models. */
  generation: z.number().int(),
  /** Texts that had no vector yet when it was written. */
  pending: z.number().int(),
});
export type VectorsHead = z.infer<typeof VectorsHead>;

/** The head from its bytes; null where there is none, or one of another form: vectors can be made again. */
export function headOf(bytes: Uint8Array | undefined): VectorsHead | null {
  if (!bytes) return null;
  try {
    return VectorsHead.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return null;
  }
}

/** How often vectors were forgotten. @param bytes Undefined: never. */
export function forgottenOf(bytes: Uint8Array | undefined): number {
  return bytes ? Number(Buffer.from(bytes).toString('utf8')) : 0;
}

/** A hash of a text: what has the same one needs no other vector. */
export function textKey(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, KEY_BYTES).toString('base64');
}

/** The name of a node's vector. */
export function vectorName(kind: EmbeddedKind, id: string): string {
  return `${VECTOR_PREFIX}${kind}/${id}`;
}

/** A vector after its text's key. */
export function vectorBytes(key: string, vector: Float32Array): Uint8Array {
  const numbers = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  return Buffer.concat([Buffer.from(key, 'base64'), numbers]);
}

/** The key of the text that a stored vector was made of. */
export function keyIn(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, KEY_BYTES)).toString('base64');
}

/** How near a vector is to a query's. */
export interface Near {
  readonly id: string;
  /** The cosine of the angle between them: 1 in the same direction. */
  readonly similarity: number;
}

/** Vectors of length 1: their ids, and their numbers one after another. */
interface VectorPage {
  readonly ids: readonly string[];
  readonly numbers: Float32Array;
}

type Shelf = Pick<ReadContext, 'blobs' | 'blobsUnder'>;

/** The vectors of a layer as they are stored at one generation. */
class LayerVectors {
  /** Null: not read yet. */
  readonly #cached = new Map<EmbeddedKind, readonly VectorPage[]>();
  #bytes = 0;

  constructor(
    private readonly layer: Layer,
    readonly head: VectorsHead,
    readonly forgotten: number,
    private readonly mostBytes: number,
  ) {}

  /**
   * The nearest of one kind to a query, by cosine, the nearest first; ties by id. Vectors stay in memory once they were
   * read, as far as there is room; others are read again by each search.
   *
   * @param within Ids that are looked at; default: all.
   */
  async nearest(
    shelf: Shelf,
    kind: EmbeddedKind,
    query: Float32Array,
    limit: number,
    within?: Iterable<string>,
  ): Promise<Near[]> {
    const allowed = within && new Set(within);
    const found: Near[] = [];
    for await (const { ids, numbers } of this.#cached.get(kind) ?? this.#read(shelf, kind, query.length))
      for (const [at, id] of ids.entries()) {
        if (allowed && !allowed.has(id)) continue;
        let similarity = 0;
        const from = at * query.length;
        for (let i = 0; i < query.length; i++) similarity += (query[i] ?? 0) * (numbers[from + i] ?? 0);
        if (similarity > 0) found.push({ id, similarity });
      }
    return found.sort((a, b) => b.similarity - a.similarity || compareIds(a.id, b.id)).slice(0, limit);
  }

  async *#read(shelf: Shelf, kind: EmbeddedKind, dimension: number): AsyncGenerator<VectorPage> {
    const prefix = `${VECTOR_PREFIX}${kind}/`;
    const size = dimension * Float32Array.BYTES_PER_ELEMENT;
    const pages: VectorPage[] = [];
    let bytes = 0;
    for await (const page of shelf.blobsUnder(prefix, this.layer)) {
      const fit = page.filter(({ value }) => value.length === KEY_BYTES + size);
      const numbers = new Uint8Array(fit.length * size);
      for (const [at, { value }] of fit.entries()) numbers.set(value.subarray(KEY_BYTES), at * size);
      const read = {
        ids: fit.map(({ name }) => name.slice(prefix.length)),
        numbers: new Float32Array(numbers.buffer),
      };
      yield read;
      bytes += numbers.length;
      if (this.#bytes + bytes <= this.mostBytes) pages.push(read);
    }
    if (this.#bytes + bytes > this.mostBytes) return;
    this.#bytes += bytes;
    this.#cached.set(kind, pages);
  }
}

/** The vectors of a graph, of the newest generation of each layer that was asked for. */
export class VectorCache {
  readonly #layers = new Map<Layer, LayerVectors>();

  /** @param mostBytes Numbers of one layer that stay in memory. */
  constructor(private readonly mostBytes: number = LIMITS.vectorsInMemory.max) {}

  /** The vectors of a layer; null where there are none. */
  async of(context: Pick<ReadContext, 'blobs'>, layer: Layer): Promise<LayerVectors | null> {
    const [bytes, forgottenBytes] = await context.blobs([VECTORS_HEAD, VECTORS_FORGOTTEN], layer);
    const [head, forgotten] = [headOf(bytes), forgottenOf(forgottenBytes)];
    if (head === null) return null;
    const known = this.#layers.get(layer);
    if (known?.head.generation === head.generation && known.forgotten === forgotten) return known;
    const read = new LayerVectors(layer, head, forgotten, this.mostBytes);
    this.#layers.set(layer, read);
    return read;
  }
}

/** The vectors of an open graph. */
export const VECTORS: Slot<VectorCache> = { name: 'vectors', make: () => new VectorCache() };

/** How many vectors a layer has, and of how many numbers; null where it has none. */
export async function vectorFigures(
  { blobs, blobsUnder }: Shelf,
  layer: Layer,
): Promise<{ readonly vectors: number; readonly dimension: number } | null> {
  const dimension = headOf((await blobs([VECTORS_HEAD], layer))[0])?.dimension ?? null;
  if (dimension === null) return null;
  let vectors = 0;
  for await (const page of blobsUnder(VECTOR_PREFIX, layer)) vectors += page.length;
  return { vectors, dimension };
}

/**
 * Deletes the vectors of durable nodes with what they were made of: in the commit that deletes the nodes, or changes what
 * they say for good. A run that embeds meanwhile learns of it before it writes what it was given.
 */
export async function forgetVectors(
  context: Pick<WriteContext, 'blobs' | 'putBlob' | 'resource'>,
  nodes: Iterable<readonly [kind: EmbeddedKind, id: string]>,
): Promise<void> {
  const names = [...nodes].map(([kind, id]) => vectorName(kind, id));
  const [head, before] = await context.blobs([VECTORS_HEAD, VECTORS_FORGOTTEN], 'durable');
  if (names.length === 0 || (head === undefined && !mayEmbed(context))) return;
  for (const [at, bytes] of (await context.blobs(names, 'durable')).entries())
    if (bytes !== undefined) context.putBlob(names[at] ?? '', undefined, 'durable');
  context.putBlob(VECTORS_FORGOTTEN, Buffer.from(String(forgottenOf(before) + 1)), 'durable');
}

/** Whether an embedding run may be on its way: what is configured and cannot be used now may have been usable before. */
function mayEmbed({ resource }: Pick<ReadContext, 'resource'>): boolean {
  try {
    return resource(EMBEDDER)() !== null;
  } catch {
    return true;
  }
}
