import { LIMITS } from '../../../schema/index.js';
import { CHARACTERS_PER_TOKEN, largestThatFits, tokensOf } from '../../token-budget.js';
import type { SearchHit } from './hit-rows.js';

const { lookupTokens, searchRows } = LIMITS;

/** Hits that fit. */
export interface FittedHits {
  readonly hits: SearchHit[];
  /** What fell or is shorter, and how to get it. */
  readonly cut: readonly string[];
}

/**
 * Makes hits fit (P-02): at the default budget the last hits lose their neighbours and docstrings, then their signatures,
 * and every row keeps its id, score, path and lines; rows fall, the last first, only above a budget that the caller
 * gave or above the ceiling.
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
  const all = whole.length;
  if (fits(whole, budget)) return { hits: [...whole], cut: [] };
  const smaller = [whole.map(withoutContext), whole.map(bare)] as const;
  for (const small of smaller) {
    const made = (count: number) => [...whole.slice(0, count), ...small.slice(count)];
    const full = largestThatFits(all, (count) => fits(made(count), budget));
    if (full > 0 || fits(small, budget))
      return {
        hits: made(full),
        cut: [`Neighbours and texts are told of the first ${full} of ${all} hits: ${more}`],
      };
  }
  const [, small] = smaller;
  const rows = largestThatFits(all, (count) => fits(small.slice(0, count), asked ?? lookupTokens.max));
  const fallen = rows < all ? [`The first ${rows} of ${all} hits fit: ${more}`] : [];
  return {
    hits: small.slice(0, rows),
    cut: [`Neighbours and texts of hits are left out: ${more}`, ...fallen],
  };
}

/**
 * Gives hits their neighbours, the first first, as long as there may be room for them: what could not be shown is not
 * looked up.
 *
 * @param plain Hits without neighbours.
 */
export async function withNeighbours(
  plain: readonly SearchHit[],
  { asked, others }: { readonly asked: number | undefined; readonly others: number },
  neighboursOf: (id: string) => Promise<SearchHit['graph_context']>,
): Promise<SearchHit[]> {
  const lengthOf = (hit: SearchHit) => JSON.stringify(hit).length;
  const room = ((asked ?? lookupTokens.default) - others) * CHARACTERS_PER_TOKEN;
  let least = plain.reduce((sum, hit) => sum + lengthOf(bare(hit)), 0);
  const hits: SearchHit[] = [];
  for (const hit of plain) {
    const isRoom = least <= room;
    const whole = isRoom ? { ...hit, graph_context: await neighboursOf(hit.id) } : hit;
    hits.push(whole);
    least += lengthOf(whole) - lengthOf(bare(hit));
  }
  return hits;
}

/** How a limit's cut is said. */
export function limitNote(shown: number, found: number): string[] {
  if (found <= shown) return [];
  const more = shown < searchRows.max ? `limit up to ${searchRows.max} gives more` : 'scope narrows them';
  return [`The first ${shown} of ${found} are shown: ${more}.`];
}

/** What is said where no neighbours are. */
export const NO_CONTEXT: SearchHit['graph_context'] = { imports: [], imported_by: [], related_chunks: [] };

function withoutContext({ summary: _summary, ...hit }: SearchHit): SearchHit {
  return { ...hit, graph_context: NO_CONTEXT };
}

function bare({ signature: _signature, why: _why, ...hit }: SearchHit): SearchHit {
  return withoutContext(hit);
}
