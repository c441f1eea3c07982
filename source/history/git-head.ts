import { diskFileSystem, type FileSystem } from '../file-system.js';
import { firstText, gitPointer, gitTop } from '../git-folder.js';
import { type Platform, pathsOf, platformOf } from '../paths.js';

/** Where a work tree stands. */
export interface GitHead {
  /** The full hash; null without a commit, or where only git itself could tell. */
  readonly commit: string | null;
  /** Null where HEAD is detached. */
  readonly branch: string | null;
}

const NOWHERE: GitHead = { commit: null, branch: null };
const HASH = /^[0-9a-f]{40,64}$/;

/** The commit and the branch of the work tree around a folder, as the repository's own files say it: no process. */
export function gitHead(
  directory: string,
  platform: Platform = platformOf(),
  fs: FileSystem = diskFileSystem,
): GitHead {
  const paths = pathsOf(platform);
  const top = gitTop(directory, platform, fs);
  if (top === null) return NOWHERE;
  const own = paths.join(top, '.git');
  const folder = gitPointer(own, platform, fs) ?? own;
  const head = firstText(fs, paths.join(folder, 'HEAD')).trim();
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (ref === undefined) return { commit: hashOf(head), branch: null };
  const shared = firstText(fs, paths.join(folder, 'commondir')).trim();
  const common = shared === '' ? folder : paths.resolve(folder, shared);
  const loose = hashOf(firstText(fs, paths.join(common, ref)).trim());
  const branch = ref.replace(/^refs\/heads\//, '');
  return { commit: loose ?? packed(fs, paths.join(common, 'packed-refs'), ref), branch };
}

function hashOf(text: string): string | null {
  return HASH.test(text) ? text : null;
}

/** The hash of a reference in the file of those that git packed. */
function packed(fs: FileSystem, file: string, ref: string): string | null {
  const line = textOf(fs, file)
    .split('\n')
    .find((one) => one.endsWith(` ${ref}`));
  return hashOf(line?.slice(0, -ref.length - 1) ?? '');
}

/** A repository of many branches packs them into one file of some 60 bytes each. */
const PACKED_BYTES = 4 * 1024 * 1024;

function textOf(fs: FileSystem, path: string): string {
  try {
    return new TextDecoder().decode(fs.readBytes(path, PACKED_BYTES));
  } catch {
    return '';
  }
}
