import { LIMITS } from '../../schema/index.js';
import { type CommitFact, readLog } from './commit-fact.js';
import { runGit } from './run-git.js';

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

const SAFE_LOG = ['--no-show-signature', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];

/**
 * What the log of a root came to. `none`: git says that there is none; `late`: it would take more time or room than it
 * gets, and would so again; `missing`: git is not there, or the caller gave up.
 */
export type GitLog =
  | { readonly kind: 'read'; readonly commits: readonly CommitFact[] }
  | { readonly kind: 'none' | 'late' | 'missing' };

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
): Promise<GitLog> {
  return runGit(root, [...LOG, ...SAFE_LOG, 'HEAD', '--', '.'], { signal, surroundings }, (error, stdout) => {
    if (!error) return { kind: 'read', commits: readLog(stdout) };
    if (typeof error.code === 'number') return { kind: 'none' };
    return { kind: signal.aborted || error.code === 'ENOENT' ? 'missing' : 'late' };
  });
}
