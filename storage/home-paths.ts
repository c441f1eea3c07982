import type { PlatformPath } from 'node:path';
import { noHome } from '../schema/index.js';
import {
  diskFileSystem,
  type FileSystem,
  gitFolders,
  gitTop,
  type Platform,
  pathsOf,
  platformOf,
} from '../source/index.js';

/**
 * The folder of all graphs (ruling X-16): `GRAPHS_HOME`, else `~/.graphs`, else an existing `~/.qwen/graphs`; where
 * none is there, `~/.graphs`.
 *
 * @throws CodewalkError `NO_HOME` when it would lie in the working directory.
 */
export function graphsHome(
  env: Readonly<Record<string, string | undefined>>,
  userHome: string,
  isFolder: (path: string) => boolean,
  path: PlatformPath,
): string {
  const moved = env.GRAPHS_HOME;
  if (moved !== undefined && moved !== '') return path.resolve(moved);
  if (!path.isAbsolute(userHome)) throw noHome();
  const usual = path.join(userHome, '.graphs');
  const former = path.join(userHome, '.qwen', 'graphs');
  return !isFolder(usual) && isFolder(former) ? former : usual;
}

/**
 * The path that names a root's history: the main worktree's top level plus the root's path inside its own worktree.
 * A bare repository has no main worktree: its folder stands for it. A root outside of git, in an ordinary checkout, or
 * in one that only says to be a worktree of a repository (see {@link gitFolders}), names itself.
 *
 * @param root A real path.
 */
export function historyPath(
  root: string,
  platform: Platform = platformOf(),
  fs: FileSystem = diskFileSystem,
): string {
  const path = pathsOf(platform);
  const top = gitTop(root, platform, fs);
  const folders = top === null ? null : gitFolders(top, platform, fs);
  if (top === null || folders === null || folders.own === folders.common) return root;
  const { common } = folders;
  const main = path.basename(common) === '.git' ? path.dirname(common) : common;
  return path.join(main, path.relative(top, root));
}
