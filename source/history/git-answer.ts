import { type GitOptions, runGit } from './run-git.js';

/**
 * What a question to git came to. `none`: git says that there is nothing; `late`: it would take more time or room than
 * it gets, and would so again; `missing`: git is not there, or the caller gave up.
 */
export type GitAnswer<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'none' | 'late' | 'missing' };

/** Asks git as {@link runGit} does. @param read Makes the answer of what git wrote to its standard output. */
export function askGit<T>(
  root: string,
  args: readonly string[],
  options: GitOptions,
  read: (stdout: string) => T,
): Promise<GitAnswer<T>> {
  return runGit(root, args, options, (error, stdout) => {
    if (!error) return { kind: 'read', value: read(stdout) };
    if (typeof error.code === 'number') return { kind: 'none' };
    return { kind: options.signal.aborted || error.code === 'ENOENT' ? 'missing' : 'late' };
  });
}
