import { CodewalkError, LIMITS } from '../../schema/index.js';
import type { Embedder, Vector } from './embedder.js';

const { max: MOST_NUMBERS } = LIMITS.embeddingDimension;

/**
 * The vectors of texts, of length 1, as far as an embedder keeps to what it is for.
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

/** A vector of length 1: then the cosine is a sum of products. One without any direction stays as it is, near to nothing. */
function unitVector(embedder: Embedder, vector: Vector, dimension: number): Float32Array {
  if (vector.length === 0 || vector.length > MOST_NUMBERS)
    throw unfit(embedder, `gave a vector of ${vector.length} numbers`);
  if (vector.length !== dimension)
    throw unfit(embedder, `gave a vector of ${vector.length} numbers among those of ${dimension}`);
  const unit = Float32Array.from(vector);
  let square = 0;
  for (const number of unit) square += number * number;
  if (!Number.isFinite(square)) throw unfit(embedder, 'gave a vector that is not of finite numbers');
  const length = Math.sqrt(square);
  if (length > 0) for (let i = 0; i < unit.length; i++) unit[i] = (unit[i] ?? 0) / length;
  return unit;
}

function unfit({ model }: Embedder, what: string): CodewalkError {
  return new CodewalkError('EMBEDDINGS_FAILED', `the model '${model}' ${what}`, {
    suggestion:
      "Is it a model for embeddings? After a change of the model: 'codewalk index --vectors --wipe'.",
  });
}
