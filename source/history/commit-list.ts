import { LIMITS } from '../../schema/index.js';
import { askGit, type GitAnswer } from './git-answer.js';

const LIST = ['rev-list', '--no-merges', `--max-count=${LIMITS.historyChanges.max}`, 'HEAD', '--', '.'];

/**
 * The hashes of the last commits that touched something in a root, the newest first, merges left out: at most
 * `LIMITS.historyChanges`. One short process; see {@link gitLog} for what it gets.
 *
 * @param root Absolute.
 */
export function commitList(
  root: string,
  signal: AbortSignal,
  surroundings: Readonly<Record<string, string | undefined>> = process.env,
): Promise<GitAnswer<readonly string[]>> {
  return askGit(root, LIST, { signal, surroundings }, (stdout) => stdout.split('\n').filter(Boolean));
}
