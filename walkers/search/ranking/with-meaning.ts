import { parseId } from '../../../schema/index.js';
import { fused, ranking, type SemanticContext, semanticHits, withSemantic } from '../../../search/index.js';
import type { FoundCode } from './rank-code.js';

/** Files and symbols that embeddings may name. */
const MOST_SEMANTIC = 50;

/** Code that words and embeddings lead to. */
export interface MeantCode {
  readonly found: readonly FoundCode[];
  readonly files: readonly string[];
  /** What is missing of what embeddings say; empty where nothing is. */
  readonly notes: readonly string[];
}

/**
 * Joins the ranking by words with that by embeddings, by rank, files alike. Where embeddings say nothing, it is as it
 * was.
 *
 * @param within Ids of what may be found; null: everything.
 */
export async function withMeaning(
  context: SemanticContext,
  text: string,
  byWords: Omit<MeantCode, 'notes'>,
  within: Iterable<string> | null,
): Promise<MeantCode> {
  const semantic = await semanticHits(
    context,
    text,
    ['Symbol', 'File'],
    MOST_SEMANTIC,
    within === null ? {} : { within },
  );
  const notes = semantic.note === null ? [] : [semantic.note];
  if (semantic.hits.length === 0) return { ...byWords, notes };
  const known = new Map(byWords.found.map((one) => [one.id, one]));
  const scores = withSemantic(new Map(byWords.found.map(({ id, score }) => [id, score])), semantic);
  const near = new Map<string, number>();
  for (const { id, similarity } of semantic.hits) {
    const path = parseId(id)?.path ?? null;
    if (path !== null && !near.has(path)) near.set(path, similarity);
  }
  const places = new Map(byWords.files.map((path, rank) => [path, 1 / (1 + rank)]));
  const files = ranking(fused([places, near].map((one) => ({ scores: one, weight: 1 }))));
  const joined = new Set(files);
  return {
    found: ranking(scores).map((id) => ({ id, score: scores.get(id) ?? 0, why: known.get(id)?.why ?? [] })),
    files: [...files, ...byWords.files.filter((path) => !joined.has(path))],
    notes,
  };
}
