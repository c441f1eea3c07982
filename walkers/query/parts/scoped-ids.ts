import type { ReadContext } from '../../../runtime/index.js';
import { CodewalkError, ExternalPackage, File, FileContainsSymbol, parseId } from '../../../schema/index.js';
import { shownLine } from '../../shown-text.js';
import { didYouMean, isNear, suggestedPaths } from '../../suggestion.js';
import { folderOf } from './scope.js';

type Look = Pick<ReadContext, 'find' | 'findIds' | 'lookUp' | 'q' | 'projectRoot'>;

/**
 * Ids of the files in a scope and of the symbols in these. Only what is in the scope is looked up.
 *
 * @param among Of these alone; null: of all.
 * @throws CodewalkError `NODE_NOT_FOUND` with the nearest folder, file or package where the scope names none.
 */
export async function scopedIds(
  context: Look,
  scope: string,
  among: readonly string[] | null,
): Promise<string[]> {
  const folder = folderOf(scope, context.projectRoot);
  const ids = folder === '' ? await context.findIds(File) : await filesUnder(context, folder);
  if (ids.length === 0) throw await unknownScope(context, scope, folder);
  if (among) {
    const paths = new Set(ids.map(pathOf));
    return among.filter((id) => paths.has(pathOf(id)));
  }
  return [...ids, ...(await context.q(ids).out(FileContainsSymbol).ids())];
}

/** Refuses a scope that names nothing, as {@link scopedIds} does; a package outside of the project is something. */
export async function checkScope(context: Look, scope: string): Promise<void> {
  const [outside] = await context.find(ExternalPackage, { name: folderOf(scope, context.projectRoot) });
  if (outside === undefined) await scopedIds(context, scope, []);
}

/** The files whose path or module name is this one or lies beneath it. */
async function filesUnder({ lookUp }: Look, folder: string): Promise<string[]> {
  const ids = new Set<string>();
  for (const [index, ends] of [
    ['path', ['/']],
    ['qualified_name', ['.', '/']],
  ] as const)
    for (const query of [{ equals: folder }, ...ends.map((end) => ({ prefix: `${folder}${end}` }))])
      for await (const page of lookUp(File, index, query)) for (const id of page) ids.add(id);
  return [...ids].sort();
}

async function unknownScope(context: Look, scope: string, folder: string): Promise<CodewalkError> {
  const paths = (await context.findIds(File)).map(pathOf);
  const near = suggestedPaths(folder, [...new Set(paths.flatMap(withFolders))]);
  const names = near.length > 0 ? [] : await namesNear(context, folder);
  return new CodewalkError(
    'NODE_NOT_FOUND',
    `scope: no folder, file or package '${shownLine(scope, 200)}' in the graph`,
    {
      input: scope,
      suggestion: `${didYouMean([...near, ...names])}A scope is a folder or file by its path from the root, or a package or module by its name.`,
    },
  );
}

/** Modules that may be meant. */
const MOST_NAMES = 3;

async function namesNear({ find }: Look, wanted: string): Promise<string[]> {
  const names = (await find(File)).map(({ qualified_name }) => qualified_name).filter((name) => name !== '');
  return [...new Set(names)].filter((name) => isNear(wanted, name)).slice(0, MOST_NAMES);
}

/** `a/b/c.ts`, `a/b`, `a`. */
function withFolders(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/'));
}

function pathOf(id: string): string {
  return parseId(id)?.path ?? '';
}
