import type { ReadContext, Slot } from '../../runtime/index.js';
import type { Layer } from '../../schema/index.js';
import { LayerVectors } from './layer-vectors.js';
import { headOf, namedVector, storedVector, VECTOR_PREFIX, VECTORS_HEAD } from './stored-vector.js';

/** The vectors of an open graph, in memory once somebody asked for them. */
export class KeptVectors {
  readonly #layers = new Map<Layer, LayerVectors>();

  /**
   * The vectors of a layer as of what `context` reads, or newer ones of the same model: what they name may be gone from
   * the graph. Null where there are none.
   */
  async of(context: Pick<ReadContext, 'blobs' | 'blobsUnder'>, layer: Layer): Promise<LayerVectors | null> {
    const [bytes] = await context.blobs([VECTORS_HEAD], layer);
    const head = headOf(bytes);
    if (head === null) {
      this.#layers.delete(layer);
      return null;
    }
    const known = this.#layers.get(layer);
    if (known && known.head.model === head.model && known.head.generation >= head.generation) return known;
    const read = new LayerVectors(head);
    for await (const page of context.blobsUnder(VECTOR_PREFIX, layer))
      for (const { name, value } of page) {
        const named = namedVector(name);
        const stored = head.dimension === null ? null : storedVector(value, head.dimension);
        if (named && stored) read.set(named.kind, named.id, stored.key, stored.vector);
      }
    this.#layers.set(layer, read);
    return read;
  }

  /** Keeps the vectors of a layer as they were just committed. */
  keep(layer: Layer, vectors: LayerVectors): void {
    this.#layers.set(layer, vectors);
  }
}

/** A graph's vectors. */
export const VECTORS: Slot<KeptVectors> = { name: 'vectors', make: () => new KeptVectors() };
