import { diskFileSystem, type FileSystem } from '../file-system.js';
import { type Platform, pathsOf, platformOf } from '../paths.js';
import { masked } from '../secrets/index.js';
import { headFiles } from './head-files.js';

/**
 * What tells one state of the history around a root from another: where HEAD points, as the repository's own files say
 * it. Two or three small reads and no process. While it is the same, so is the history; a new mark may stand for the
 * same history. Null where there is no repository.
 */
export function historyMark(
  root: string,
  platform: Platform = platformOf(),
  fs: FileSystem = diskFileSystem,
): string | null {
  const found = headFiles(root, platform, fs);
  if (found === null) return null;
  const { ref, loose, common } = found;
  // A branch may have a token in its name.
  const head = masked(found.head);
  if (ref === null) return head === '' ? null : head;
  if (loose !== '') return `${head} ${loose}`;
  // Packed: a file of all branches, whose change may be that of another one.
  const packed = ['packed-refs', 'reftable/tables.list'].map((name) =>
    stampOf(fs, pathsOf(platform).join(common, name)),
  );
  return [head, ...packed].join(' ');
}

function stampOf(fs: FileSystem, path: string): string {
  try {
    const { size, mtimeMs } = fs.status(path);
    return `${size}@${mtimeMs}`;
  } catch {
    return '-';
  }
}
