import { LIMITS } from '../../../schema/index.js';
import type { Remembered } from '../../memory/memories-about.js';
import { tokensOf } from '../../token-budget.js';
import type { MissingState } from '../index-progress.js';
import type { AskedFile } from './asked-file.js';
import type { MissingFile } from './asked-files.js';
import { type ContextPack, fitContext } from './context-budget.js';
import { contextMarkdown } from './context-markdown.js';
import type { ConceptRow, ContextOutput, ReExportRow, StepRow, SymbolRow } from './context-rows.js';
import { contextSummary } from './context-summary.js';
import type { Focus } from './focus.js';
import type { Related } from './nearness/related.js';
import { inTold } from './symbol-order.js';

const {
  contextRelated,
  contextNeighbours,
  contextTests,
  contextMemories,
  contextCommits,
  contextSteps,
  packTokens,
} = LIMITS;

/** What the face adds to the body: root, revision, and what was cut. */
const STATE_TOKENS = 500;

/** What the walk collected. */
export interface Collected {
  readonly files: readonly AskedFile[];
  readonly missing: readonly MissingFile[];
  /** What an index run that did not finish has still to write. */
  readonly unwritten: MissingState;
  readonly symbols: readonly SymbolRow[];
  /** What the files pass on, by their paths. */
  readonly reExports: ReadonlyMap<string, readonly ReExportRow[]>;
  /** What of the files is about to change; null where the files are meant as wholes. */
  readonly focus: Focus | null;
  /** What was asked for that there is not, in sentences. */
  readonly notes: readonly string[];
  /** Null at radius 0: what is near was not asked for. */
  readonly related: Related | null;
  /** What is remembered of the files. */
  readonly remembered: Remembered;
  readonly concepts: readonly ConceptRow[];
  /** How many commits name concepts of them, listed or not. */
  readonly commitCount: number;
  /** The latest. */
  readonly steps: readonly StepRow[];
  /** How many there are. */
  readonly stepCount: number;
  /** Calls from the files' own symbols that lead to nothing in the project. */
  readonly unresolved: number;
}

/**
 * What the Markdown may take of a JSON body that carries both: it needs less than half of what JSON needs. Alone it takes
 * as much where no budget is given: what is read by a model is paid for.
 */
const MARKDOWN_SHARE = 0.4;

/**
 * Makes the answer: rows in their order, as JSON and as Markdown. A caller is sent either the JSON body, in which both
 * stand and share the budget, or Markdown alone, which has all of one that was given. Above the budget docstrings are left out, then
 * signatures, then links; rows fall at a budget that the caller gave, else at the ceiling of
 * {@link LIMITS}.packTokens (P-02).
 */
export function contextPack(
  collected: Collected,
  radius: number,
  { tokens, given }: { tokens: number; given: boolean },
): ContextOutput {
  const { whole, capped } = wholePack(collected, given);
  const asked = fitted(whole, {
    fields: tokens,
    rows: given ? tokens : packTokens.max,
    alone: given ? tokens : tokens * MARKDOWN_SHARE,
  });
  const all = Object.values(asked);
  const isWhole = all.every(({ cut }) => cut.length === 0);
  // What the largest budget would lack matters only where something is cut.
  const most = isWhole
    ? asked
    : fitted(whole, { fields: packTokens.max, rows: packTokens.max, alone: packTokens.max });
  const changed = changedSince(collected.files);
  const notes = (cut: readonly string[], largest: readonly string[]) => [
    ...collected.unwritten.cut,
    ...capped,
    ...cut,
    ...(cut.join() === largest.join() ? [] : [`max_tokens up to ${packTokens.max} gives more.`]),
    ...(cut.length === 0 || largest.length === 0 ? [] : [narrower(radius, collected.files.length)]),
  ];
  return {
    context_pack: asked.json.pack,
    returnDisplay: contextMarkdown(asked.display.pack),
    state: {
      cut: notes(asked.json.cut, most.json.cut),
      markdown: contextMarkdown(asked.markdown.pack),
      markdown_cut: notes(asked.markdown.cut, most.markdown.cut),
      unresolved: collected.unresolved,
      pending: collected.unwritten.pending,
      changed,
    },
  };
}

