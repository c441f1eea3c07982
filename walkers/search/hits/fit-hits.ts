import { LIMITS } from '../../../schema/index.js';
import { CHARACTERS_PER_TOKEN, largestThatFits } from '../../token-budget.js';
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
  const all = whole.length;
  const budget = asked ?? lookupTokens.default;
  const forms = [whole, whole.map(withoutContext), whole.map(bare)] as const;
  const lengths = forms.map(lengthsUpTo);
  /** Whether the first `full` hits as they are, those up to `rows` in a shorter form, fit. */
  const fits = (form: number, full: number, rows: number, most: number) => {
    const [wholes = [], shorts = []] = [lengths[0], lengths[form]];
    const length = (wholes[full] ?? 0) + (shorts[rows] ?? 0) - (shorts[full] ?? 0);
    // Brackets, and a comma between two.
    return Math.ceil((length + 2 + Math.max(0, rows - 1)) / CHARACTERS_PER_TOKEN) + others <= most;
  };
  if (fits(0, all, all, budget)) return { hits: [...whole], cut: [] };
  for (const form of [1, 2] as const) {
    const full = largestThatFits(all, (count) => fits(form, count, all, budget));
    if (full > 0 || fits(form, 0, all, budget))
      return {
        hits: [...whole.slice(0, full), ...forms[form].slice(full)],
        cut: [`Neighbours and texts are told of the first ${full} of ${all} hits: ${more}`],
      };
  }
  const rows = largestThatFits(all, (count) => fits(2, 0, count, asked ?? lookupTokens.max));
  const fallen = rows < all ? [`The first ${rows} of ${all} hits fit: ${more}`] : [];
  return {
    hits: forms[2].slice(0, rows),
    cut: [`Neighbours and texts of hits are left out: ${more}`, ...fallen],
  };
}

/** Characters of the first so many hits as JSON, from 0 up to all. */
function lengthsUpTo(hits: readonly SearchHit[]): number[] {
  const lengths = [0];
  for (const hit of hits) lengths.push((lengths.at(-1) ?? 0) + JSON.stringify(hit).length);
  return lengths;
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
  const least = plain.map((hit) => lengthOf(bare(hit)));
  let sum = least.reduce((all, one) => all + one, 0);
  const hits: SearchHit[] = [];
  for (const [at, hit] of plain.entries()) {
    const isRoom = sum <= room;
    const whole = isRoom ? { ...hit, graph_context: await neighboursOf(hit.id) } : hit;
    hits.push(whole);
    if (isRoom) sum += lengthOf(whole) - (least[at] ?? 0);
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
