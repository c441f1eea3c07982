import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { History, type OpenGraph, type OpenOptions, openGraph } from '../../index.js';

/** Opens the graph of one worktree; with the history that both share, unless told otherwise. */
export type Open = (options?: OpenOptions) => Promise<OpenGraph>;

/**
 * Two worktrees of one repository, `main` and `other`, as git leaves them on disk; gone afterwards.
 *
 * @param options Of both graphs.
 */
export async function withWorktrees(
  options: OpenOptions,
  body: (openMain: Open, openOther: Open, roots: { folder: string }) => Promise<void>,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codewalk-worktrees-')));
  const [main, other] = [join(folder, 'main'), join(folder, 'other')];
  const git = join(main, '.git', 'worktrees', 'other');
  mkdirSync(git, { recursive: true });
  mkdirSync(other);
  writeFileSync(join(git, 'commondir'), '../..\n');
  writeFileSync(join(git, 'gitdir'), `${join(other, '.git')}\n`);
  writeFileSync(join(other, '.git'), `gitdir: ${git}\n`);
  const history = new History();
  const opening =
    (root: string): Open =>
    (more = {}) =>
      openGraph(root, { home: join(folder, 'graphs'), history, ...options, ...more });
  try {
    await body(opening(main), opening(other), { folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
