import type { NodeRef, ReadContext } from '../../../runtime/index.js';
import { CodewalkError, File, fileId } from '../../../schema/index.js';
import { insideRoot } from '../../../source/index.js';
import { didYouMean, suggestedPaths } from '../../suggestion.js';
import { indexProgress } from '../index-progress.js';

/** The files that a caller named, as the graph has them. */
export interface AskedFiles {
  readonly found: readonly NodeRef<typeof File>[];
  /** Root-relative paths that the graph does not have. */
  readonly missing: readonly string[];
}

/**
 * Finds the File nodes of paths, absolute or relative to the root.
 *
 * @throws CodewalkError `PATH_OUTSIDE_ROOT`; `PROJECT_NOT_INDEXED`; `NODE_NOT_FOUND` with the nearest path, when
 * the graph has none of them.
 */
export async function askedFiles(context: ReadContext, given: readonly string[]): Promise<AskedFiles> {
  const root = context.projectRoot;
  const paths = [...new Set(given.map((path) => (root === null ? path : insideRoot(root, path).path)))];
  const found: NodeRef<typeof File>[] = [];
  const missing: string[] = [];
  for (const path of paths) {
    const [file = await goneFile(context, fileId(path))] = await context.find(File, { path });
    if (file) found.push(file);
    else missing.push(path);
  }
  if (found.length === 0) await throwMissing(context, missing);
  return { found, missing };
}

/** The stub of a file that is gone from the code graph while traces still end on it: its edges know it. */
async function goneFile(context: ReadContext, id: string): Promise<NodeRef<typeof File> | undefined> {
  const [neighbour] = await context.q(id).any().slice(0, 1);
  if (!neighbour) return undefined;
  return (await context.q(neighbour).any().of(File)).find((node) => node.id === id);
}

async function throwMissing(context: ReadContext, missing: readonly string[]): Promise<never> {
  await indexProgress(context);
  const paths = (await context.findIds(File)).map((id) => id.slice(fileId('').length));
  const meant = didYouMean(suggestedPaths(missing[0] ?? '', paths));
  throw new CodewalkError('NODE_NOT_FOUND', `no file '${missing.join("', '")}' in the graph`, {
    input: missing,
    suggestion: `${meant}Paths are relative to the project root; 'codewalk index --list' says which files are left out and why.`,
  });
}
