import type { FileSystem } from '../file-system.js';
import { firstText, gitFolders, gitTop } from '../git-folder.js';
import { type Platform, pathsOf } from '../paths.js';

/** What a repository's own files say of HEAD. */
export interface HeadFiles {
  /** The text of `HEAD`; empty where it cannot be read. */
  readonly head: string;
  /** The reference that HEAD names; null where it is detached. */
  readonly ref: string | null;
  /** The text of that reference's own file; empty where it is packed, or has no commit yet. */
  readonly loose: string;
  /** Where all work trees keep what they share, as packed references. */
  readonly common: string;
}

/** Reads them for the work tree around a folder: two or three small reads. Null where there is no repository. */
export function headFiles(directory: string, platform: Platform, fs: FileSystem): HeadFiles | null {
  const paths = pathsOf(platform);
  const top = gitTop(directory, platform, fs);
  if (top === null) return null;
  const folders = gitFolders(top, platform, fs);
  if (folders === null) return null;
  const { own, common } = folders;
  const read = (path: string) => firstText(fs, path).trim();
  const head = read(paths.join(own, 'HEAD'));
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1] ?? null;
  return { head, ref, loose: ref === null ? '' : read(paths.join(common, ref)), common };
}
