import type { StepsContext } from '../../runtime/index.js';
import type { Layer } from '../../schema/index.js';
import { VECTORS } from './kept-vectors.js';
import type { LayerVectors } from './layer-vectors.js';
import {
  type EmbeddedKind,
  forgottenOf,
  headBytes,
  headOf,
  VECTOR_PREFIX,
  VECTORS_FORGOTTEN,
  VECTORS_HEAD,
  type VectorsHead,
  vectorBytes,
  vectorName,
} from './stored-vector.js';

/** Vectors that are taken out in one commit. */
const REMOVED_AT_ONCE = 1000;

/** A vector that is to be kept. */
export interface NewVector {
  readonly kind: EmbeddedKind;
  readonly id: string;
  /** Of its text: `textKey`. */
  readonly key: string;
  readonly vector: Float32Array;
}

/** Writes the vectors of one layer, in commits of its own run. */
export class VectorWriter {
  readonly #context: StepsContext;
  readonly #layer: Layer;
  readonly #vectors: LayerVectors;
  /** Whether there is a head. */
  #isStored: boolean;

  /** How often vectors had been forgotten when this began. */
  readonly #forgotten: number;

  private constructor(context: StepsContext, layer: Layer, vectors: LayerVectors, isStored: boolean) {
    this.#context = context;
    this.#layer = layer;
    this.#vectors = vectors;
    this.#isStored = isStored;
    this.#forgotten = vectors.forgotten;
  }

  /**
   * Begins where the last run ended. Vectors of another model, and of texts that were made otherwise, are taken out first.
   *
   * @param wanted What the vectors have to have in common.
   * @param wipe Take out all of them. Default false.
   */
  static async begin(
    context: StepsContext,
    layer: Layer,
    { model, texts }: Pick<VectorsHead, 'model' | 'texts'>,
    wipe = false,
  ): Promise<VectorWriter> {
    const [bytes] = await context.blobs([VECTORS_HEAD], layer);
    const head = headOf(bytes);
    if (!wipe && head?.model === model && head.texts === texts) {
      const vectors = await context.kept(VECTORS).of(context, layer);
      if (vectors) return new VectorWriter(context, layer, vectors, true);
    }
    await clear(context, layer);
    const generation = head?.generation ?? 0;
    const empty = { model, texts, dimension: null, generation, pending: 0 };
    const none = context.kept(VECTORS).none(layer, empty, await timesForgotten(context, layer));
    return new VectorWriter(context, layer, none, false);
  }

  /** Whether something was forgotten since the texts were read: what was asked for may be of that. */
  async isStale(): Promise<boolean> {
    // What the run reads from here on is what is there now.
    await this.#context.commit({ forget: true });
    return (await timesForgotten(this.#context, this.#layer)) !== this.#forgotten;
  }

  /** Numbers in each vector; null before the first. */
  get dimension(): number | null {
    return this.#vectors.head.dimension;
  }

  /** The key of the text that a node's vector was made of. */
  keyOf(kind: EmbeddedKind, id: string): string | undefined {
    return this.#vectors.keyOf(kind, id);
  }

  ids(): Iterable<readonly [kind: EmbeddedKind, id: string]> {
    return this.#vectors.ids();
  }

  /**
   * Commits vectors, each in the place of the one that its node had.
   *
   * @param pending Texts that are still without one.
   */
  async put(added: readonly NewVector[], pending: number): Promise<void> {
    for (const { kind, id, key, vector } of added)
      this.#context.putBlob(vectorName(kind, id), vectorBytes(key, vector), this.#layer);
    await this.#commit(added[0]?.vector.length ?? this.dimension, pending);
    for (const { kind, id, key, vector } of added) this.#vectors.set(kind, id, key, vector);
  }

  /** Says how many texts are still without a vector, where that is not what is said already. */
  async settle(pending: number): Promise<void> {
    if (this.#vectors.head.pending !== pending || !this.#isStored)
      await this.#commit(this.dimension, pending);
  }

  /** Takes out the vectors of nodes that are gone. */
  async remove(gone: readonly (readonly [kind: EmbeddedKind, id: string])[], pending: number): Promise<void> {
    for (let at = 0; at < gone.length; at += REMOVED_AT_ONCE) {
      const some = gone.slice(at, at + REMOVED_AT_ONCE);
      for (const [kind, id] of some) this.#context.putBlob(vectorName(kind, id), undefined, this.#layer);
      await this.#commit(this.dimension, pending);
      for (const [kind, id] of some) this.#vectors.delete(kind, id);
    }
  }

  async #commit(dimension: number | null, pending: number): Promise<void> {
    const generation = this.#vectors.head.generation + 1;
    const head = { ...this.#vectors.head, dimension, generation, pending };
    this.#context.putBlob(VECTORS_HEAD, headBytes(head), this.#layer);
    await this.#context.commit({ forget: true });
    this.#vectors.head = head;
    this.#isStored = true;
    this.#context.kept(VECTORS).keep(this.#layer, this.#vectors);
  }
}

async function timesForgotten({ blobs }: StepsContext, layer: Layer): Promise<number> {
  return forgottenOf((await blobs([VECTORS_FORGOTTEN], layer))[0]);
}

/** Takes out whatever vectors a layer has, those of a run that was cut off too; the head goes first. */
async function clear(context: StepsContext, layer: Layer): Promise<void> {
  const names: string[] = [];
  for await (const page of context.blobsUnder(VECTOR_PREFIX, layer))
    for (const { name } of page) names.push(name);
  context.putBlob(VECTORS_HEAD, undefined, layer);
  for (let at = 0; at < names.length; at += REMOVED_AT_ONCE) {
    for (const name of names.slice(at, at + REMOVED_AT_ONCE)) context.putBlob(name, undefined, layer);
    await context.commit();
  }
}
