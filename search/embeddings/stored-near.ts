import type { ReadContext } from '../../runtime/index.js';
import type { Layer } from '../../schema/index.js';
import { type EmbeddedKind, namedVector, storedVector, VECTOR_PREFIX, vectorName } from './stored-vector.js';
import { type Near, nearestOf, product } from './vector-table.js';

/** Vectors that are read at once by their names. */
const AT_ONCE = 500;
/** As many times what is wanted are held before the farthest fall. */
const ROOM = 4;

/** The nearest vectors of one kind to a query, read from the store page by page: what stays in memory is what is wanted. */
export async function storedNear(
  context: Pick<ReadContext, 'blobs' | 'blobsUnder'>,
  layer: Layer,
  kind: EmbeddedKind,
  query: Float32Array,
  limit: number,
  within?: Iterable<string>,
): Promise<Near[]> {
  let found: Near[] = [];
  for await (const page of within ? named(context, layer, kind, within) : all(context, layer, kind)) {
    for (const { id, bytes } of page) {
      const stored = storedVector(bytes, query.length);
      const similarity = stored ? product(query, stored.vector, 0) : 0;
      if (similarity > 0) found.push({ id, similarity });
    }
    if (found.length > ROOM * Math.max(limit, AT_ONCE)) found = nearestOf(found, limit);
  }
  return nearestOf(found, limit);
}

interface Stored {
  readonly id: string;
  readonly bytes: Uint8Array;
}

async function* all(
  context: Pick<ReadContext, 'blobsUnder'>,
  layer: Layer,
  kind: EmbeddedKind,
): AsyncGenerator<Stored[]> {
  for await (const page of context.blobsUnder(`${VECTOR_PREFIX}${kind}/`, layer))
    yield page.flatMap(({ name, value }) => {
      const known = namedVector(name);
      return known?.kind === kind ? [{ id: known.id, bytes: value }] : [];
    });
}

async function* named(
  context: Pick<ReadContext, 'blobs'>,
  layer: Layer,
  kind: EmbeddedKind,
  within: Iterable<string>,
): AsyncGenerator<Stored[]> {
  const ids = [...new Set(within)];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const found = await context.blobs(
      some.map((id) => vectorName(kind, id)),
      layer,
    );
    yield some.flatMap((id, nth) => {
      const bytes = found[nth];
      return bytes ? [{ id, bytes }] : [];
    });
  }
}
