import { storedProject } from '../graphs/code/index.js';
import { compareText, type NodeRef, type ReadContext, type Slot } from '../runtime/index.js';
import { DirContainsFile, directoryId, File, fileId } from '../schema/index.js';
import { createPlaces, importedFiles, type Places } from '../source/index.js';

type Look = Pick<ReadContext, 'blobs' | 'codeRevision' | 'find' | 'findIds' | 'cached' | 'nodesOf' | 'q'>;
type Module = NodeRef<typeof File>;

/** The module that a path without its extension names, or a folder stands for: see {@link modulesOf}. @param path From the root. */
export async function moduleAtPath(context: Look, path: string): Promise<Module[]> {
  const given = path.replace(/^(?:\.?\/)+|\/+$/gu, '');
  const slash = given.lastIndexOf('/');
  const siblings = await filesIn(context, slash < 0 ? '' : given.slice(0, slash));
  const named = siblings.filter(({ path: one }) => stemOf(one) === given);
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

/** The modules that an import of that absolute name loads: the entries of packages, by their manifests, too. */
export async function importedModules(context: Look, name: string): Promise<Module[]> {
  const files = await context.nodesOf(File, importedFiles(await placesOf(context), name).map(fileId));
  return files.filter((file) => !file.gone && file.is_module);
}

/** Ids of the modules that imports of the project's own packages load. */
export async function packageEntries(context: Look): Promise<readonly string[]> {
  const { entries } = known(context);
  if (entries) return entries;
  const names = ((await storedProject(context))?.manifests ?? []).flatMap(({ name }) => name ?? []);
  const made = new Set<string>();
  for (const name of names) for (const { id } of await importedModules(context, name)) made.add(id);
  known(context).entries = [...made];
  return [...made];
}

/**
 * The modules whose qualified name, or path with or without its extension or that of the folder that they stand for,
 * ends with these parts, with any separators. Looks at all modules: for a name that leads nowhere else.
 */
export async function modulesEndingIn(context: Look, text: string): Promise<Module[]> {
  const wanted = dotted(text.replace(/^(?:\.?\/)+|\/+$/gu, ''));
  if (wanted === '') return [];
  // The end of a file's name alone says nothing: `test` of `cart.test`, which every test file has.
  const isPart = (name: string) => name !== wanted && endsInParts(name, wanted);
  const found = (await allModules(context)).filter(
    ({ names, ends }) => !names.some(isPart) && ends.some((one) => endsInParts(one, wanted)),
  );
  return context.nodesOf(
    File,
    found.map(({ id }) => id),
  );
}

/** A name or path with dots for all separators. */
export function dotted(name: string): string {
  return name.replace(/[/:]/gu, '.');
}

/** Whether a dotted name is another one, or ends with its parts. */
export function endsInParts(full: string, parts: string): boolean {
  return full === parts || (full.endsWith(parts) && full.at(-parts.length - 1) === '.');
}

/** A module by the names, with dots, whose last parts may call it. */
interface NamedModule {
  readonly id: string;
  /** Its qualified name, and its path with and without extension, or of the folder that it stands for. */
  readonly ends: readonly string[];
  /** The file's name with and without extension. */
  readonly names: readonly string[];
}

/** What names of modules are looked up in, of one revision of the code graph. */
interface KnownModules {
  revision: number | null;
  places: Places | null;
  entries: readonly string[] | null;
  all: readonly NamedModule[] | null;
}

const KNOWN_MODULES: Slot<KnownModules> = {
  name: 'names of modules',
  make: () => ({ revision: null, places: null, entries: null, all: null }),
};

function known({ cached, codeRevision }: Pick<Look, 'cached' | 'codeRevision'>): KnownModules {
  const modules = cached(KNOWN_MODULES);
  if (codeRevision === null || modules.revision !== codeRevision)
    Object.assign(modules, { revision: codeRevision, places: null, entries: null, all: null });
  return modules;
}

async function placesOf(context: Look): Promise<Places> {
  const { places } = known(context);
  if (places) return places;
  const ids = await context.findIds(File);
  const manifests = (await storedProject(context))?.manifests ?? [];
  const made = createPlaces(
    ids.map((id) => id.slice(fileId('').length)),
    manifests,
  );
  known(context).places = made;
  return made;
}

async function allModules(context: Look): Promise<readonly NamedModule[]> {
  const { all } = known(context);
  if (all) return all;
  const modules = await context.find(File, { is_module: true });
  const made = modules.map((file) => {
    const { id, path, qualified_name } = file;
    const stem = stemOf(path);
    const folder = isOwn(file) ? [folderOf(path)] : [];
    return {
      id,
      ends: [qualified_name, path, stem, ...folder].map(dotted),
      names: [lastOf(path), lastOf(stem)],
    };
  });
  known(context).all = made;
  return made;
}

async function filesIn(context: Look, folder: string): Promise<Module[]> {
  const ids = await context.q(directoryId(folder)).out(DirContainsFile).ids();
  const files = await context.nodesOf(File, [...ids].sort(compareText));
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
