import { diskFileSystem, type FileSystem } from '../file-system.js';
import { type Platform, pathsOf, platformOf } from '../paths.js';
import { headFiles } from './head-files.js';

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
  const found = headFiles(directory, platform, fs);
  if (found === null) return NOWHERE;
  const { head, ref, loose, common } = found;
  if (ref === null) return { commit: hashOf(head), branch: null };
  const branch = ref.replace(/^refs\/heads\//, '');
  const file = pathsOf(platform).join(common, 'packed-refs');
  return { commit: hashOf(loose) ?? packed(fs, file, ref), branch };
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
