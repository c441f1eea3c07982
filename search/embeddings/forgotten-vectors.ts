import type { ReadContext, WriteContext } from '../../runtime/index.js';
import { EMBEDDER } from './embedder-resource.js';
import { VECTORS } from './kept-vectors.js';
import {
  type EmbeddedKind,
  forgottenOf,
  VECTORS_FORGOTTEN,
  VECTORS_HEAD,
  vectorName,
} from './stored-vector.js';

/**
 * Takes the vectors of durable nodes out with what they were made of: in the commit that deletes the nodes, or changes what
 * they say for good. A run that embeds meanwhile hears of it before it writes what it was given.
 */
export async function forgetVectors(
  context: Pick<WriteContext, 'blobs' | 'putBlob' | 'kept' | 'resource'>,
  nodes: Iterable<readonly [kind: EmbeddedKind, id: string]>,
): Promise<void> {
  const gone = [...nodes];
  const [head, before] = await context.blobs([VECTORS_HEAD, VECTORS_FORGOTTEN], 'durable');
  if (gone.length === 0 || (head === undefined && !mayEmbed(context))) return;
  const names = gone.map(([kind, id]) => vectorName(kind, id));
  const stored = await context.blobs(names, 'durable');
  for (const [at, name] of names.entries())
    if (stored[at] !== undefined) context.putBlob(name, undefined, 'durable');
  const times = forgottenOf(before) + 1;
  context.putBlob(VECTORS_FORGOTTEN, Buffer.from(String(times)), 'durable');
  context.kept(VECTORS).drop('durable', gone, times);
}

/** Whether somebody may be embedding. */
function mayEmbed({ resource }: Pick<ReadContext, 'resource'>): boolean {
  try {
    return resource(EMBEDDER)() !== null;
  } catch {
    // What is configured cannot be used now; it may have been before.
    return true;
  }
}
