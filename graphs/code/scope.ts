import { didYouMean, isNear, shownLine, suggestedPaths } from '../../present/index.js';
import type { ReadContext } from '../../runtime/index.js';
import { CodewalkError, ExternalPackage, File, FileContainsSymbol, parseId } from '../../schema/index.js';

type Look = Pick<ReadContext, 'find' | 'findIds' | 'lookUp' | 'q' | 'projectRoot'>;

/** Modules that are suggested at most. */
const MOST_NAMES = 3;

/** What a scope looks at. */
export interface Scoped {
  readonly qualified_name: string;
  /** From the root; what is outside the project has none. */
  readonly path?: string;
}

/**
 * Whether a row is within a scope: a folder or file by its path from the root or its absolute one, or a package or
 * module by its name. Without a scope everything is, and within the root's folder.
 *
 * @throws CodewalkError As {@link scopedIds} does; a package outside of the project is something.
 */
export async function withinScope(
  context: Look,
  scope: string | undefined,
): Promise<(row: Scoped) => boolean> {
  const folder = scope === undefined ? '' : folderOf(scope, context.projectRoot);
  if (scope === undefined || folder === '') return () => true;
  const [outside] = await context.find(ExternalPackage, { name: folder });
  if (outside === undefined) await scopedIds(context, scope, []);
  return ({ qualified_name, path }) =>
    isUnder(path, folder, ['/']) || isUnder(qualified_name, folder, ['.', '/']);
}

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

/** What a scope names, from the root: a path, or a package's name as it is; empty for the root itself. */
function folderOf(scope: string, projectRoot: string | null): string {
  const [path, root] = [plainPath(scope), plainPath(projectRoot ?? '')];
  return root !== '' && isUnder(path, root, ['/']) ? path.slice(root.length + 1) : path;
}

/** With slashes, none at its end and none twice, without `.` at its beginning. */
function plainPath(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/\/{2,}/gu, '/');
  return plain
    .replace(/^(?:\.\/)+/u, '')
    .replace(/(?<!\/)\/+$/u, '')
    .replace(/^\.$/u, '');
}

function isUnder(name: string | undefined, folder: string, ends: readonly string[]): boolean {
  return name !== undefined && (name === folder || ends.some((end) => name.startsWith(`${folder}${end}`)));
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
  const files = await context.find(File);
  // `a/b/c.ts`, `a/b`, `a`.
  const withFolders = (path: string) => {
    const parts = path.split('/');
    return parts.map((_, at) => parts.slice(0, parts.length - at).join('/'));
  };
  const near = suggestedPaths(folder, [...new Set(files.flatMap(({ path }) => withFolders(path)))]);
  const names = [...new Set(files.map(({ qualified_name }) => qualified_name))];
  const nearNames = names.filter((name) => name !== '' && isNear(folder, name)).slice(0, MOST_NAMES);
  return new CodewalkError(
    'NODE_NOT_FOUND',
    `scope: no folder, file or package '${shownLine(scope, 200)}' in the graph`,
    {
      input: scope,
      suggestion: `${didYouMean(near.length > 0 ? near : nearNames)}A scope is a folder or file by its path from the root, or a package or module by its name.`,
    },
  );
}

function pathOf(id: string): string {
  return parseId(id)?.path ?? '';
}
