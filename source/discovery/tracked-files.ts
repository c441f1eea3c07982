import { createHash } from 'node:crypto';
import { diskFileSystem, type FileSystem } from '../file-system.js';
import { gitFolders, gitTop } from '../git-folder.js';
import { indexEntries } from '../git-index.js';
import { type Platform, pathsOf, platformOf, toGraphPath } from '../paths.js';
import { contentMark } from './content-mark.js';

/** The files that git tracks, by their paths from the root, and the folders that hold any (ending in `/`). */
export type TrackedFiles = Pick<ReadonlySet<string>, 'has'>;

/** What git's index was when it was looked at. */
export interface TrackedMark {
  /** What stays the same as long as nobody writes it; null where there is none. */
  readonly content: string | null;
  /** A digest of the paths in it; null where there are none. */
  readonly paths: string | null;
}

/**
 * The files that git tracks beneath a root, by git's index as it is on disk: git is not asked. Empty where there is no
 * index, or one that cannot be read.
 *
 * @param root A real path.
 */
export function trackedFiles(root: string, platform: Platform, fs: FileSystem): TrackedFiles {
  const index = indexFile(root, platform, fs);
  const tracked = new Set<string>();
  for (const { path } of index ? indexEntries(index.file, fs) : []) {
    if (!path.startsWith(index?.inside ?? '')) continue;
    const own = path.slice(index?.inside.length).normalize('NFC');
    tracked.add(own);
    for (let end = own.lastIndexOf('/'); end > 0; end = own.lastIndexOf('/', end - 1)) {
      const folder = own.slice(0, end + 1);
      if (tracked.has(folder)) break;
      tracked.add(folder);
    }
  }
  return tracked;
}

/** Git's index as it is; `before` spares reading one that nobody has written since. */
export function trackedMark(root: string, before?: TrackedMark): TrackedMark {
  const index = indexFile(root, platformOf(), diskFileSystem);
  const content = index && contentMark(index.file);
  if (before && before.content === content) return before;
  if (!index || content === null) return { content: null, paths: null };
  const digest = createHash('sha1');
  for (const { path } of indexEntries(index.file, diskFileSystem)) digest.update(path).update('\0');
  return { content, paths: digest.digest('base64url') };
}

/** The index of the work tree that a root lies in, and the root's path in there: `''` or ending in `/`. */
function indexFile(
  root: string,
  platform: Platform,
  fs: FileSystem,
): { file: string; inside: string } | null {
  const top = gitTop(root, platform, fs);
  if (top === null) return null;
  const folders = gitFolders(top, platform, fs);
  if (folders === null) return null;
  const inside = toGraphPath(top, root, platform);
  const file = pathsOf(platform).join(folders.own, 'index');
  return { file, inside: inside === '' ? '' : `${inside}/` };
}
