import type { ReadContext } from '../../runtime/index.js';
import type { Layer } from '../../schema/index.js';
import { VECTORS } from './kept-vectors.js';

/** How many vectors a layer has, and of how many numbers; null where it has none. */
export async function vectorFigures(
  context: Pick<ReadContext, 'kept' | 'blobs' | 'blobsUnder'>,
  layer: Layer,
): Promise<{ readonly vectors: number; readonly dimension: number } | null> {
  const stored = await context.kept(VECTORS).of(context, layer);
  const dimension = stored?.head.dimension ?? null;
  return stored === null || dimension === null ? null : { vectors: stored.size, dimension };
}
