import { compareText } from '../../../runtime/index.js';
import { LIMITS } from '../../../schema/index.js';
import { isTestPath } from '../../../source/index.js';
import { UNFINISHED } from '../index-progress.js';
import type { AskedFile } from './asked-file.js';
import type { MissingFile } from './asked-files.js';
import { type ContextPack, fitContext } from './context-budget.js';
import type { ConceptRow, ContextOutput, RelatedRow, StepRow, SymbolRow } from './context-rows.js';
import { contextSummary } from './context-summary.js';

const { contextRelated, contextTests, packTokens } = LIMITS;

/** What the face adds to the body: root, revision, and what was cut. */
const STATE_TOKENS = 500;

/** What the walk collected. */
export interface Collected {
  readonly files: readonly AskedFile[];
  readonly missing: readonly MissingFile[];
  /** False while an index run is not finished. */
  readonly complete: boolean;
  readonly symbols: readonly SymbolRow[];
  /** Files outside that call at their own level. */
  readonly callingFiles: readonly SymbolRow[];
  readonly related: ReadonlyMap<string, RelatedRow>;
  readonly concepts: readonly ConceptRow[];
  readonly steps: readonly StepRow[];
  /** Calls from the files' own symbols that lead to nothing in the project. */
  readonly unresolved: number;
}

/**
 * Makes the answer: rows in their order, within the budget, and the same as Markdown.
 *
 * The budget counts the pack as JSON, and the Markdown, each by itself: a caller reads one of them. Above it
 * docstrings are left out, then signatures. Rows fall at a budget that the caller gave, else at the ceiling of
 * {@link LIMITS}.packTokens, which holds for the whole JSON body with both in it (P-02).
 */
export function contextPack(
  collected: Collected,
  radius: number,
  budget: { tokens: number; given: boolean },
): ContextOutput {
  const whole = wholePack(collected, radius);
  const body = packTokens.max - STATE_TOKENS;
  const rows = budget.given ? budget.tokens : packTokens.max;
  const { pack, markdown, cut } = fitContext(whole, { fields: budget.tokens, rows, body });
  const most = fitContext(whole, { fields: packTokens.max, rows: packTokens.max, body });
  const more = [
    ...(cut.join() === most.cut.join() ? [] : [`max_tokens up to ${packTokens.max} gives more.`]),
    ...(most.cut.length === 0 ? [] : [narrower(radius, collected.files.length)]),
  ];
  return {
    context_pack: pack,
    returnDisplay: markdown,
    state: {
      cut: [...(collected.complete ? [] : [UNFINISHED]), ...cut, ...(cut.length > 0 ? more : [])],
      unresolved: collected.unresolved,
      pending: collected.files.filter(({ change }) => change !== null).length,
    },
  };
}

/** How to get what not even the largest budget has room for. */
function narrower(radius: number, files: number): string {
  const ways = [...(radius > 0 ? ['a smaller radius'] : []), ...(files > 1 ? ['fewer files'] : [])];
  if (ways.length === 0) return 'The rest is in the file itself.';
  const which = ways.join(' or ');
  return `${which[0]?.toUpperCase()}${which.slice(1)} ${ways.length > 1 ? 'leave' : 'leaves'} room for the rest.`;
}

function wholePack(collected: Collected, radius: number): ContextPack {
  const symbols = [...collected.symbols].sort(nearestFirst);
  const asked = new Set(collected.files.map(({ path }) => path));
  const related = [...collected.related.values()]
    .filter(({ path, line }) => !(asked.has(path) && line === null))
    .sort((a, b) => b.score - a.score || compareText(a.id, b.id))
    .slice(0, contextRelated.max);
  const score = ({ id }: SymbolRow) => collected.related.get(id)?.score ?? 0;
  const tests = [...symbols, ...collected.callingFiles]
    .filter(({ path, distance }) => distance > 0 && isTestPath(path))
    .sort((a, b) => a.distance - b.distance || score(b) - score(a) || nearestFirst(a, b))
    .slice(0, contextTests.max);
  return {
    ...(radius > 0 ? { related, tests } : {}),
    symbols,
    concepts: [...collected.concepts],
    etg_steps: [...collected.steps],
    summary: contextSummary(collected),
  };
}

function nearestFirst(a: SymbolRow, b: SymbolRow): number {
  return (
    a.distance - b.distance ||
    compareText(a.path, b.path) ||
    a.start_line - b.start_line ||
    compareText(a.id, b.id)
  );
}
