import type { ReadContext, Slot } from '../../runtime/index.js';
import { type Layer, LIMITS } from '../../schema/index.js';
import { LayerVectors } from './layer-vectors.js';
import {
  type EmbeddedKind,
  forgottenOf,
  headOf,
  namedVector,
  storedVector,
  VECTOR_PREFIX,
  VECTORS_FORGOTTEN,
  VECTORS_HEAD,
} from './stored-vector.js';

/** The vectors of an open graph, in memory once somebody asked for them, as far as there is room. */
export class KeptVectors {
  readonly #layers = new Map<Layer, LayerVectors>();

  /** @param mostBytes Numbers of one layer that stay in memory. Default `LIMITS.vectorsInMemory`. */
  constructor(private readonly mostBytes: number = LIMITS.vectorsInMemory.max) {}

  /**
   * The vectors of a layer as of what `context` reads, or newer ones of the same model: what they name may be gone from
   * the graph. Null where there are none.
   */
  async of(context: Pick<ReadContext, 'blobs' | 'blobsUnder'>, layer: Layer): Promise<LayerVectors | null> {
    const [bytes, forgotten] = await context.blobs([VECTORS_HEAD, VECTORS_FORGOTTEN], layer);
    const head = headOf(bytes);
    if (head === null) {
      this.#layers.delete(layer);
      return null;
    }
    const times = forgottenOf(forgotten);
    const known = this.#layers.get(layer);
    const isNew = known && known.head.model === head.model && known.head.generation >= head.generation;
    if (isNew && known.forgotten >= times) return known;
    const read = new LayerVectors(head, { layer, forgotten: times, mostBytes: this.mostBytes });
    for await (const page of context.blobsUnder(VECTOR_PREFIX, layer))
      for (const { name, value } of page) {
        const named = namedVector(name);
        const stored = head.dimension === null ? null : storedVector(value, head.dimension);
        if (named && stored) read.set(named.kind, named.id, stored.key, stored.vector);
      }
    this.#layers.set(layer, read);
    return read;
  }

  /** None yet. */
  none(layer: Layer, head: LayerVectors['head'], forgotten: number): LayerVectors {
    return new LayerVectors(head, { layer, forgotten, mostBytes: this.mostBytes });
  }

  /** Keeps the vectors of a layer as they were just committed. */
  keep(layer: Layer, vectors: LayerVectors): void {
    this.#layers.set(layer, vectors);
  }

  /** Lets go of vectors that are being taken out. @param times See `VECTORS_FORGOTTEN`: this one included. */
  drop(layer: Layer, gone: Iterable<readonly [kind: EmbeddedKind, id: string]>, times: number): void {
    const known = this.#layers.get(layer);
    if (!known) return;
    for (const [kind, id] of gone) known.delete(kind, id);
    // Whoever missed one before this reads all of them anew.
    if (known.forgotten === times - 1) known.forgotten = times;
  }
}

/** A graph's vectors. */
export const VECTORS: Slot<KeptVectors> = { name: 'vectors', make: () => new KeptVectors() };
