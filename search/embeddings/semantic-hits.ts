import type { ReadContext } from '../../runtime/index.js';
import { type Layer, toCodewalkError } from '../../schema/index.js';
import { compareIds } from '../../storage/index.js';
import type { Embedder } from './embedder.js';
import { EMBEDDER } from './embedder-resource.js';
import { VECTORS } from './kept-vectors.js';
import type { LayerVectors } from './layer-vectors.js';
import { QUERY_VECTORS } from './query-vectors.js';
import { type EmbeddedKind, LAYERS_OF_KIND } from './stored-vector.js';
import type { Near } from './vector-table.js';

/** Nodes that may be gone since they were embedded: as many more are looked at. */
const SPARE = 2;

/** A node whose embedded text is near to a query. */
export interface SemanticHit {
  readonly id: string;
  /** The cosine: from 0, no more in common than any two texts, to 1. */
  readonly similarity: number;
  /** 1 minus it: S2-23. */
  readonly distance: number;
  /** From 0. */
  readonly rank: number;
}

/** What embeddings say to a query. */
export interface SemanticHits {
  /** The nearest first, ties by id; none where embeddings are off or failed. */
  readonly hits: readonly SemanticHit[];
  /** Why some or all are missing, for `state.cut`; null where nothing is, and where embeddings are off. */
  readonly note: string | null;
}

/** What {@link semanticHits} needs of a walker's context. */
export type SemanticContext = Pick<
  ReadContext,
  'resource' | 'kept' | 'blobs' | 'blobsUnder' | 'nodes' | 'now' | 'signal'
>;

/**
 * The nodes of some kinds whose texts are nearest to a query by their embeddings. Never throws, and waits for
 * `LIMITS.embeddingQueryWait` at most: without an endpoint, and where it is slow, wrong or gone, the search goes on by words.
 *
 * @param options.within Ids that are looked at; default: all of those kinds.
 * @example
 * const { hits, note } = await semanticHits(context, 'log a user in', ['Symbol', 'File'], 50);
 * const ranked = ranking(fused([
 *   { scores: byWords, weight: 1 },
 *   { scores: new Map(hits.map(({ id, similarity }) => [id, similarity])), weight: 1 },
 * ]));
 */
export async function semanticHits(
  context: SemanticContext,
  query: string,
  kinds: readonly EmbeddedKind[],
  limit: number,
  options: { readonly within?: Iterable<string> } = {},
): Promise<SemanticHits> {
  try {
    const embedder = context.resource(EMBEDDER)();
    if (embedder === null || query.trim() === '') return NOTHING;
    return await nearest(context, embedder, query, { kinds, limit, ...options });
  } catch (thrown) {
    return { hits: [], note: `Ranked by words alone: ${toCodewalkError(thrown).message}.` };
  }
}

const NOTHING: SemanticHits = { hits: [], note: null };

async function nearest(
  context: SemanticContext,
  embedder: Embedder,
  query: string,
  { kinds, limit, within }: { kinds: readonly EmbeddedKind[]; limit: number; within?: Iterable<string> },
): Promise<SemanticHits> {
  const found: Near[] = [];
  const notes = new Set<string>();
  for (const layer of new Set(kinds.flatMap((kind) => LAYERS_OF_KIND[kind]))) {
    const vectors = await context.kept(VECTORS).of(context, layer);
    notes.add(noteOf(vectors, embedder));
    const dimension = vectors?.head.dimension ?? null;
    if (vectors === null || dimension === null || vectors.head.model !== embedder.model) continue;
    const wanted = await context.kept(QUERY_VECTORS).of(context, embedder, query, dimension);
    for (const kind of tablesIn(kinds, layer))
      found.push(...(await vectors.nearest(context, kind, wanted, SPARE * limit, within)));
  }
  const near = found
    .sort((a, b) => b.similarity - a.similarity || compareIds(a.id, b.id))
    .slice(0, SPARE * limit);
  const nodes = await context.nodes(near.map(({ id }) => id));
  const there = near.filter((_, i) => nodes[i] && !nodes[i].gone);
  const hits = there
    .slice(0, limit)
    .map(({ id, similarity }, rank) => ({ id, similarity, distance: 1 - similarity, rank }));
  const told = [...notes].filter((note) => note !== '');
  return { hits, note: told.length === 0 ? null : told.join(' ') };
}

function tablesIn(kinds: readonly EmbeddedKind[], layer: Layer): EmbeddedKind[] {
  return [...new Set(kinds)].filter((kind) => LAYERS_OF_KIND[kind].includes(layer));
}

const EMBED = "'codewalk index --vectors' makes them";

/** What is missing of a layer's vectors; empty where nothing is. */
function noteOf(vectors: LayerVectors | null, { model }: Embedder): string {
  if (vectors === null) return `Ranked by words alone: there are no embeddings yet (${EMBED}).`;
  const { head } = vectors;
  if (head.model !== model)
    return `Ranked by words alone: the embeddings are of the model '${head.model}', not '${model}' (${EMBED} again).`;
  return head.pending === 0 ? '' : `${head.pending} texts have no embedding yet (${EMBED}).`;
}
