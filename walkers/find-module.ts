import { compareText, type NodeRef, type ReadContext } from '../runtime/index.js';
import { DirContainsFile, directoryId, File } from '../schema/index.js';

type Look = Pick<ReadContext, 'find' | 'nodesOf' | 'q'>;
type Module = NodeRef<typeof File>;

/** The module that a path without its extension names, or a folder stands for: see {@link modulesOf}. @param path From the root. */
export async function moduleAtPath(context: Look, path: string): Promise<Module[]> {
  const given = path.replace(/^(?:\.?\/)+|\/+$/gu, '');
  const slash = given.lastIndexOf('/');
  const beside = await filesIn(context, slash < 0 ? '' : given.slice(0, slash));
  const named = beside.filter(({ path: one }) => stemOf(one) === given);
  return named.length > 0 ? named : modulesOf(context, given);
}

/** The modules that a folder stands for: its own (`__init__.py`, `index.ts`), else all that lie directly in it. */
export async function modulesOf(context: Look, folder: string): Promise<Module[]> {
  const files = await filesIn(context, folder);
  const own = files.filter(isOwn);
  return own.length > 0 ? own : files;
}

/** The modules of that qualified name. */
export async function moduleOfName(context: Look, name: string): Promise<Module[]> {
  if (name === '') return [];
  return (await context.find(File, { qualified_name: name })).filter(({ is_module }) => is_module);
}

/**
 * The modules whose qualified name, or path with or without its extension or that of the folder that they stand for, ends
 * with these parts. Looks at all files: for a name that leads nowhere else.
 *
 * @param folded In any case and with any separators.
 */
export async function modulesEndingIn(context: Look, text: string, folded: boolean): Promise<Module[]> {
  const fold = (one: string) => (folded ? one.toLowerCase().replace(/[/:]/gu, '.') : one);
  const wanted = fold(text.replace(/^(?:\.?\/)+|\/+$/gu, ''));
  if (wanted === '') return [];
  return (await context.find(File, { is_module: true })).filter((file) => {
    const { path, qualified_name } = file;
    const stem = stemOf(path);
    const paths = [path, stem, ...(isOwn(file) ? [folderOf(path)] : [])];
    if ([path, stem].some((one) => isPartOf(wanted, fold(lastOf(one))))) return false;
    return (
      paths.some((one) => endsWithParts(fold(one), wanted, folded ? /\./u : /\//u)) ||
      endsWithParts(fold(qualified_name), wanted, /[./:]/u)
    );
  });
}

/** Whether a name ends with these parts. @param between What stands between parts. */
function endsWithParts(full: string, parts: string, between: RegExp): boolean {
  return full === parts || (full.endsWith(parts) && between.test(full.at(-parts.length - 1) ?? ''));
}

/** Whether it is no more than the end of a file's name: `test` of `cart.test`, which every test file has. */
function isPartOf(parts: string, name: string): boolean {
  return name.length > parts.length && name.endsWith(`.${parts}`);
}

async function filesIn(context: Look, folder: string): Promise<Module[]> {
  const ids = await context.q(directoryId(folder)).out(DirContainsFile).ids();
  return modulesAmong(context, ids);
}

async function modulesAmong({ nodesOf }: Look, ids: readonly string[]): Promise<Module[]> {
  const files = await nodesOf(File, [...ids].sort(compareText));
  return files.filter((file) => !file.gone && file.is_module);
}

/** A folder's own module has the folder's name, and not that of its file. */
function isOwn({ path, qualified_name }: Module): boolean {
  return !qualified_name.endsWith(lastOf(stemOf(path)));
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function stemOf(path: string): string {
  return path.replace(/(?<=[^/])\.[^./]*$/u, '');
}
