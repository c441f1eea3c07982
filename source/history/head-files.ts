import type { FileSystem } from '../file-system.js';
import { firstText, gitPointer, gitTop } from '../git-folder.js';
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
  const own = paths.join(top, '.git');
  const folder = gitPointer(own, platform, fs) ?? own;
  const read = (path: string) => firstText(fs, path).trim();
  const shared = read(paths.join(folder, 'commondir'));
  const common = shared === '' ? folder : paths.resolve(folder, shared);
  const head = read(paths.join(folder, 'HEAD'));
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1] ?? null;
  return { head, ref, loose: ref === null ? '' : read(paths.join(common, ref)), common };
}
