import type { StepsContext } from '../../../runtime/index.js';
import { LIMITS } from '../../../schema/index.js';
import { commitFiles, commitLines, commitList, type GitAnswer } from '../../../source/index.js';
import {
  CHANGES,
  CHANGES_MARK,
  changesBytes,
  markBytes,
  readChanges,
  type StoredChanges,
  unfinished,
} from './kept-changes.js';

/** Commits that one process tells of: so many that it starts seldom, so few that it ends in the time that it gets. */
const FILES_AT_ONCE = 1000;
const LINES_AT_ONCE = 100;
/** What one run spends on history that it does not know yet, in milliseconds; the next run goes on from there. */
const MOST_TIME = 10_000;

const NOTHING: StoredChanges = { commits: [], lines: [] };

/** What the history says now. */
export interface ChangesNow {
  readonly changes: StoredChanges;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

/** What is kept of the history. @param mark The one that it is kept under. */
export async function storedChanges(
  { blobs }: Pick<StepsContext, 'blobs'>,
  mark: string | null | undefined,
): Promise<StoredChanges> {
  if (mark === undefined) return NOTHING;
  const [commits, files, lines] = await blobs([CHANGES.commits, CHANGES.files, CHANGES.lines]);
  return readChanges(commits, files, lines);
}

/**
 * What the last commits changed: which files, and the newest of them which lines. It follows from the commits that HEAD
 * reaches alone, however it came there: only commits that are not known yet are read, and what a rewritten history no
 * longer has is forgotten. Null when git could not be asked. Nothing of the graph is read.
 */
export async function changesNow(
  { now, signal }: Pick<StepsContext, 'now' | 'signal'>,
  {
    root,
    head,
    before,
  }: { readonly root: string; readonly head: string | null; readonly before: StoredChanges },
): Promise<ChangesNow | null> {
  if (head === null) return { changes: NOTHING, isWhole: true };
  const listed = await commitList(root, signal);
  if (listed.kind === 'missing') return null;
  if (listed.kind !== 'read') return { changes: listed.kind === 'late' ? before : NOTHING, isWhole: true };
  const until = now() + MOST_TIME;
  const [files, lines] = await Promise.all([
    described(listed.value, before.commits, {
      isLate: () => now() > until,
      atOnce: FILES_AT_ONCE,
      ask: (hashes) => commitFiles(root, hashes, signal),
    }),
    described(listed.value.slice(0, LIMITS.historyLines.max), before.lines, {
      isLate: () => now() > until,
      atOnce: LINES_AT_ONCE,
      ask: (hashes) => commitLines(root, hashes, signal),
    }),
  ]);
  if (files === null || lines === null) return null;
  return {
    changes: { commits: files.values, lines: lines.values },
    isWhole: files.isWhole && lines.isWhole,
  };
}

/**
 * Keeps what the history says beside the graph, with the next commit.
 *
 * @returns Whether there is something to commit.
 */
export function keepChanges(
  context: Pick<StepsContext, 'putBlob'>,
  head: string | null,
  now: ChangesNow | null,
): boolean {
  if (now === null) return false;
  for (const [name, bytes] of changesBytes(now.changes)) context.putBlob(name, bytes);
  // Under the mark of no HEAD the next run goes on from here.
  context.putBlob(CHANGES_MARK, markBytes(now.isWhole ? head : unfinished(now.changes)));
  return true;
}

/** How git is asked about commits. */
interface Asking<T> {
  /** Whether there is no more time for it. */
  readonly isLate: () => boolean;
  readonly atOnce: number;
  readonly ask: (hashes: readonly string[]) => Promise<GitAnswer<readonly T[]>>;
}

/** What is known of commits and what git tells of the others, in their order; null when git could not be asked. */
async function described<T extends { readonly hash: string }>(
  hashes: readonly string[],
  known: readonly T[],
  { isLate, atOnce, ask }: Asking<T>,
): Promise<{ values: T[]; isWhole: boolean } | null> {
  const values = new Map(known.map((value) => [value.hash, value]));
  const unknown = hashes.filter((hash) => !values.has(hash));
  let at = 0;
  for (; at < unknown.length && !isLate(); at += atOnce) {
    const answer = await ask(unknown.slice(at, at + atOnce));
    if (answer.kind === 'missing') return null;
    // What git has no time for now, it would not have later.
    if (answer.kind !== 'read') at = unknown.length;
    else for (const value of answer.value) values.set(value.hash, value);
  }
  return { values: hashes.flatMap((hash) => values.get(hash) ?? []), isWhole: at >= unknown.length };
}
