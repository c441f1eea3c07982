import { setTimeout as sleep } from 'node:timers/promises';
import { CodewalkError, LIMITS, toCodewalkError } from '../../schema/index.js';
import { LONGEST_SECRET, masked } from '../../source/index.js';
import type { Embedder, Vector } from './embedder.js';
import { type Endpoint, requestVectors } from './endpoint.js';

const { embeddingText, embeddingBatch, embeddingWait, embeddingTries, embeddingPause, embeddingQueryWait } =
  LIMITS;

/**
 * An embedder behind any OpenAI-compatible endpoint (`POST {url}/embeddings`). Whatever leaves the machine goes through
 * here: secrets are masked and long texts cut before. Texts go in batches, one after the other; a batch is asked for a few
 * times, a query once.
 */
export class RemoteEmbedder implements Embedder {
  /** @param endpoint Where it is, and with which model and key. */
  constructor(private readonly endpoint: Endpoint) {}

  get model(): string {
    return this.endpoint.model;
  }

  async embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<Vector[]> {
    const vectors: Vector[] = [];
    for (let at = 0; at < texts.length; at += embeddingBatch.max)
      vectors.push(...(await this.#batch(texts.slice(at, at + embeddingBatch.max), signal)));
    return vectors;
  }

  async embedQuery(query: string, signal?: AbortSignal): Promise<Vector> {
    const [vector = []] = await requestVectors(
      this.endpoint,
      [outgoing(query)],
      embeddingQueryWait.max,
      signal,
    );
    return vector;
  }

  async #batch(texts: readonly string[], signal: AbortSignal | undefined): Promise<readonly Vector[]> {
    const sent = texts.map(outgoing);
    for (let attempt = 1; ; attempt++) {
      try {
        return await requestVectors(this.endpoint, sent, embeddingWait.max, signal);
      } catch (thrown) {
        const { retryAfterMs } = toCodewalkError(thrown);
        if (retryAfterMs === null || attempt >= embeddingTries.max) throw thrown;
        await pause(Math.min(retryAfterMs * 2 ** (attempt - 1), embeddingPause.max), signal);
      }
    }
  }
}

/** What of a text leaves the machine. A secret at the cut is seen whole before. */
function outgoing(text: string): string {
  const shown = masked(text.slice(0, embeddingText.max + LONGEST_SECRET)).slice(0, embeddingText.max);
  // Half of a surrogate pair is no text that every server takes; endpoints refuse an empty one.
  return Buffer.from(shown).toString('utf8').trim() || '-';
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (thrown) {
    throw new CodewalkError('CANCELLED', 'the run was cancelled', { cause: toCodewalkError(thrown) });
  }
}
