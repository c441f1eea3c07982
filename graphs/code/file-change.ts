import type { NodeRef } from '../../runtime/index.js';
import type { File } from '../../schema/index.js';
import { type ChangeOnDisk, changeOnDisk, insideRoot } from '../../source/index.js';

/**
 * What happened to a file on disk since it was indexed; null for nothing, where it is still to be indexed, and for a
 * graph in memory.
 *
 * @param root Absolute; null for a graph in memory.
 */
export function changeSinceIndexed(file: NodeRef<typeof File>, root: string | null): ChangeOnDisk {
  const { path, size_bytes, last_modified, hash } = file;
  // A file that is still to be indexed cannot have changed since.
  if (root === null || hash === '') return null;
  return changeOnDisk(insideRoot(root, path).diskPath, { size: size_bytes, modified: last_modified, hash });
}
