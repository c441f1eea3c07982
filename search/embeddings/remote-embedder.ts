import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CodewalkError, LIMITS, toCodewalkError } from '../../schema/index.js';
import { LONGEST_SECRET, masked } from '../../source/index.js';
import type { Embedder, Vector } from './embedder.js';

/** Where vectors are asked for. */
interface Endpoint {
  /** The base address, as `https://api.openai.com/v1`. */
  readonly url: string;
  readonly model: string;
  /** Sent as a bearer token; null: none is. */
  readonly key: string | null;
}

/** What an OpenAI-compatible endpoint answers; other fields are let be. */
const Answered = z.object({
  data: z.array(z.object({ index: z.number().int().min(0).optional(), embedding: z.array(z.number()) })),
});

/** Characters of an endpoint's own words that a message shows. */
const LONGEST_REASON = 200;

/**
 * One request for the vectors of texts, in their order.
 *
 * @param waitMs What it may take, the answer's body included.
 * @throws CodewalkError `EMBEDDINGS_FAILED`, with `retryAfterMs` where it may pass: no answer, too many requests, a fault
 * of the server; `CANCELLED`.
 */
async function requestVectors(
  endpoint: Endpoint,
  texts: readonly string[],
  waitMs: number,
  signal?: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const { url, model, key } = endpoint;
  const late = AbortSignal.timeout(waitMs);
  const ends = signal ? AbortSignal.any([signal, late]) : late;
  try {
    const response = await fetch(`${url.replace(/(?<!\/)\/+$/, '')}/embeddings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, input: texts }),
      // Texts and key go where somebody said, and nowhere else.
      redirect: 'error',
      signal: ends,
    });
    const text = await bodyOf(endpoint, response);
    if (!response.ok) throw refused(endpoint, response, text);
    return vectorsOf(endpoint, text, texts.length);
  } catch (thrown) {
    if (signal?.aborted) throw new CodewalkError('CANCELLED', 'the run was cancelled', { cause: thrown });
    if (thrown instanceof CodewalkError) throw thrown;
    throw unanswered(
      endpoint,
      late.aborted ? `did not answer within ${waitMs} ms` : reasonOf(thrown),
      thrown,
    );
  }
}

/** The body of an answer, if it is not larger than any that was asked for. */
async function bodyOf(endpoint: Endpoint, response: Response): Promise<string> {
  const { max } = LIMITS.embeddingAnswer;
  const pieces: Uint8Array[] = [];
  let size = 0;
  // The fetch of Node gives a stream of bytes; its type leaves open what the chunks are.
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > max) throw failed(endpoint, `gave more than ${max} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function vectorsOf(endpoint: Endpoint, text: string, wanted: number): readonly (readonly number[])[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw failed(endpoint, 'gave what is not JSON', cause);
  }
  const answered = Answered.safeParse(json);
  if (!answered.success)
    throw failed(endpoint, "gave no 'data' of objects with an 'embedding' of numbers", answered.error);
  const { data } = answered.data;
  if (data.length !== wanted) throw failed(endpoint, `gave ${data.length} vectors for ${wanted} texts`);
  const ordered = data
    .map((one, at) => ({ ...one, index: one.index ?? at }))
    .sort((a, b) => a.index - b.index);
  if (ordered.some(({ index }, at) => index !== at)) throw failed(endpoint, 'gave two vectors for one text');
  return ordered.map(({ embedding }) => embedding);
}

function refused(endpoint: Endpoint, { status, statusText, headers }: Response, text: string): CodewalkError {
  const said = masked(withoutKey(text, endpoint)).replace(/\s+/g, ' ').slice(0, LONGEST_REASON).trim();
  const what = `answered ${status} ${statusText}${said === '' ? '' : `: ${said}`}`;
  if (status !== 429 && status !== 408 && status < 500) return failed(endpoint, what);
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return unanswered(endpoint, what, undefined, Number.isFinite(seconds) ? seconds * 1000 : undefined);
}

function withoutKey(text: string, { key }: Endpoint): string {
  return key === null || key === '' ? text : text.replaceAll(key, '[masked:key]');
}

/** What a failed fetch says is in its cause: `ECONNREFUSED`. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return `could not be reached (${code || (cause instanceof Error ? cause.message : String(cause))})`;
}

function failed(endpoint: Endpoint, what: string, cause?: unknown): CodewalkError {
  return new CodewalkError('EMBEDDINGS_FAILED', messageOf(endpoint, what), {
    suggestion: SUGGESTION,
    ...(cause === undefined ? {} : { cause }),
  });
}

function unanswered(endpoint: Endpoint, what: string, cause?: unknown, after?: number): CodewalkError {
  return new CodewalkError('EMBEDDINGS_FAILED', messageOf(endpoint, what), {
    suggestion: SUGGESTION,
    retryAfterMs: after ?? LIMITS.embeddingPause.default,
    ...(cause === undefined ? {} : { cause }),
  });
}

const SUGGESTION =
  "'codewalk config list' shows embeddings_url, embeddings_model and embeddings_key_variable; everything works without them.";

/** The address without what stands behind its path. */
function messageOf({ url }: Endpoint, what: string): string {
  const { origin, pathname } = new URL(url);
  return `the embeddings endpoint ${origin}${pathname.replace(/(?<!\/)\/+$/, '')} ${what}`;
}

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
