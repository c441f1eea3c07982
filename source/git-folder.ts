import { diskFileSystem, type FileSystem } from './file-system.js';
import { type Platform, pathsOf, platformOf } from './paths.js';

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
    return kind === 'directory' || kind === 'file';
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

/**
 * The `info/exclude` file of the repository whose work tree starts at `top`: worktrees share the one of their common
 * folder. The file need not exist.
 */
export function excludeFile(top: string, platform: Platform, fs: FileSystem): string {
  const paths = pathsOf(platform);
  const own = paths.join(top, '.git');
  const folder = gitPointer(own, platform, fs) ?? own;
  const common = firstText(fs, paths.join(folder, 'commondir')).trim();
  return paths.join(common === '' ? folder : paths.resolve(folder, common), 'info', 'exclude');
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
