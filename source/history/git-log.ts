import { LIMITS } from '../../schema/index.js';
import { type CommitFact, readLog } from './commit-fact.js';
import { askGit, type GitAnswer } from './git-answer.js';
import { SAFE_LOG } from './run-git.js';

/** The log that is asked for: merges say nothing of their own, and nothing outside the root is listed. */
const LOG = [
  'log',
  `--max-count=${LIMITS.historyCommits.max}`,
  '--no-merges',
  '--relative',
  '--name-only',
  '--no-renames',
  '-z',
  '--encoding=UTF-8',
  '--format=%x1e%H%x1f%an%x1f%s%x1f%b%x1f',
];

/**
 * The last commits that touched something in a root, the newest first, with paths relative to it: one process, which
 * gets `LIMITS.historyTime` and `LIMITS.historyBytes`. Never throws: without git, or outside a repository that git
 * trusts (its `safe.directory`), there is no history.
 *
 * @param root Absolute.
 * @param surroundings Environment variables, of which only what git cannot do without is handed on.
 */
export function gitLog(
  root: string,
  signal: AbortSignal,
  surroundings: Readonly<Record<string, string | undefined>> = process.env,
): Promise<GitAnswer<readonly CommitFact[]>> {
  return askGit(root, [...LOG, ...SAFE_LOG, 'HEAD', '--', '.'], { signal, surroundings }, readLog);
}
