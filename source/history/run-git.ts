import { type ExecFileException, execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { LIMITS } from '../../schema/index.js';
import { diskFileSystem } from '../file-system.js';
import { gitFolders, gitTopOf } from '../git-folder.js';
import { platformOf } from '../paths.js';

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
    // A root that looks like a repository without a work tree is none.
    'safe.bareRepository=explicit',
  ].flatMap((setting) => ['-c', setting]),
];
/** What git needs of the surroundings to be found, and to know whose repositories it may read. */
const KEPT = /^(?:PATH|PATHEXT|SYSTEMROOT|HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|XDG_CONFIG_HOME)$/i;

/** What a diff is asked with, so that nothing which a repository configures takes part. */
export const SAFE_DIFF = [
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=all',
  '--no-color',
  '--inter-hunk-context=0',
];
/** What a log is asked with, for the same reason. */
export const SAFE_LOG = ['--no-show-signature', ...SAFE_DIFF];

/** What git is run with. */
export interface GitOptions {
  readonly signal: AbortSignal;
  /** Environment variables, of which only what git cannot do without is handed on. */
  readonly surroundings: Readonly<Record<string, string | undefined>>;
  /** What it reads from its standard input; default: nothing. */
  readonly input?: string;
}

/** As git ends where there is no repository. */
const NO_REPOSITORY = Object.assign(new Error('there is no repository of its own'), { code: 128 });

/**
 * Runs one git process in a root, with `LIMITS.historyTime` and `LIMITS.historyBytes`. Never rejects. A root whose git folder
 * belongs to another work tree gets none: git would use the configuration that lies there.
 *
 * @param root Absolute.
 * @param read Makes the answer of what git wrote to its standard output, and of how it failed.
 */
export function runGit<T>(
  root: string,
  args: readonly string[],
  { signal, surroundings, input = '' }: GitOptions,
  read: (error: ExecFileException | null, stdout: string) => T,
): Promise<T> {
  const top = gitTopOf(root);
  if (top !== null && gitFolders(top, platformOf(), diskFileSystem) === null)
    return Promise.resolve(read(NO_REPOSITORY, ''));
  const options = {
    // No repository above is looked for where git finds that this is none.
    env: { ...environment(surroundings), GIT_CEILING_DIRECTORIES: top === null ? '' : dirname(top) },
    signal,
    timeout: LIMITS.historyTime.max,
    killSignal: 'SIGKILL',
    maxBuffer: LIMITS.historyBytes.max,
    windowsHide: true,
  } as const;
  return new Promise((resolve) => {
    const git = execFile('git', [...SAFE, '-C', root, ...args], options, (error, stdout) =>
      resolve(read(error, stdout)),
    );
    // A process that ended before it read everything tells so by its answer.
    git.stdin?.on('error', () => undefined).end(input);
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
