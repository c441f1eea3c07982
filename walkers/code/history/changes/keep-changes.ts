import type { StepsContext } from '../../../../runtime/index.js';
import { LIMITS } from '../../../../schema/index.js';
import {
  commitFiles,
  commitLines,
  commitList,
  type GitAnswer,
  historyMark,
} from '../../../../source/index.js';
import {
  CHANGES,
  CHANGES_MARK,
  changesBytes,
  type KeptChanges,
  markBytes,
  readChanges,
  readMark,
  unfinished,
} from './kept-changes.js';

/** Commits that one process tells of: so many that it starts seldom, so few that it ends in the time that it gets. */
const FILES_AT_ONCE = 1000;
const LINES_AT_ONCE = 100;
/** What one run spends on history that it does not know yet, in milliseconds; the next run goes on from there. */
const MOST_TIME = 10_000;

const NOTHING: KeptChanges = { commits: [], lines: [] };

/**
 * Keeps what the last commits changed together, beside the graph: which files, and of the newest commits which lines.
 * What is kept follows from the commits that HEAD reaches alone, however it came there: only commits that are not known
 * yet are read, and what a rewritten history no longer has is forgotten.
 *
 * Every index run calls it once; it commits nothing itself. While HEAD stays where it is, the cost is the read of a mark.
 *
 * @returns Whether there is something to commit.
 */
export async function keepChanges(context: StepsContext): Promise<boolean> {
  const { projectRoot: root } = context;
  if (root === null) return false;
  const head = historyMark(root);
  const [known, commits, files, lines] = await context.blobs([
    CHANGES_MARK,
    CHANGES.commits,
    CHANGES.files,
    CHANGES.lines,
  ]);
  const before = readMark(known);
  if (before !== undefined && before === head) return false;
  const kept = before === undefined ? NOTHING : readChanges(commits, files, lines);
  const now = head === null ? { changes: NOTHING, isWhole: true } : await changesNow(context, root, kept);
  if (now === null) return false;
  for (const [name, bytes] of changesBytes(now.changes)) context.putBlob(name, bytes);
  // Under the mark of no HEAD the next run goes on from here.
  context.putBlob(CHANGES_MARK, markBytes(now.isWhole ? head : unfinished(now.changes)));
  return true;
}

/** What the history says now, and whether that is all of it; null when git could not be asked. */
async function changesNow(
  context: StepsContext,
  root: string,
  before: KeptChanges,
): Promise<{ changes: KeptChanges; isWhole: boolean } | null> {
  const { signal } = context;
  const listed = await commitList(root, signal);
  if (listed.kind === 'missing') return null;
  if (listed.kind !== 'read') return { changes: listed.kind === 'late' ? before : NOTHING, isWhole: true };
  const until = context.now() + MOST_TIME;
  const files = await told(context, listed.value, before.commits, {
    until,
    atOnce: FILES_AT_ONCE,
    ask: (hashes) => commitFiles(root, hashes, signal),
  });
  const lines = await told(context, listed.value.slice(0, LIMITS.historyLines.max), before.lines, {
    until,
    atOnce: LINES_AT_ONCE,
    ask: (hashes) => commitLines(root, hashes, signal),
  });
  if (files === null || lines === null) return null;
  return {
    changes: { commits: files.values, lines: lines.values },
    isWhole: files.isWhole && lines.isWhole,
  };
}

/** How git is asked about commits. */
interface Asking<T> {
  /** When there is no more time for it. */
  readonly until: number;
  readonly atOnce: number;
  readonly ask: (hashes: readonly string[]) => Promise<GitAnswer<readonly T[]>>;
}

/** What is known of commits and what git tells of the others, in their order; null when git could not be asked. */
async function told<T extends { readonly hash: string }>(
  { now, pause }: Pick<StepsContext, 'now' | 'pause'>,
  hashes: readonly string[],
  known: readonly T[],
  { until, atOnce, ask }: Asking<T>,
): Promise<{ values: T[]; isWhole: boolean } | null> {
  const values = new Map(known.map((value) => [value.hash, value]));
  const unknown = hashes.filter((hash) => !values.has(hash));
  let at = 0;
  for (; at < unknown.length && now() <= until; at += atOnce) {
    const answer = await ask(unknown.slice(at, at + atOnce));
    if (answer.kind === 'missing') return null;
    // What git has no time for now, it would not have later.
    if (answer.kind !== 'read') at = unknown.length;
    else for (const value of answer.value) values.set(value.hash, value);
    await pause();
  }
  return { values: hashes.flatMap((hash) => values.get(hash) ?? []), isWhole: at >= unknown.length };
}
