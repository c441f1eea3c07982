import type { ReadContext, Slot } from '../../runtime/index.js';
import { CodewalkError, type Layer, LIMITS, toCodewalkError } from '../../schema/index.js';
import { masked } from '../../source/index.js';
import { compareIds } from '../../storage/index.js';
import { fused, ranking, type Scores } from '../fusion.js';
import { EMBEDDER, type Embedder, embeddedQuery } from './embedder.js';
import { type EmbeddedKind, LAYERS_OF_KIND, type Near, VECTORS, type VectorsHead } from './vectors.js';

const { embeddingQueryWait, embeddingRest, embeddingQueries, searchQuery } = LIMITS;

/** The vectors of queries, and when asking for one failed. */
class QueryVectors {
  /** The least recently asked for first. */
  readonly #known = new Map<string, Float32Array>();
  #failed: { readonly at: number; readonly why: string; readonly model: string } | null = null;

  /**
   * The vector of a query, within the time that a search has for it. Who failed is let be for a while: no search after the
   * first one waits for it.
   *
   * @throws CodewalkError `EMBEDDINGS_FAILED`
   */
  async of(
    context: Pick<ReadContext, 'now' | 'signal'>,
    embedder: Embedder,
    query: string,
    dimension: number,
  ): Promise<Float32Array> {
    const { model } = embedder;
    const text = masked(query).slice(0, searchQuery.max);
    const key = JSON.stringify([model, dimension, text]);
    const known = this.#known.get(key);
    if (known) {
      this.#known.delete(key);
      this.#known.set(key, known);
      return known;
    }
    const failed = this.#failed;
    if (failed && failed.model === model && Math.abs(context.now() - failed.at) < embeddingRest.max)
      throw new CodewalkError('EMBEDDINGS_FAILED', failed.why);
    try {
      const vector = await inTime(context.signal, (signal) =>
        embeddedQuery(embedder, text, dimension, signal),
      );
      this.#failed = null;
      this.#keep(key, vector);
      return vector;
    } catch (thrown) {
      const { message } = toCodewalkError(thrown);
      if (!context.signal.aborted) this.#failed = { at: context.now(), why: message, model };
      throw new CodewalkError('EMBEDDINGS_FAILED', message, { cause: thrown });
    }
  }

  #keep(key: string, vector: Float32Array): void {
    this.#known.set(key, vector);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= embeddingQueries.max) break;
      this.#known.delete(oldest);
    }
  }
}

/** The queries that a graph was asked. */
const QUERY_VECTORS: Slot<QueryVectors> = { name: 'query vectors', make: () => new QueryVectors() };

/** What an embedder gives in the time that a search has, whether or not it heeds signals. */
async function inTime<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { max } = embeddingQueryWait;
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      fail(new CodewalkError('EMBEDDINGS_FAILED', `the embedder did not answer within ${max} ms`));
      late.abort();
    }, max);
  });
  try {
    return await Promise.race([work(AbortSignal.any([signal, late.signal])), over]);
  } finally {
    clearTimeout(timer);
  }
}

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
  'resource' | 'cached' | 'blobs' | 'blobsUnder' | 'nodes' | 'now' | 'signal'
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
    const vectors = await context.cached(VECTORS).of(context, layer);
    notes.add(noteOf(vectors?.head ?? null, embedder));
    const dimension = vectors?.head.dimension ?? null;
    if (vectors === null || dimension === null || vectors.head.model !== embedder.model) continue;
    const wanted = await context.cached(QUERY_VECTORS).of(context, embedder, query, dimension);
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
function noteOf(head: VectorsHead | null, { model }: Embedder): string {
  if (head === null) return `Ranked by words alone: there are no embeddings yet (${EMBED}).`;
  if (head.model !== model)
    return `Ranked by words alone: the embeddings are of the model '${head.model}', not '${model}' (${EMBED} again).`;
  return head.pending === 0 ? '' : `${head.pending} texts have no embedding yet (${EMBED}).`;
}

/** Below the last of those that count. */
const BEHIND = 0.99;

/**
 * Scores by words joined with what embeddings say, by rank ({@link fused}), both alike: shares of what the first of both
 * lists gets. Where embeddings say nothing, the scores as they were.
 */
export function withSemantic(byWords: Scores, { hits }: Pick<SemanticHits, 'hits'>): Scores {
  if (hits.length === 0) return byWords;
  const lists = [byWords, new Map(hits.map(({ id, similarity }) => [id, similarity]))];
  const both = fused(lists.map((scores) => ({ scores, weight: 1 })));
  const first = { scores: new Map([['', 1]]), weight: 1 };
  const most = fused([first, first]).get('') ?? 1;
  const joined = new Map(ranking(both).map((id) => [id, (both.get(id) ?? 0) / most]));
  // What stands too deep in its list to count stays behind all that counts.
  const least = Math.min(...joined.values());
  for (const [id, score] of byWords) if (!joined.has(id)) joined.set(id, least * Math.min(1, score) * BEHIND);
  return joined;
}
