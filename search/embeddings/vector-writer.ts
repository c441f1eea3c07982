import type { StepsContext } from '../../runtime/index.js';
import type { Layer } from '../../schema/index.js';
import {
  type EmbeddedKind,
  forgottenOf,
  headOf,
  keyIn,
  VECTOR_PREFIX,
  VECTORS_FORGOTTEN,
  VECTORS_HEAD,
  type VectorsHead,
  vectorBytes,
  vectorName,
} from './vectors.js';

/** Vectors that are deleted in one commit. */
const REMOVED_AT_ONCE = 1000;

/** A vector to be stored. */
export interface NewVector {
  readonly kind: EmbeddedKind;
  readonly id: string;
  /** Of its text: `textKey`. */
  readonly key: string;
  readonly vector: Float32Array;
}

/** Writes the vectors of one layer, in commits of its own run. */
export class VectorWriter {
  /** The keys of texts, by the names of the vectors that were made of them. */
  readonly #keys: Map<string, string>;
  #head: VectorsHead;

  private constructor(
    private readonly context: StepsContext,
    private readonly layer: Layer,
    head: VectorsHead,
    keys: Map<string, string>,
    private readonly forgotten: number,
  ) {
    this.#head = head;
    this.#keys = keys;
  }

  /**
   * Begins where the last run ended. Vectors of another model, and of texts that were made otherwise, are deleted first.
   *
   * @param wanted What the vectors have to have in common.
   * @param wipe Delete all of them.
   */
  static async begin(
    context: StepsContext,
    layer: Layer,
    { model, texts }: Pick<VectorsHead, 'model' | 'texts'>,
    wipe: boolean,
  ): Promise<VectorWriter> {
    const [bytes, forgotten] = await context.blobs([VECTORS_HEAD, VECTORS_FORGOTTEN], layer);
    const head = headOf(bytes);
    const keys = new Map<string, string>();
    for await (const page of context.blobsUnder(VECTOR_PREFIX, layer))
      for (const { name, value } of page) keys.set(name, keyIn(value));
    if (!wipe && head?.model === model && head.texts === texts)
      return new VectorWriter(context, layer, head, keys, forgottenOf(forgotten));
    // The head goes first: a run that is cut off leaves vectors that nobody reads.
    context.putBlob(VECTORS_HEAD, undefined, layer);
    for (const names of pieces([...keys.keys()])) {
      for (const name of names) context.putBlob(name, undefined, layer);
      await context.commit();
    }
    const empty = { model, texts, dimension: null, generation: head?.generation ?? 0, pending: 0 };
    return new VectorWriter(context, layer, empty, new Map(), forgottenOf(forgotten));
  }

  /** Whether something was forgotten since the texts were read: what was asked for may be of that. */
  async isStale(): Promise<boolean> {
    // What the run reads from here on is what is there now.
    await this.context.commit({ forget: true });
    const [bytes] = await this.context.blobs([VECTORS_FORGOTTEN], this.layer);
    return forgottenOf(bytes) !== this.forgotten;
  }

  /** Numbers in each vector; null before the first. */
  get dimension(): number | null {
    return this.#head.dimension;
  }

  /** The key of the text that a node's vector was made of. */
  keyOf(kind: EmbeddedKind, id: string): string | undefined {
    return this.#keys.get(vectorName(kind, id));
  }

  /** The names of all vectors. */
  names(): Iterable<string> {
    return this.#keys.keys();
  }

  /**
   * Commits vectors, each in the place of the one that its node had.
   *
   * @param pending Texts that are still without one.
   */
  async put(added: readonly NewVector[], pending: number): Promise<void> {
    for (const { kind, id, key, vector } of added)
      this.context.putBlob(vectorName(kind, id), vectorBytes(key, vector), this.layer);
    await this.#commit(added[0]?.vector.length ?? this.dimension, pending);
  }

  /** Commits how many texts are still without a vector: it tells that this layer was embedded, even where nothing of it is. */
  async settle(pending: number): Promise<void> {
    if (this.#head.pending !== pending || this.#head.dimension === null)
      await this.#commit(this.dimension, pending);
  }

  /** Deletes the vectors of nodes that are gone. */
  async remove(gone: readonly string[], pending: number): Promise<void> {
    for (const names of pieces(gone)) {
      for (const name of names) this.context.putBlob(name, undefined, this.layer);
      await this.#commit(this.dimension, pending);
    }
  }

  async #commit(dimension: number | null, pending: number): Promise<void> {
    const head = { ...this.#head, dimension, generation: this.#head.generation + 1, pending };
    this.context.putBlob(VECTORS_HEAD, Buffer.from(JSON.stringify(head)), this.layer);
    await this.context.commit({ forget: true });
    this.#head = head;
  }
}

function* pieces(names: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < names.length; at += REMOVED_AT_ONCE) yield names.slice(at, at + REMOVED_AT_ONCE);
}
