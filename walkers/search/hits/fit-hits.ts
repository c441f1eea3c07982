import { LIMITS } from '../../../schema/index.js';
import { largestThatFits, tokensOf } from '../../token-budget.js';
import type { SearchHit } from './hit-rows.js';

const { lookupTokens, searchRows } = LIMITS;

/** What shrinks, one after the other: neighbours and texts, then all but what a row cannot do without. */
const SIZES = [
  { neighbours: 4, texts: true },
  { neighbours: 2, texts: true },
  { neighbours: 0, texts: true },
  { neighbours: 0, texts: false },
] as const;

/** Hits that fit. */
export interface FittedHits {
  readonly hits: SearchHit[];
  /** What fell or is shorter, and how to get it. */
  readonly cut: readonly string[];
  /** Of that, what Markdown would have shown. */
  readonly markdownCut: readonly string[];
}

/**
 * Makes hits fit (P-02): at the default budget neighbours and texts shrink, and every row keeps its id, score, path and
 * lines; rows fall, the last first, only above a budget that the caller gave or above the ceiling.
 *
 * @param others Tokens that the rest of the answer takes.
 */
export function fitHits(
  whole: readonly SearchHit[],
  { asked, others }: { readonly asked: number | undefined; readonly others: number },
): FittedHits {
  const more = `max_tokens up to ${lookupTokens.max} gives more.`;
  const fits = (hits: readonly SearchHit[], budget: number) => tokensOf(hits) + others <= budget;
  const budget = asked ?? lookupTokens.default;
  let hits = [...whole];
  if (fits(hits, budget)) return { hits, cut: [], markdownCut: [] };
  for (const size of SIZES) {
    hits = whole.map((hit) => smaller(hit, size));
    if (fits(hits, budget)) break;
  }
  const cut = [`Neighbours and texts of hits are shortened: ${more}`];
  const most = asked ?? lookupTokens.max;
  const rows = largestThatFits(hits.length, (count) => fits(hits.slice(0, count), most));
  if (rows === hits.length) return { hits, cut, markdownCut: cut };
  const fallen = `The first ${rows} of ${hits.length} hits fit: ${more}`;
  return { hits: hits.slice(0, rows), cut: [...cut, fallen], markdownCut: [...cut, fallen] };
}

/** How a limit's cut is said. */
export function limitNote(shown: number, found: number): string[] {
  if (found <= shown) return [];
  const more = shown < searchRows.max ? `limit up to ${searchRows.max} gives more` : 'scope narrows them';
  return [`The first ${shown} of ${found} are shown: ${more}.`];
}

function smaller(hit: SearchHit, { neighbours, texts }: (typeof SIZES)[number]): SearchHit {
  const { graph_context, ...row } = hit;
  const { imports, imported_by, related_chunks } = graph_context;
  const kept = texts ? row : withoutTexts(row);
  const some = Math.ceil(neighbours / 4);
  return {
    ...kept,
    graph_context: {
      imports: imports.slice(0, some),
      imported_by: imported_by.slice(0, some),
      related_chunks: related_chunks.slice(0, Math.ceil(neighbours / 2)),
    },
  };
}

function withoutTexts<T extends Pick<SearchHit, 'signature' | 'summary'>>({
  signature: _signature,
  summary: _summary,
  ...row
}: T): Omit<T, 'signature' | 'summary'> {
  return row;
}
