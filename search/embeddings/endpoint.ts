import { z } from 'zod';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { masked } from '../../source/index.js';

/** Where vectors are asked for. */
export interface Endpoint {
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
export async function requestVectors(
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
