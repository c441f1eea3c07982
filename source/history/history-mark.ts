import { diskFileSystem, type FileSystem } from '../file-system.js';
import { firstText, gitPointer, gitTop } from '../git-folder.js';
import { type Platform, pathsOf, platformOf } from '../paths.js';

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
  const paths = pathsOf(platform);
  const top = gitTop(root, platform, fs);
  if (top === null) return null;
  const own = paths.join(top, '.git');
  const folder = gitPointer(own, platform, fs) ?? own;
  const head = firstText(fs, paths.join(folder, 'HEAD')).trim();
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (ref === undefined) return head === '' ? null : head;
  const shared = firstText(fs, paths.join(folder, 'commondir')).trim();
  const common = shared === '' ? folder : paths.resolve(folder, shared);
  const loose = firstText(fs, paths.join(common, ref)).trim();
  if (loose !== '') return `${head} ${loose}`;
  // Packed: a file of all branches, whose change may be that of another one.
  const packed = ['packed-refs', 'reftable/tables.list'].map((name) => stampOf(fs, paths.join(common, name)));
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