/**
 * The pack for each representation: a JSON body's own, the Markdown that stands in it, and Markdown alone.
 *
 * @param alone Above it fields are left out of Markdown alone.
 */
function fitted(
  whole: ContextPack,
  { fields, rows, alone }: { fields: number; rows: number; alone: number },
) {
  const room = packTokens.max - STATE_TOKENS;
  const most = { fields: Math.min(fields, room), rows: Math.min(rows, room) };
  const asMarkdown = (pack: ContextPack) => tokensOf(contextMarkdown(pack));
  const inBody = (pack: ContextPack) => tokensOf(JSON.stringify(contextMarkdown(pack)));
  const share = { fields: most.fields * MARKDOWN_SHARE, rows: most.rows * MARKDOWN_SHARE };
  const display = fitContext(whole, { ...share, cost: inBody });
  const taken = inBody(display.pack);
  const left = { fields: most.fields - taken, rows: most.rows - taken };
  return {
    json: fitContext(whole, { ...left, cost: tokensOf }),
    display,
    markdown: fitContext(whole, { ...most, fields: Math.min(alone, room), cost: asMarkdown }),
  };
}

/** Files that changed on disk since; those that are still to be written are counted as such. */
function changedSince(files: readonly AskedFile[]): string[] {
  return files.flatMap(({ path, change, standing }) =>
    change !== null && standing !== 'waiting' ? [path] : [],
  );
}

/** How to get what not even the largest budget has room for. */
function narrower(radius: number, files: number): string {
  const ways = [...(radius > 0 ? ['a smaller radius'] : []), ...(files > 1 ? ['fewer files'] : [])];
  if (ways.length === 0) return 'The rest is in the file itself.';
  const which = ways.join(' or ');
  return `${which[0]?.toUpperCase()}${which.slice(1)} ${ways.length > 1 ? 'leave' : 'leaves'} room for the rest.`;
}

/** The pack before any budget, and what its lists lack by their own limits. */
function wholePack(collected: Collected, given: boolean): { whole: ContextPack; capped: string[] } {
  const { related, remembered, concepts, commitCount, steps, stepCount } = collected;
  const symbols = inTold(collected.symbols, related?.related ?? [], collected.focus);
  const near = symbols.filter(({ distance }) => distance > 0);
  const listed = new Set(given ? near : near.slice(0, contextNeighbours.max));
  const whole = {
    ...(related ? { related: [...related.related], tests: [...related.tests] } : {}),
    etg_steps: [...steps],
    ...(remembered.rows.length > 0 ? { memories: [...remembered.rows] } : {}),
    symbols: symbols.filter((row) => row.distance === 0 || listed.has(row)),
    concepts: [...concepts],
    summary: contextSummary(collected),
    files: collected.files.map(({ path, standing, change }) => ({
      path,
      standing,
      change,
      ...(standing === 'gone' ? { gone: true as const } : {}),
      ...(collected.reExports.has(path) ? { re_exports: [...(collected.reExports.get(path) ?? [])] } : {}),
    })),
  };
  const { files = 0, tests = 0 } = related?.linked ?? {};
  const capped = [
    capNote('files that are joined to them', files, contextRelated.max),
    listed.size < near.length
      ? `The first ${listed.size} of ${near.length} symbols within reach are listed: with max_tokens, as many as fit.`
      : null,
    capNote('test files that reach them', tests, contextTests.max),
    capNote('memories', remembered.count, contextMemories.max),
    capNote('commits', commitCount, contextCommits.max),
    capNote('earlier steps', stepCount, contextSteps.max),
  ];
  return { whole, capped: capped.filter((note) => note !== null) };
}

/** A list that its own limit cut says so. */
function capNote(name: string, count: number, most: number): string | null {
  return count > most ? `The first ${most} of ${count} ${name} are listed.` : null;
}
