import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { HashEmbedder } from './hash-embedder.js';

export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

/** How a server answers: with the vectors, or with anything else. */
export type Answering = (
  vectors: readonly (readonly number[])[],
  response: ServerResponse,
  asked: Asked,
) => void;

export const asOpenAi: Answering = (vectors, response) => {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ object: 'list', data: data.reverse(), model: 'm' }));
};

/** A real server on this machine that speaks as an embeddings endpoint; closed when the test ends. */
export async function embeddingsServer(first: Answering = asOpenAi) {
  const asked: Asked[] = [];
  const served = { url: '', asked, answer: first };
  const embedder = new HashEmbedder();
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request));
    const one = { path: request.url ?? '', authorization: request.headers.authorization, body };
    asked.push(one);
    served.answer(await embedder.embedTexts(body.input), response, one);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  served.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
  return served;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
