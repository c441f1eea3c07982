import type { ReadContext, Slot } from '../../runtime/index.js';
import { CodewalkError, LIMITS, toCodewalkError } from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { embeddedQuery } from './checked-vectors.js';
import type { Embedder } from './embedder.js';

const { embeddingQueryWait, embeddingRest, embeddingQueries, searchQuery } = LIMITS;

/** The vectors of queries, and when asking for one failed. */
export class QueryVectors {
  /** The least recently asked for first. */
  readonly #known = new Map<string, Float32Array>();
  #failed: { readonly at: number; readonly why: string; readonly model: string } | null = null;

  /**
   * The vector of a query, within the time that a search has for it. Who failed is let be for a while: no search after the
   * first one waits for it.
   *
   * @throws CodewalkError `EMBEDDINGS_FAILED`
   */
  async of(
    context: Pick<ReadContext, 'now' | 'signal'>,
    embedder: Embedder,
    query: string,
    dimension: number,
  ): Promise<Float32Array> {
    const { model } = embedder;
    const text = masked(query).slice(0, searchQuery.max);
    const key = JSON.stringify([model, dimension, text]);
    const known = this.#known.get(key);
    if (known) {
      this.#known.delete(key);
      this.#known.set(key, known);
      return known;
    }
    const failed = this.#failed;
    if (failed && failed.model === model && Math.abs(context.now() - failed.at) < embeddingRest.max)
      throw new CodewalkError('EMBEDDINGS_FAILED', failed.why);
    try {
      const vector = await inTime(context.signal, (signal) =>
        embeddedQuery(embedder, text, dimension, signal),
      );
      this.#failed = null;
      this.#keep(key, vector);
      return vector;
    } catch (thrown) {
      const { message } = toCodewalkError(thrown);
      if (!context.signal.aborted) this.#failed = { at: context.now(), why: message, model };
      throw new CodewalkError('EMBEDDINGS_FAILED', message, { cause: thrown });
    }
  }

  #keep(key: string, vector: Float32Array): void {
    this.#known.set(key, vector);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= embeddingQueries.max) break;
      this.#known.delete(oldest);
    }
  }
}

/** The queries that a graph was asked. */
export const QUERY_VECTORS: Slot<QueryVectors> = { name: 'query vectors', make: () => new QueryVectors() };

/** What an embedder gives in the time that a search has, whether or not it heeds signals. */
async function inTime<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { max } = embeddingQueryWait;
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      fail(new CodewalkError('EMBEDDINGS_FAILED', `the embedder did not answer within ${max} ms`));
      late.abort();
    }, max);
  });
  try {
    return await Promise.race([work(AbortSignal.any([signal, late.signal])), over]);
  } finally {
    clearTimeout(timer);
  }
}
