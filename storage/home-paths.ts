import type { PlatformPath } from 'node:path';
import { noHome } from '../schema/index.js';

/** What the math of homes has to see of a file system. */
export interface FolderView {
  isFolder(path: string): boolean;
  /** The text of a file, or undefined when there is no such file. */
  readText(path: string): string | undefined;
  /** The path without symbolic links, or the path itself when there is nothing there. */
  realPath(path: string): string;
}

/**
 * The folder of all graphs (ruling X-16): `GRAPHS_HOME`, else `~/.graphs`, else an existing `~/.qwen/graphs`; where
 * none is there, `~/.graphs`.
 *
 * @throws CodewalkError `NO_HOME` when it would lie in the working directory.
 */
export function graphsHome(
  env: Readonly<Record<string, string | undefined>>,
  userHome: string,
  view: Pick<FolderView, 'isFolder'>,
  path: PlatformPath,
): string {
  const moved = env.GRAPHS_HOME;
  if (moved !== undefined && moved !== '') return path.resolve(moved);
  if (!path.isAbsolute(userHome)) throw noHome();
  const usual = path.join(userHome, '.graphs');
  const former = path.join(userHome, '.qwen', 'graphs');
  return !view.isFolder(usual) && view.isFolder(former) ? former : usual;
}

/**
 * The path that names a root's history: the main worktree's top level plus the root's path inside its own worktree.
 * A root outside of git, or in an ordinary checkout, names itself.
 *
 * @param root A real path.
 */
export function historyPath(root: string, view: FolderView, path: PlatformPath): string {
  const top = worktreeTop(root, view, path);
  if (top === undefined) return root;
  const main = mainWorktree(top, view, path);
  return main === undefined ? root : path.join(main, path.relative(top, root));
}

/** The nearest folder at or above `root` with a `.git` folder or file. */
function worktreeTop(root: string, view: FolderView, path: PlatformPath): string | undefined {
  for (let at = root; ; at = path.dirname(at)) {
    const git = path.join(at, '.git');
    if (view.isFolder(git) || view.readText(git) !== undefined) return at;
    if (path.dirname(at) === at) return undefined;
  }
}

/**
 * The top level of the main worktree of a linked one. Its `.git` file names a folder whose `commondir` leads to
 * the repository; a submodule's `.git` file has no `commondir`, and is a checkout of its own. A bare repository
 * has no main worktree: its folder stands for it.
 */
function mainWorktree(top: string, view: FolderView, path: PlatformPath): string | undefined {
  const pointer = view
    .readText(path.join(top, '.git'))
    ?.match(/^gitdir: (.+)/)?.[1]
    ?.trim();
  if (pointer === undefined) return undefined;
  const gitFolder = path.resolve(top, pointer);
  const common = view.readText(path.join(gitFolder, 'commondir'))?.trim();
  if (common === undefined || common === '') return undefined;
  const repository = view.realPath(path.resolve(gitFolder, common));
  return path.basename(repository) === '.git' ? path.dirname(repository) : repository;
}
