import { describe, expect, it } from 'vitest';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { RemoteEmbedder } from '../../search/index.js';
import { type Answering, asOpenAi, embeddingsServer } from './embeddings-server.js';

const embedderAt = (url: string, key: string | null = null) => new RemoteEmbedder({ url, model: 'm', key });

async function failure(work: Promise<unknown>): Promise<CodewalkError> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof CodewalkError) return thrown;
  throw new Error(`it did not fail as it should: ${thrown}`);
}

describe('an embedder behind an endpoint', () => {
  it('asks for vectors of texts in batches, and gives them in the order of the texts', async () => {
    const server = await embeddingsServer();
    const texts = Array.from({ length: LIMITS.embeddingBatch.max + 3 }, (_, i) => `text number ${i}`);
    const embedder = embedderAt(`${server.url}/`, 'the-key');
    const vectors = await embedder.embedTexts(texts);
    expect(server.asked.map(({ body }) => body.input.length)).toEqual([LIMITS.embeddingBatch.max, 3]);
    expect(server.asked[0]).toMatchObject({
      path: '/v1/embeddings',
      authorization: 'Bearer the-key',
      body: { model: 'm' },
    });
    expect(await embedder.embedQuery(texts[65] ?? '')).toEqual(vectors[65]);
    expect(vectors[65]).not.toEqual(vectors[64]);
  });

  it('sends no key where there is none, and neither secrets nor more of a text than it may', async () => {
    const server = await embeddingsServer();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const long = `${'x '.repeat(LIMITS.embeddingText.max / 2 - 10)}${secret}`;
    await embedderAt(server.url).embedTexts([`token = "${secret}"`, long, '', 'half a pair \ud83d']);
    const [first, second, third, fourth] = server.asked[0]?.body.input ?? [];
    expect(server.asked[0]?.authorization).toBeUndefined();
    expect(first).toContain('[masked:');
    expect(JSON.stringify(server.asked)).not.toContain('ghp_');
    expect(second?.length).toBeLessThanOrEqual(LIMITS.embeddingText.max);
    expect([third, fourth]).toEqual(['-', 'half a pair \ufffd']);
  });

  it('asks again after a fault that may pass, a few times', async () => {
    const server = await embeddingsServer();
    let faults = 2;
    server.answer = (vectors, response, asked) => {
      if (faults-- > 0) response.writeHead(503, { 'retry-after': '0' }).end('overloaded');
      else asOpenAi(vectors, response, asked);
    };
    const vectors = await embedderAt(server.url).embedTexts(['a text']);
    expect([vectors.length, server.asked.length]).toEqual([1, 3]);
    server.answer = (_, response) => void response.writeHead(429, { 'retry-after': '0' }).end();
    const given = await failure(embedderAt(server.url).embedTexts(['a text']));
    expect(given.code).toBe('EMBEDDINGS_FAILED');
    expect(server.asked.length).toBe(3 + LIMITS.embeddingTries.max);
  });

  it('asks once where asking again does not help, and tells no key', async () => {
    const server = await embeddingsServer((_, response, { authorization }) => {
      response.writeHead(401).end(`wrong key ${authorization}`);
    });
    const given = await failure(embedderAt(server.url, 'my-own-key').embedTexts(['a text']));
    expect(given.message).toMatch(/127\.0\.0\.1:\d+\/v1 answered 401 .*wrong key/u);
    expect(given.message).not.toContain('my-own-key');
    expect(server.asked.length).toBe(1);
  });

  const wrong: Readonly<Record<string, Answering>> = {
    'what is no JSON': (_, response) => void response.end('<html>'),
    'other fields': (_, response) => void response.end('{"embeddings":[[1]]}'),
    'texts for numbers': (_, response) => void response.end('{"data":[{"index":0,"embedding":["1"]}]}'),
    'too few vectors': (_, response) => void response.end('{"data":[]}'),
    'an address elsewhere': (_, response) =>
      void response.writeHead(307, { location: 'http://127.0.0.1:9/v1/embeddings' }).end(),
    'no end of it': (_, response) => {
      const piece = Buffer.alloc(1024 * 1024, ' ');
      const more = (): boolean => response.destroyed || !response.write(piece, () => void setImmediate(more));
      more();
    },
  };
  it.each(Object.entries(wrong))('refuses %s', async (_name, answer) => {
    const server = await embeddingsServer(answer);
    const given = await failure(embedderAt(server.url).embedQuery('a query'));
    expect(given.code).toBe('EMBEDDINGS_FAILED');
    expect(server.asked.length).toBe(1);
  });

  it('waits no longer than a search may, and not at all for who has gone', async () => {
    const server = await embeddingsServer(() => undefined);
    const abort = new AbortController();
    const called = failure(embedderAt(server.url).embedTexts(['a text'], abort.signal));
    abort.abort();
    expect((await called).code).toBe('CANCELLED');
    const late = await failure(embedderAt(server.url).embedQuery('a query'));
    expect(late.message).toContain(`did not answer within ${LIMITS.embeddingQueryWait.max} ms`);
    const gone = await failure(embedderAt('http://127.0.0.1:9/v1').embedQuery('a query'));
    expect(gone.message).toMatch(/could not be reached/u);
  });
});
