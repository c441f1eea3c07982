import { parseId } from '../../../schema/index.js';
import { fused, ranking, type SemanticContext, semanticHits, withSemantic } from '../../../search/index.js';
import type { FoundCode, RankedCode } from './rank-code.js';

/** Files and symbols that embeddings may name. */
const MOST_SEMANTIC = 50;

/** What a selection has of code that words lead to. */
export interface SelectedCode extends Pick<RankedCode, 'found' | 'files'> {
  readonly ids: ReadonlySet<string>;
}

/**
 * Joins the ranking by words with that by embeddings, by rank, files alike. Where embeddings say nothing, it is as it
 * was. Of a selection what is among the best of all has its rank there; the rest comes behind.
 *
 * @param selected Null: everything may be found.
 */
export async function withMeaning(
  context: SemanticContext,
  text: string,
  byWords: Pick<RankedCode, 'found' | 'files'>,
  selected: SelectedCode | null,
): Promise<RankedCode> {
  const kinds = ['Symbol', 'File'] as const;
  const semantic = await semanticHits(context, text, kinds, MOST_SEMANTIC);
  const notes = semantic.note === null ? [] : [semantic.note];
  if (semantic.hits.length === 0) return { ...(selected ?? byWords), notes };
  const all = withSemantic(scoresOf(byWords.found), semantic);
  const files = joinedFiles(byWords.files, semantic.hits);
  const why = new Map([...byWords.found, ...(selected?.found ?? [])].map((one) => [one.id, one.why]));
  const found = (scores: ReadonlyMap<string, number>): FoundCode[] =>
    ranking(scores).map((id) => ({ id, score: scores.get(id) ?? 0, why: why.get(id) ?? [] }));
  if (!selected) return { found: found(all), files, notes };

  const within = [...selected.ids].filter((id) => !all.has(id));
  const near = await semanticHits(context, text, kinds, MOST_SEMANTIC, { within });
  const others = withSemantic(scoresOf(selected.found.filter(({ id }) => !all.has(id))), near);
  const least = Math.min(1, ...all.values());
  const scores = new Map([...all].filter(([id]) => selected.ids.has(id)));
  for (const [id, score] of others) scores.set(id, least * Math.min(1, score));
  const paths = new Set(selected.files);
  for (const id of scores.keys()) paths.add(pathOf(id));
  const known = new Set(files);
  return {
    found: found(scores),
    files: [...files.filter((path) => paths.has(path)), ...[...paths].filter((path) => !known.has(path))],
    notes,
  };
}

function scoresOf(found: readonly FoundCode[]): Map<string, number> {
  return new Map(found.map(({ id, score }) => [id, score]));
}

/** Files by words and by their nearest texts, by rank. */
function joinedFiles(
  byWords: readonly string[],
  hits: readonly { readonly id: string; readonly similarity: number }[],
): string[] {
  const near = new Map<string, number>();
  for (const { id, similarity } of hits) if (!near.has(pathOf(id))) near.set(pathOf(id), similarity);
  const places = new Map(byWords.map((path, rank) => [path, 1 / (1 + rank)]));
  const files = ranking(fused([places, near].map((scores) => ({ scores, weight: 1 }))));
  const joined = new Set(files);
  return [...files, ...byWords.filter((path) => !joined.has(path))];
}

function pathOf(id: string): string {
  return parseId(id)?.path ?? '';
}
