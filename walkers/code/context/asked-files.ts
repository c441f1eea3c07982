import { closest } from 'fastest-levenshtein';
import type { NodeRef, ReadContext } from '../../../runtime/index.js';
import { CodewalkError, File, fileId } from '../../../schema/index.js';
import { insideRoot } from '../../../source/index.js';
import { PROGRESS_MARK, readProgress } from '../indexing/file-state.js';

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
  const nodes = await context.nodes(paths.map(fileId));
  const found: NodeRef<typeof File>[] = [];
  const missing: string[] = [];
  for (const [i, path] of paths.entries()) {
    const node = nodes[i];
    if (node) found.push(node as NodeRef<typeof File>);
    else missing.push(path);
  }
  if (found.length === 0) await throwMissing(context, missing);
  return { found, missing };
}

async function throwMissing(context: ReadContext, missing: readonly string[]): Promise<never> {
  const [mark] = await context.blobs([PROGRESS_MARK]);
  if (!readProgress(mark))
    throw new CodewalkError(
      'PROJECT_NOT_INDEXED',
      `there is no graph of ${context.projectRoot ?? 'this graph'} yet`,
      {
        suggestion: 'Index it first: codewalk index (or the tool graph_index_project).',
      },
    );
  const wanted = missing[0] ?? '';
  const ids = await context.findIds(File);
  const nearest = ids.length > 0 ? closest(fileId(wanted), ids).slice(fileId('').length) : null;
  throw new CodewalkError('NODE_NOT_FOUND', `no file '${missing.join("', '")}' in the graph`, {
    input: missing,
    suggestion: `${nearest ? `Did you mean '${nearest}'? ` : ''}Paths are relative to the project root; 'codewalk index --list' says which files are left out and why.`,
  });
}
