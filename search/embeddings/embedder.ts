import type { Resource } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';

/** Numbers that stand for a text: near texts have near directions. */
export type Vector = ArrayLike<number>;

/**
 * Makes vectors of texts: give one to `openGraph` as `embedder`, or configure an endpoint. It may be slow and may fail;
 * nothing rests on it but one more way to rank.
 */
export interface Embedder {
  /** The model's name: vectors of another one are never compared with its own. */
  readonly model: string;
  /**
   * One vector per text, in their order, all of one length.
   *
   * @param signal Aborts when nobody waits for it any more.
   */
  embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]>;
  /** The vector of a query. Default: as that of a text. */
  embedQuery?(query: string, signal?: AbortSignal): Promise<Vector>;
}

/**
 * The embedder of a graph, as it is configured now; null where there is none.
 *
 * @throws CodewalkError `EMBEDDINGS_FAILED` where what is configured cannot be used, `CONFIG_INVALID`.
 */
export type EmbedderSource = () => Embedder | null;

/** Who makes vectors for a graph. */
export const EMBEDDER: Resource<EmbedderSource> = { name: 'embedder', absent: () => null };

/**
 * The vectors of texts, of length 1: an answer that is no such vectors is refused.
 *
 * @param dimension What their length has to be; null: not known yet.
 * @throws CodewalkError `EMBEDDINGS_FAILED`, or as the embedder does.
 */
export async function embeddedTexts(
  embedder: Embedder,
  texts: readonly string[],
  dimension: number | null,
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const vectors = await embedder.embedTexts(texts, signal);
  if (vectors.length !== texts.length)
    throw unfit(embedder, `gave ${vectors.length} vectors for ${texts.length} texts`);
  const wanted = dimension ?? vectors[0]?.length ?? 0;
  return vectors.map((vector) => unitVector(embedder, vector, wanted));
}

/** As {@link embeddedTexts}, of one query. */
export async function embeddedQuery(
  embedder: Embedder,
  query: string,
  dimension: number,
  signal?: AbortSignal,
): Promise<Float32Array> {
  if (embedder.embedQuery) return unitVector(embedder, await embedder.embedQuery(query, signal), dimension);
  const [vector = new Float32Array()] = await embeddedTexts(embedder, [query], dimension, signal);
  return vector;
}

/** A vector of length 1, so that the cosine is a sum of products. One without any direction stays as it is, near to nothing. */
function unitVector(embedder: Embedder, vector: Vector, dimension: number): Float32Array {
  if (vector.length === 0 || vector.length > LIMITS.embeddingDimension.max)
    throw unfit(embedder, `gave a vector of ${vector.length} numbers`);
  if (vector.length !== dimension)
    throw unfit(embedder, `gave a vector of ${vector.length} numbers among those of ${dimension}`);
  const unit = Float32Array.from(vector);
  const square = unit.reduce((sum, number) => sum + number * number, 0);
  if (!Number.isFinite(square)) throw unfit(embedder, 'gave a vector that is not of finite numbers');
  return square > 0 ? unit.map((number) => number / Math.sqrt(square)) : unit;
}

function unfit({ model }: Embedder, what: string): CodewalkError {
  return new CodewalkError('EMBEDDINGS_FAILED', `the model '${model}' ${what}`, {
    suggestion:
      "Is it a model for embeddings? After a change of the model: 'codewalk index --vectors --wipe'.",
  });
}
