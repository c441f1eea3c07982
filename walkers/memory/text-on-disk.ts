import type { ReadContext } from '../../runtime/index.js';
import { File, fileId } from '../../schema/index.js';
import { insideRoot, mayBeRead, readText, statusAt } from '../../source/index.js';

/** A file as it is on disk: its text, and the hash of its bytes as SHA-256 in hex. */
export interface TextOnDisk {
  readonly text: string;
  readonly hash: string;
  /** Absolute. */
  readonly diskPath: string;
}

/**
 * A file of the project. Null: it is not there. Undefined: it has no text, or is not to be read: what holds secrets, and
 * what git ignores, is never opened (P-04), not even for a hash.
 */
export async function textOnDisk(
  { projectRoot, nodesOf }: Pick<ReadContext, 'projectRoot' | 'nodesOf'>,
  path: string,
): Promise<TextOnDisk | null | undefined> {
  if (projectRoot === null) return undefined;
  const diskPath = placeOf(projectRoot, path);
  if (diskPath === null || statusAt(diskPath)?.kind !== 'file') return null;
  const [indexed] = await nodesOf(File, [fileId(path)]);
  // What is indexed was decided by the same rules.
  if ((!indexed || indexed.gone) && !(await mayBeRead(projectRoot, path))) return undefined;
  const read = readText({ diskPath });
  return read.ok ? { text: read.text, hash: read.hash, diskPath } : undefined;
}

/** Null for a path that became a link out of the root: what was meant is not there. */
function placeOf(root: string, path: string): string | null {
  try {
    return insideRoot(root, path).diskPath;
  } catch {
    return null;
  }
}
