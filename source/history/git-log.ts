import { execFile } from 'node:child_process';
import { LIMITS } from '../../schema/index.js';
import { type CommitFact, readLog } from './commit-fact.js';

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
 * Nothing that a repository's configuration names may run, and nothing may reach the network: no pager, no signature
 * check, no diff driver, no text conversion, no file system monitor, no hook, no fetch of objects that are missing.
 */
const SAFE = [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.pager=cat',
    'log.showSignature=false',
    'log.showRoot=true',
    'log.mailmap=false',
    'protocol.allow=never',
  ].flatMap((setting) => ['-c', setting]),
];
const SAFE_LOG = ['--no-show-signature', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];

/** What git needs of the surroundings to be found, and to know whose repositories it may read. */
const KEPT = /^(?:PATH|PATHEXT|SYSTEMROOT|HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|XDG_CONFIG_HOME)$/i;

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
  const args = [...SAFE, '-C', root, ...LOG, ...SAFE_LOG, 'HEAD', '--', '.'];
  const options = {
    env: environment(surroundings),
    signal,
    timeout: LIMITS.historyTime.max,
    killSignal: 'SIGKILL',
    maxBuffer: LIMITS.historyBytes.max,
    windowsHide: true,
  } as const;
  return new Promise((resolve) => {
    execFile('git', args, options, (error, stdout) => {
      if (!error) resolve({ kind: 'read', commits: readLog(stdout) });
      else if (typeof error.code === 'number') resolve({ kind: 'none' });
      else resolve({ kind: signal.aborted || error.code === 'ENOENT' ? 'missing' : 'late' });
    });
  });
}

function environment(surroundings: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(surroundings).flatMap(([name, value]) =>
    value !== undefined && KEPT.test(name) ? [[name, value] as const] : [],
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    // Windows would look for git in the working directory first.
    NoDefaultCurrentDirectoryInExePath: '1',
  };
}
