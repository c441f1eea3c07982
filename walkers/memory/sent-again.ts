import { z } from 'zod';
import type { NodeRef, WriteContext } from '../../runtime/index.js';
import { Memory } from '../../schema/index.js';

/** Beside the durable layer: the ids of the latest requests that cannot be told from their like by what they left. */
const DONE = 'memory/requests-done';
/** Whoever lost an answer asks again at once: as many others are not done meanwhile. */
const MOST_KEPT = 64;

const Done = z.array(z.string());

/**
 * The memory that this request stored when it was sent before: it has the request's id. Undefined where it is new, or where
 * one request stores several.
 */
export async function storedBefore(
  { requestId, nodesOf }: Pick<WriteContext, 'requestId' | 'nodesOf'>,
  said: { readonly title: string; readonly content: string },
): Promise<NodeRef<typeof Memory> | undefined> {
  if (requestId === null) return undefined;
  const [memory] = await nodesOf(Memory, [requestId]);
  const isIt = memory && !memory.gone && memory.title === said.title && memory.content === said.content;
  return isIt ? memory : undefined;
}

/** Whether this request was carried out when it was sent before; from now on it was. */
export async function wasDone({
  requestId,
  blobs,
  putBlob,
}: Pick<WriteContext, 'requestId' | 'blobs' | 'putBlob'>): Promise<boolean> {
  if (requestId === null) return false;
  const [bytes] = await blobs([DONE], 'durable');
  const done = bytes ? doneIn(bytes) : [];
  if (done.includes(requestId)) return true;
  const kept = [...done, requestId].slice(-MOST_KEPT);
  putBlob(DONE, Buffer.from(JSON.stringify(kept)), 'durable');
  return false;
}

/** What cannot be read is written anew: no more is lost by it than that a request is known again. */
function doneIn(bytes: Uint8Array): string[] {
  try {
    return Done.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return [];
  }
}
