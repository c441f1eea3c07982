import { diskFileSystem, errorCode, type FileSystem, statusOrNull } from '../file-system.js';
import { excludeFile, gitTop } from '../git-folder.js';
import { type Platform, pathsOf, platformOf, toGraphPath } from '../paths.js';
import { type IgnoreChain, ignoredBy, seenFrom, withIgnoreFile } from './ignore-rules.js';

/** No ignore file that people write is larger. */
const MAX_IGNORE_BYTES = 1024 * 1024;

/**
 * The text of an ignore file, or the error code for which it cannot be read. Bytes that are not UTF-8 match nothing:
 * a name that holds them is skipped anyway.
 */
export function readIgnoreFile(
  fs: FileSystem,
  path: string,
): { readonly text: string } | { readonly error: string } {
  try {
    return { text: new TextDecoder().decode(fs.readBytes(path, MAX_IGNORE_BYTES)) };
  } catch (error) {
    return { error: errorCode(error) };
  }
}

/**
 * The git rules that come from above the root's own `.gitignore`: the repository's `info/exclude`, and where the root
 * is a folder of a larger work tree, the `.gitignore` files on the way down to it. When those exclude the root
 * itself, none of them holds: somebody pointed at it, and all of it would be gone.
 */
export function rootRules(root: string, platform: Platform, fs: FileSystem): IgnoreChain {
  const top = gitTop(root, platform, fs);
  if (top === null) return null;
  const paths = pathsOf(platform);
  const inside = toGraphPath(top, root, platform);
  let chain = withFile(null, fs, excludeFile(top, platform, fs), '.git/info/exclude', '');
  let directory = top;
  let folder = '';
  const parts = inside === '' ? [] : inside.split('/');
  for (const [depth, part] of parts.entries()) {
    const source = `${'../'.repeat(parts.length - depth)}.gitignore`;
    chain = withFile(chain, fs, paths.join(directory, '.gitignore'), source, folder);
    directory = paths.join(directory, part);
    folder += `${part}/`;
    if (ignoredBy(chain, folder) !== null) return null;
  }
  return seenFrom(chain, folder);
}

/**
 * The files outside the root that {@link rootRules} reads, whether they exist or not: absolute paths.
 *
 * @param root the root's real path.
 */
export function ignoreFilesAbove(
  root: string,
  platform: Platform = platformOf(),
  fs: FileSystem = diskFileSystem,
): string[] {
  const top = gitTop(root, platform, fs);
  if (top === null) return [];
  const paths = pathsOf(platform);
  const inside = toGraphPath(top, root, platform);
  const parts = inside === '' ? [] : inside.split('/');
  const folders = parts.map((_, depth) => paths.join(top, ...parts.slice(0, depth)));
  return [excludeFile(top, platform, fs), ...folders.map((folder) => paths.join(folder, '.gitignore'))];
}

function withFile(
  outer: IgnoreChain,
  fs: FileSystem,
  file: string,
  source: string,
  folder: string,
): IgnoreChain {
  if (statusOrNull(fs, file)?.kind !== 'file') return outer;
  const read = readIgnoreFile(fs, file);
  return 'text' in read ? withIgnoreFile(outer, read.text, source, folder) : outer;
}
