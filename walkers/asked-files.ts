import { indexProgress } from '../graphs/code/index.js';
import { didYouMean, suggestedPaths } from '../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../runtime/index.js';
import { CodewalkError, Directory, File, fileId } from '../schema/index.js';
import { insideRoot } from '../source/index.js';

/** A path that the graph does not have. */
export interface MissingFile {
  /** Root-relative, `/`. */
  readonly path: string;
  /** Whether something stands there on disk all the same. */
  readonly onDisk: boolean;
  /** Whether the graph has a folder of that path. */
  readonly isFolder: boolean;
}

/** Files that are suggested in the place of their folder. */
const MOST_NAMED = 3;

/**
 * Finds the File nodes of paths, absolute or relative to the root.
 *
 * @throws CodewalkError `PATH_OUTSIDE_ROOT`; `PROJECT_NOT_INDEXED`; `NODE_NOT_FOUND` with the nearest path, when
 * the graph has none of them.
 */
export async function askedFiles(
  context: ReadContext,
  given: readonly string[],
): Promise<{ found: NodeRef<typeof File>[]; missing: MissingFile[] }> {
  const root = context.projectRoot;
  const places = given.map((path) => (root === null ? { path, exists: false } : insideRoot(root, path)));
  const found: NodeRef<typeof File>[] = [];
  const missing: MissingFile[] = [];
  for (const [path, onDisk] of new Map(places.map(({ path, exists }) => [path, exists]))) {
    const [file = await goneFile(context, fileId(path))] = await context.find(File, { path });
    if (file) found.push(file);
    else missing.push({ path, onDisk, isFolder: (await context.find(Directory, { path })).length > 0 });
  }
  if (found.length > 0) return { found, missing };
  await indexProgress(context);
  throw noneFound(
    missing,
    (await context.findIds(File)).map((id) => id.slice(fileId('').length)),
  );
}

/** The stub of a file that is gone from the code graph while traces still end on it: its edges know it. */
async function goneFile({ q }: ReadContext, id: string): Promise<NodeRef<typeof File> | undefined> {
  const [neighbour] = await q(id).any().slice(0, 1);
  return neighbour && (await q(neighbour).any().of(File)).find((node) => node.id === id);
}

function noneFound(missing: readonly MissingFile[], known: readonly string[]): CodewalkError {
  const paths = missing.map(({ path }) => path);
  const folder = missing.find(({ isFolder }) => isFolder)?.path;
  if (folder !== undefined) {
    const depth = (path: string) => path.split('/').length;
    const first = known
      .filter((path) => folder === '' || path.startsWith(`${folder}/`))
      .sort((a, b) => depth(a) - depth(b) || compareText(a, b))
      .slice(0, MOST_NAMED);
    return new CodewalkError('NODE_NOT_FOUND', `'${folder || '.'}' is a folder: files are asked for`, {
      input: folder,
      suggestion: `Name files in it, as '${first.join("', '")}'.`,
    });
  }
  const hint = missing[0]?.onDisk
    ? 'It is on disk: newer than the graph (codewalk index --mode incremental), or left out. '
    : didYouMean(suggestedPaths(paths[0] ?? '', known));
  return new CodewalkError('NODE_NOT_FOUND', `no file '${paths.join("', '")}' in the graph`, {
    input: paths,
    suggestion: `${hint}Paths are relative to the project root; 'codewalk index --list' says which files are left out and why.`,
  });
}
