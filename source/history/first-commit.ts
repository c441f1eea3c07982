import { runGit } from './run-git.js';

/**
 * The hash of the first commit of the history that a root is part of: what a repository keeps when it moves. Of several
 * first commits (joined histories) the first by name; of a shallow clone the oldest that is there. Null without git, a
 * commit, or the time that git gets.
 *
 * @param root Absolute.
 */
export function firstCommit(
  root: string,
  signal: AbortSignal,
  surroundings: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | null> {
  return runGit(root, ['rev-list', '--max-parents=0', 'HEAD'], { signal, surroundings }, (error, stdout) =>
    error ? null : (stdout.split('\n').filter(Boolean).sort()[0] ?? null),
  );
}
