import { diskFileSystem, type FileSystem, statusOrNull } from './file-system.js';
import { indexEntries } from './git-index.js';
import { contains, type Platform, pathsOf, platformOf } from './paths.js';

const POINTER_BYTES = 4096;

/** The nearest directory at or above `directory` (absolute) that has a `.git` folder or file; null without one. */
export function gitTop(
  directory: string,
  platform: Platform,
  fs: FileSystem = diskFileSystem,
): string | null {
  const paths = pathsOf(platform);
  let at = directory;
  for (;;) {
    if (isGitFolder(fs, paths.join(at, '.git'))) return at;
    const above = paths.dirname(at);
    if (above === at) return null;
    at = above;
  }
}

function isGitFolder(fs: FileSystem, path: string): boolean {
  try {
    const { kind } = fs.status(path);
    // A link to a git folder is one to git.
    return kind !== 'other';
  } catch {
    // What cannot be looked at holds no rules that could be read.
    return false;
  }
}

/** Where a `.git` file points (`gitdir: …`), absolute; null when it is no such file. */
export function gitPointer(gitFile: string, platform: Platform, fs: FileSystem): string | null {
  const target = /^gitdir: (.+)/.exec(firstText(fs, gitFile))?.[1]?.trim();
  return target === undefined ? null : pathsOf(platform).resolve(gitFile, '..', target);
}

/** Whether `directory` is a linked worktree: a second checkout of a repository that has its home elsewhere. */
export function isLinkedWorktree(directory: string, platform: Platform, fs: FileSystem): boolean {
  const paths = pathsOf(platform);
  const home = gitPointer(paths.join(directory, '.git'), platform, fs);
  return home !== null && paths.basename(paths.dirname(home)) === 'worktrees';
}

/** Where the git files of a work tree are. */
export interface GitFolders {
  /** Its own: HEAD, index. A real path. */
  readonly own: string;
  /** Those that all work trees of the repository share: references, configuration. A real path. */
  readonly common: string;
}

/**
 * The git folders of the work tree that starts at `top` (absolute); null where there are none, or they are not its own.
 * Whoever made a folder wrote its `.git` file: it is believed only where what it leads to leads back. A linked work
 * tree is listed in the repository's `worktrees/NAME/gitdir` (one that was moved, once `git worktree repair` ran); that
 * of a submodule is the `core.worktree` of its configuration; of `git init --separate-git-dir`, which says it nowhere,
 * the index knows a file that is here.
 */
export function gitFolders(top: string, platform: Platform, fs: FileSystem): GitFolders | null {
  const paths = pathsOf(platform);
  const home = realPath(fs, top);
  const file = paths.join(home ?? top, '.git');
  const own = realPath(fs, gitPointer(file, platform, fs) ?? file);
  if (home === null || own === null) return null;
  const shared = firstText(fs, paths.join(own, 'commondir')).trim();
  if (shared === '')
    return isWithin(own, home, platform) || isHomeOf(own, home, platform, fs) ? { own, common: own } : null;
  const common = realPath(fs, paths.resolve(own, shared));
  const back = firstText(fs, paths.join(own, 'gitdir')).trim();
  const isListed = paths.dirname(own) === paths.join(common ?? '', 'worktrees');
  return common !== null && isListed && realPath(fs, paths.resolve(own, back)) === realPath(fs, file)
    ? { own, common }
    : null;
}

/** Whether a git folder lies in a work tree, and in no other that lies in there. */
function isWithin(own: string, home: string, platform: Platform): boolean {
  const { sep, relative, join } = pathsOf(platform);
  if (own === join(home, '.git')) return true;
  return contains(home, own, platform) && !relative(home, own).split(sep).includes('.git');
}

/** Whether what a git folder says itself is that its work tree starts at `home`. */
function isHomeOf(own: string, home: string, platform: Platform, fs: FileSystem): boolean {
  const paths = pathsOf(platform);
  const said = ['config', 'config.worktree']
    .map((name) => coreWorktree(firstText(fs, paths.join(own, name))))
    .find((path) => path !== null);
  if (said) return realPath(fs, paths.resolve(own, said)) === home;
  if (paths.basename(own) === '.git') return false;
  return indexEntries(paths.join(own, 'index'), fs).some(({ path, seconds, inode, size }) => {
    const file = paths.join(home, ...path.split('/'));
    const status = statusOrNull(fs, file);
    // Behind a link it is a file of somebody else's folder.
    if (status === null || realPath(fs, file) !== file) return false;
    const seen = [Math.floor(status.mtimeMs / 1000), status.inode, status.size];
    return seen.map((one) => one % 2 ** 32).join() === [seconds, inode, size].join();
  });
}

/** What a file of git's configuration says of `core.worktree`; null where it says nothing of it. */
function coreWorktree(text: string): string | null {
  let section = '';
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) section = line.toLowerCase();
    const [name = '', ...value] = line.split('=');
    if (section !== '[core]' || name.trim().toLowerCase() !== 'worktree') continue;
    return value
      .join('=')
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replace(/\\(["\\])/g, '$1');
  }
  return null;
}

function realPath(fs: FileSystem, path: string): string | null {
  try {
    return fs.realPath(path);
  } catch {
    // It is not there, or nobody lets us see it.
    return null;
  }
}

/**
 * The `info/exclude` file of the repository whose work tree starts at `top`: worktrees share the one of their common
 * folder. The file need not exist.
 */
export function excludeFile(top: string, platform: Platform, fs: FileSystem): string {
  const paths = pathsOf(platform);
  const common = gitFolders(top, platform, fs)?.common ?? paths.join(top, '.git');
  return paths.join(common, 'info', 'exclude');
}

/** The first 4 KiB of a file as text; empty when it is not there or no file. */
export function firstText(fs: FileSystem, path: string): string {
  try {
    return new TextDecoder().decode(fs.readBytes(path, POINTER_BYTES));
  } catch {
    // Not there, or a folder: the caller's case of "no pointer".
    return '';
  }
}

/** {@link gitTop} on this machine's disk. */
export function gitTopOf(directory: string): string | null {
  return gitTop(directory, platformOf());
}
