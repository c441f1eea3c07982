import type { ChangeHistory, FileChange } from '../../../../graphs/code/index.js';
import type { Scores } from '../../../../search/index.js';
import { type Hunk, languageOf } from '../../../../source/index.js';
import { add } from './scores.js';

/** Lines of a file that have a name; both ends included, counted from 1. */
interface Span {
  readonly id: string;
  readonly start_line: number;
  readonly end_line: number;
}

/**
 * Which spans of a file its changes touched: by the age of the commit, the ids. The lines are followed from now back
 * through every change (as `git log -L` does), so that nothing is parsed and a name may have been another then. Where
 * a commit's lines are not known, what is older is not told.
 *
 * @param changes Of the file, the newest first.
 */
export function changedSpans(
  changes: readonly FileChange[],
  spans: readonly Span[],
): Map<number, readonly string[]> {
  const touched = new Map<number, readonly string[]>();
  let now = [...spans];
  for (const { age, hunks } of changes) {
    if (!hunks || now.length === 0) break;
    touched.set(
      age,
      now.filter((span) => hunks.some((hunk) => touches(hunk, span))).map(({ id }) => id),
    );
    now = now.flatMap((span) => spanBefore(span, hunks) ?? []);
  }
  return touched;
}

function touches({ to, became }: Hunk, { start_line, end_line }: Span): boolean {
  // Lines that only went were between the line that is told and the next.
  if (became === 0) return start_line <= to && to < end_line;
  return to <= end_line && to + became > start_line;
}

/** Where a span was before a change; null for one that it made. */
function spanBefore({ id, start_line, end_line }: Span, hunks: readonly Hunk[]): Span | null {
  const start = lineBefore(start_line, hunks, 'first');
  const end = lineBefore(end_line, hunks, 'last');
  return start > end ? null : { id, start_line: start, end_line: end };
}

/** A line's number before a change; of a line in a hunk the end of what the hunk replaced. */
function lineBefore(line: number, hunks: readonly Hunk[], side: 'first' | 'last'): number {
  let shift = 0;
  for (const { from, count, to, became } of hunks) {
    // Of a side without lines the line above is told.
    const [top, above] = [became === 0 ? to + 1 : to, count === 0 ? from + 1 : from];
    if (line < top) break;
    if (line < top + became) return side === 'first' ? above : above + count - 1;
    shift += count - became;
  }
  return line + shift;
}

/** Commits after which what changed together says half: interfaces move on. */
const HALF_LIFE = 600;
/** A commit that touched more files of code says nothing of any two of them. */
const MOST_FILES = 20;
/** Changes of a file that are taken for granted: of few of its own, a common one may be chance. */
const PRIOR = 10;

/** What a commit counts that touched the lines in focus, and one that touched others of their files. */
const IN_FOCUS = 3;
const OUT_OF_FOCUS = 0.5;

/** Lines of a file that have a name. */
export interface SpanOfFile extends Span {
  readonly path: string;
}

/** What the project's history says about other files. */
export interface CoChange {
  /** What each commit that touched a file asked for says of the others that it touched, by its age. */
  readonly weights: ReadonlyMap<number, number>;
  readonly scores: Map<string, number>;
  /** How many commits touched a file together with one that was asked for, by path. */
  readonly commits: Map<string, number>;
}

/**
 * Files that changed together with the files asked for: the share of a file's own changes that it has in common with
 * them. Every change counts the less the older it is; a common one the less the more files the commit touched (by the
 * root of the number of the others), and the more of the files asked for it touched. By a share, for what changes with
 * everything is near to nothing.
 *
 * @param focus Lines that are about to change: commits that touched them count more than others.
 */
export function changedTogether(
  history: ChangeHistory,
  asked: readonly string[],
  focus: readonly SpanOfFile[] | null,
): CoChange {
  const inside = new Set(asked);
  const common = new Map<string, number>();
  const commits = new Map<string, number>();
  const weights = new Map<number, number>();
  const touching = focus && agesTouching(history, focus);
  for (const age of new Set(asked.flatMap((path) => history.changesOf(path).map((change) => change.age)))) {
    const paths = history.commits[age] ?? [];
    const code = paths.filter((path) => inside.has(path) || languageOf(path)?.grammar);
    if (code.length > MOST_FILES) continue;
    const others = code.filter((path) => !inside.has(path));
    const share = touching ? (touching.has(age) ? IN_FOCUS : OUT_OF_FOCUS) : 1;
    const weight = (share * worth(age)) / Math.sqrt(Math.max(1, code.length - 1));
    weights.set(age, weight);
    for (const path of others) {
      add(common, path, weight * (code.length - others.length));
      add(commits, path, 1);
    }
  }
  const changes = (path: string) => history.changesOf(path).reduce((sum, { age }) => sum + worth(age), 0);
  const scores = new Map([...common].map(([path, weight]) => [path, weight / (PRIOR + changes(path))]));
  return { weights, scores, commits };
}

/** What a change of some age still says. */
function worth(age: number): number {
  return 0.5 ** (age / HALF_LIFE);
}

/** The commits that touched lines which are about to change. */
function agesTouching(history: ChangeHistory, focus: readonly SpanOfFile[]): Set<number> {
  const ages = new Set<number>();
  for (const path of new Set(focus.map(({ path }) => path))) {
    const spans = focus.filter((span) => span.path === path);
    for (const [age, ids] of changedSpans(history.changesOf(path), spans)) if (ids.length > 0) ages.add(age);
  }
  return ages;
}

/** How much symbols changed, by their ids. */
export interface ChangedSymbols {
  /** In commits that touched the files asked for. */
  readonly together: Scores;
  /** In any commit: what changed often will again. */
  readonly ever: Scores;
}

/** How much symbols of other files changed. */
export function changedSymbols(
  history: ChangeHistory,
  { weights }: Pick<CoChange, 'weights'>,
  symbols: readonly SpanOfFile[],
): ChangedSymbols {
  const together = new Map<string, number>();
  const ever = new Map<string, number>();
  for (const path of new Set(symbols.map(({ path }) => path))) {
    const spans = symbols.filter((symbol) => symbol.path === path);
    for (const [age, ids] of changedSpans(history.changesOf(path), spans))
      for (const id of ids) {
        add(together, id, weights.get(age) ?? 0);
        add(ever, id, worth(age));
      }
  }
  return { together, ever };
}
