import type { StepsContext } from '../../../runtime/index.js';
import { type CommitFact, type GitAnswer, gitLog, historyMark } from '../../../source/index.js';
import { commitConcepts, type HistoryWritten } from './commit-concepts.js';
import { type ChangesNow, changesNow, keepChanges, storedChanges } from './keep-changes.js';
import { CHANGES_MARK, readMark } from './kept-changes.js';
import { HISTORY_MARK, markBytes } from './kept-history.js';

export type { HistoryWritten };

/** What git was asked, and has yet to say. */
export interface AskedHistory {
  /** See {@link historyMark}. */
  readonly head: string | null;
  /** What the last commits say; null while HEAD is where it was when that was last read. */
  readonly log: Promise<GitAnswer<readonly CommitFact[]>> | null;
  /** What the last commits changed; null as above. */
  readonly changes: Promise<ChangesNow | null> | null;
}

/**
 * Asks git for what the history says where HEAD moved, and waits for none of it. While HEAD stays where it is, the cost is
 * a look at it and the read of two marks.
 */
export async function askHistory(context: StepsContext): Promise<AskedHistory> {
  const { projectRoot: root, signal } = context;
  if (root === null) return { head: null, log: null, changes: null };
  const head = historyMark(root);
  const [topicsMark, changesMark] = await context.blobs([HISTORY_MARK, CHANGES_MARK]);
  const isRecorded = topicsMark !== undefined && Buffer.from(markBytes(head)).equals(topicsMark);
  const known = readMark(changesMark);
  const log = isRecorded
    ? null
    : head === null
      ? Promise.resolve({ kind: 'none' as const })
      : gitLog(root, signal);
  const before = known === head ? null : await storedChanges(context, known);
  const changes = before && changesNow(context, { root, head, before });
  // Who waits for them may never come to it: a run that fails before then has failed for its own reason.
  for (const one of [log, changes]) one?.catch(() => undefined);
  return { head, log, changes };
}

/**
 * Brings what is stored of the history to where HEAD is: concepts, and what changed together. It commits nothing itself.
 *
 * @param asked Null: git is asked now.
 * @param touched Paths whose File or Symbols this run wrote.
 */
export async function writeHistory(
  context: StepsContext,
  asked: AskedHistory | null,
  touched: Iterable<string>,
): Promise<HistoryWritten> {
  const { head, log, changes } = asked ?? (await askHistory(context));
  const { concepts, wrote } = await commitConcepts(context, { head, log }, touched);
  const stored = changes !== null && keepChanges(context, head, await changes);
  return { concepts, wrote: wrote || stored };
}
