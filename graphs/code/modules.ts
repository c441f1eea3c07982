import { compareText, isA, type NodeRef, type ReadContext, type Slot } from '../../runtime/index.js';
import {
  append,
  CodeSymbol,
  DirContainsFile,
  Directory,
  directoryId,
  ExternalPackage,
  File,
  FileContainsImport,
  FileContainsSymbol,
  fileId,
  Import,
  ImportResolvesTo,
  parseId,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  Unresolved,
} from '../../schema/index.js';
import { createPlaces, importedFiles, isTestPath, languageOf, type Places } from '../../source/index.js';
import { storedProject } from './state.js';

type Look = Pick<
  ReadContext,
  'blobs' | 'cached' | 'codeRevision' | 'entries' | 'find' | 'findIds' | 'lookUp' | 'nodes' | 'nodesOf' | 'q'
>;
type Module = NodeRef<typeof File>;
type Member = NodeRef<typeof CodeSymbol | typeof File | typeof Unresolved>;

/** What a module offers: outside names, each with the ids of what it stands for. `*`: packages whose names are all passed on. */
type Offered = ReadonlyMap<string, readonly string[]>;

/** What one file offers itself. */
interface OwnOffer {
  /** Its definitions, and what it passes on by name. */
  readonly names: Offered;
  /** Ids of the files whose names it passes on, in the order of the text. */
  readonly stars: readonly string[];
}

/** The name of all that a package offers, which is not known here. */
const ALL = '*';
/** Names after a module that are followed at most: nobody nests deeper. */
const MOST_PARTS = 8;

/** What names of modules are looked up in, of one revision of the code graph, as far as it was needed. */
const KNOWN: Slot<{ revision: number | null; value: Known }> = {
  name: 'modules and what they offer',
  make: () => ({ revision: null, value: new Known() }),
};

class Known {
  places: Places | null = null;
  entries: readonly string[] | null = null;
  all: readonly NamedModule[] | null = null;
  readonly own = new Map<string, OwnOffer>();
  readonly whole = new Map<string, Offered>();
}

/** Of write runs, which have no revision: none shares it. */
const KNOWN_BY_RUN = new WeakMap<Look, Known>();

function knownOf(context: Look): Known {
  const { cached, codeRevision } = context;
  if (codeRevision === null) {
    const known = KNOWN_BY_RUN.get(context) ?? new Known();
    KNOWN_BY_RUN.set(context, known);
    return known;
  }
  const slot = cached(KNOWN);
  if (slot.revision !== codeRevision) Object.assign(slot, { revision: codeRevision, value: new Known() });
  return slot.value;
}

/** The module that a path without its extension names, or a folder stands for: see {@link modulesOf}. @param path From the root. */
export async function moduleAtPath(context: Look, path: string): Promise<Module[]> {
  const given = path.replace(/^(?:\.?\/)+|\/+$/gu, '');
  const siblings = await filesIn(context, folderOf(given));
  const named = siblings.filter((file) => stemOf(file.path) === given);
  return named.length > 0 ? named : modulesOf(context, given);
}

/** The modules that a folder stands for: its own (`__init__.py`, `index.ts`, all of a Go package), else all that lie directly in it. */
export async function modulesOf(context: Look, folder: string): Promise<Module[]> {
  const files = withoutTests(await filesIn(context, folder));
  const own = files.filter(isOwn);
  return own.length > 0 ? own : files;
}

/** Whether a file shares its module with others, as in Go and Java: the package. */
export function isUnit(path: string): boolean {
  const language = languageOf(path);
  if (language === null || !('link' in language)) return false;
  return language.link !== undefined && language.link.package !== 'file';
}

/** Of packages of several files those that are no tests, where there are any: nobody imports what stands in tests. */
function withoutTests(files: readonly Module[]): Module[] {
  const isTest = ({ path }: Module) => isUnit(path) && isTestPath(path);
  const others = files.filter((file) => !isTest(file));
  return others.length > 0 ? others : [...files];
}

/** The modules of that qualified name. */
export async function moduleOfName(context: Look, name: string): Promise<Module[]> {
  if (name === '') return [];
  return withoutTests(
    (await context.find(File, { qualified_name: name })).filter(({ is_module }) => is_module),
  );
}

/** The modules that an import of that absolute name loads: the entries of packages, by their manifests, too. */
export async function importedModules(context: Look, name: string): Promise<Module[]> {
  const isPython = knownOf(context).places !== null || (await mayBePython(context, name));
  const paths = isPython
    ? importedFiles(await placesOf(context), name)
    : await importedByManifests(context, name);
  const files = await context.nodesOf(File, paths.map(fileId));
  return files.filter((file) => !file.gone && file.is_module);
}

/** Whether a file or a folder is called as the first part of a name: else no source root has a module of it. */
async function mayBePython({ lookUp }: Look, name: string): Promise<boolean> {
  const [first = ''] = name.split('.');
  for (const [type, equals] of [
    [File, `${first}.py`],
    [File, `${first}.pyi`],
    [Directory, first],
  ] as const)
    for await (const page of lookUp(type, 'name', { equals, limit: 1 })) if (page.length > 0) return true;
  return false;
}

/** The paths that an import of a name leads to by manifests alone: few are asked for, so that not all have to be listed. */
async function importedByManifests(context: Look, name: string): Promise<string[]> {
  const places = createPlaces([], (await storedProject(context))?.manifests ?? []);
  const known = new Map<string, boolean>();
  for (;;) {
    const asked: string[] = [];
    const has = (path: string) => {
      if (!known.has(path)) asked.push(path);
      return known.get(path) === true;
    };
    const found = importedFiles({ ...places, paths: { has } }, name);
    if (asked.length === 0) return found;
    for (const path of asked) known.set(path, false);
    for (const { path, gone } of await context.nodesOf(File, [...new Set(asked)].map(fileId)))
      if (!gone) known.set(path, true);
  }
}

async function placesOf(context: Look): Promise<Places> {
  const known = knownOf(context);
  if (known.places) return known.places;
  const paths = (await context.findIds(File)).map((id) => id.slice(fileId('').length));
  known.places = createPlaces(paths, (await storedProject(context))?.manifests ?? []);
  return known.places;
}

/** A module by the names, with dots, whose last parts may call it. */
interface NamedModule {
  readonly id: string;
  /** Its qualified name, and its path with and without extension, or of the folder that it stands for. */
  readonly ends: readonly string[];
  /** The file's name with and without extension. */
  readonly names: readonly string[];
}

/**
 * The modules whose qualified name, or path with or without its extension or that of the folder that they stand for,
 * ends with these parts, with any separators. Looks at all modules: for a name that leads nowhere else.
 */
export async function modulesEndingIn(context: Look, text: string): Promise<Module[]> {
  const wanted = dotted(text.replace(/^(?:\.?\/)+|\/+$/gu, ''));
  if (wanted === '') return [];
  const known = knownOf(context);
  known.all ??= (await context.find(File, { is_module: true })).map((file) => {
    const { id, path, qualified_name } = file;
    const stem = stemOf(path);
    const folder = isOwn(file) ? [folderOf(path)] : [];
    return {
      id,
      ends: [qualified_name, path, stem, ...folder].map(dotted),
      names: [lastOf(path), lastOf(stem)],
    };
  });
  // The end of a file's name alone says nothing: `test` of `cart.test`, which every test file has.
  const isPart = (name: string) => name !== wanted && endsInParts(name, wanted);
  const found = known.all.filter(
    ({ names, ends }) => !names.some(isPart) && ends.some((one) => endsInParts(one, wanted)),
  );
  const ids = found.map(({ id }) => id);
  return withoutTests(await context.nodesOf(File, ids));
}

/** A name or path with dots for all separators. */
export function dotted(name: string): string {
  return name.replace(/::|[/:]/gu, '.');
}

/** Whether a dotted name is another one, or ends with its parts. */
export function endsInParts(full: string, parts: string): boolean {
  return full === parts || (full.endsWith(parts) && full.at(-parts.length - 1) === '.');
}

async function filesIn(context: Look, folder: string): Promise<Module[]> {
  const ids = await context.q(directoryId(folder)).out(DirContainsFile).ids();
  const files = await context.nodesOf(File, [...ids].sort(compareText));
  return files.filter((file) => !file.gone && file.is_module);
}

/** A folder's own module has the folder's name, and not that of its file, which may be the same. */
function isOwn({ path, qualified_name }: Module): boolean {
  return isUnit(path) || !qualified_name.endsWith(lastOf(stemOf(path)));
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

/**
 * What a module offers by its language's own rule, with re-exports and stars followed to the definitions. A name of a
 * file itself hides those that its stars bring; cycles of stars end. @param file The file's id.
 */
export async function offeredNames(context: Look, file: string): Promise<Offered> {
  return (await followed(context, file, new Set())).offered;
}

/** Whole unless a circle of stars was cut: then only the file that was asked first knows all. */
async function followed(
  context: Look,
  file: string,
  open: Set<string>,
): Promise<{ offered: Offered; isWhole: boolean }> {
  const known = knownOf(context).whole.get(file);
  if (known) return { offered: known, isWhole: true };
  const own = await ownOffer(context, file);
  const assigns = languageOf(parseId(file)?.path ?? '')?.starsAssign ?? false;
  const brought = new Map<string, readonly string[] | null>();
  let isWhole = true;
  open.add(file);
  for (const star of own.stars) {
    const next = open.has(star) ? null : await followed(context, star, open);
    isWhole &&= next?.isWhole ?? false;
    for (const [name, targets] of next?.offered ?? [])
      if (assigns || name !== 'default') brought.set(name, joined(name, brought.get(name), targets, assigns));
  }
  open.delete(file);
  const offered = new Map(own.names);
  for (const [name, targets] of brought)
    if (targets !== null && (name === ALL || !offered.has(name)))
      offered.set(name, [...new Set([...(offered.get(name) ?? []), ...targets])]);
  if (isWhole || open.size === 0) knownOf(context).whole.set(file, offered);
  return { offered, isWhole };
}

async function ownOffer(context: Look, file: string): Promise<OwnOffer> {
  const known = knownOf(context).own.get(file);
  if (known) return known;
  const names = new Map<string, string[]>();
  const stars: string[] = [];
  for (const { id, name, exported, exported_as } of await topSymbols(context, file))
    if (exported)
      for (const outside of exported_as.length > 0 ? exported_as : [name]) append(names, outside, id);
  for (const { far, farType, props } of (await importEntries(context, file)).leadTo.flat())
    for (const name of Array.isArray(props.exported_as) ? props.exported_as.map(String) : [])
      if (name === ALL && farType === File.name) stars.push(far);
      else append(names, name, far);
  const own = { names, stars };
  knownOf(context).own.set(file, own);
  return own;
}

/** What two stars bring under one name; null: neither's counts. */
function joined(
  name: string,
  before: readonly string[] | null | undefined,
  targets: readonly string[],
  assigns: boolean,
): readonly string[] | null {
  if (before === undefined || (assigns && name !== ALL)) return targets;
  if (name === ALL) return [...new Set([...(before ?? []), ...targets])];
  const isSame = before?.length === targets.length && targets.every((one) => before.includes(one));
  return isSame ? targets : null;
}

/** The symbols at the top of a file, in the order of the text. */
export async function topSymbols(
  { entries, nodesOf }: Pick<Look, 'entries' | 'nodesOf'>,
  file: string,
): Promise<NodeRef<typeof CodeSymbol>[]> {
  const [symbols = []] = await entries([file], 'out', FileContainsSymbol);
  const top = symbols.filter(({ props }) => props.top_level === true).map(({ far }) => far);
  return (await nodesOf(CodeSymbol, top)).filter(({ gone }) => !gone);
}

/** How many of a file's re-exports and stars lead nowhere known. */
export async function missingReexports(context: Look, file: string): Promise<number> {
  const { ids, leadTo } = await importEntries(context, file);
  const missing = ids.filter((_, at) => leadTo[at]?.some(({ farType }) => farType === 'Unresolved'));
  const imports = await context.nodesOf(Import, missing);
  return imports.filter(({ gone, kind, items }) => !gone && (kind === 'reexport' || items.includes(ALL)))
    .length;
}

/** The imports of a file, in the order of the text, and what each leads to. */
async function importEntries({ entries }: Look, file: string) {
  const [imports = []] = await entries([file], 'out', FileContainsImport);
  const ids = imports.map(({ far }) => far);
  return { ids, leadTo: await entries(ids, 'out', ImportResolvesTo) };
}

/** A name's beginning, which may call a module, and the names after it: the longest beginning first, one that ends at a slash last. */
export function modulesAndMembers(name: string): { module: string; members: string[] }[] {
  const parts = name.split('.');
  const splits: { module: string; members: string[] }[] = [];
  for (let at = parts.length - 1; at >= Math.max(1, parts.length - MOST_PARTS); at--) {
    const members = parts.slice(at);
    if (!members.includes('')) splits.push({ module: parts.slice(0, at).join('.'), members });
  }
  const slash = name.lastIndexOf('/');
  const members = name.slice(slash + 1).split('.');
  if (slash > 0 && members.length <= MOST_PARTS && !members.includes(''))
    splits.push({ module: name.slice(0, slash), members });
  return splits;
}

/** The modules that a package of the project exports under a name from its entry: `export * as z from './all'`. */
export async function namespacesOf(context: Look, name: string): Promise<Module[]> {
  const known = knownOf(context);
  if (known.entries === null) {
    const names = ((await storedProject(context))?.manifests ?? []).flatMap((one) => one.name ?? []);
    const entries = new Set<string>();
    for (const one of names) for (const { id } of await importedModules(context, one)) entries.add(id);
    known.entries = [...entries];
  }
  const ids = new Set<string>();
  for (const entry of known.entries)
    for (const id of (await offeredNames(context, entry)).get(name) ?? [])
      if (parseId(id)?.form === 'file') ids.add(id);
  return (await context.nodesOf(File, [...ids])).filter(({ gone }) => !gone);
}

/**
 * What stands under names inside of modules or classes, as an importer writes them: what a module defines, re-exports or
 * imports; of a class its members, inherited ones included. Empty where one of the names leads nowhere.
 */
export async function membersOf(
  context: Look,
  owners: readonly Member[],
  names: readonly string[],
): Promise<Member[]> {
  let found: Member[] = [...owners];
  for (const name of names) {
    const next = new Map<string, Member>();
    for (const { id, archetype } of found) {
      const isFile = isA(archetype, File);
      const members = isFile
        ? await memberOfModule(context, id, name)
        : await memberOfSymbol(context, id, name);
      for (const member of members) next.set(member.id, member);
    }
    found = [...next.values()];
  }
  return found;
}

async function memberOfModule(context: Look, file: string, name: string): Promise<Member[]> {
  const found = await membersAmong(context, (await offeredNames(context, file)).get(name) ?? [], name);
  if (found.length > 0) return found;
  const own = (await topSymbols(context, file)).filter((one) => one.name === name);
  if (own.length > 0) return own;
  // What it imports under its name, without offering it.
  const { ids, leadTo } = await importEntries(context, file);
  const imports = await context.nodesOf(Import, ids);
  const imported = imports.flatMap(({ items }, at) =>
    items.includes(name) ? (leadTo[at] ?? []).map(({ far }) => far) : [],
  );
  return membersAmong(
    context,
    imported.filter((far) => lastNameOf(far) === name),
    name,
  );
}

/** The last name in an id: of a symbol its own, of a file that of its module inside its folder. */
function lastNameOf(id: string): string | undefined {
  const { name, path } = parseId(id) ?? {};
  return (name ?? path?.replace(/(?:\/__init__)?\.pyi?$/u, ''))?.split(/[./]/u).at(-1);
}

/** Of a package outside of the project what is known to be used of it under that name. */
async function membersAmong(context: Look, ids: readonly string[], name: string): Promise<Member[]> {
  const found: Member[] = [];
  for (const node of await context.nodes([...ids])) {
    if (node === undefined || node.gone) continue;
    if ([CodeSymbol, File, Unresolved].some((type) => isA(node.archetype, type))) found.push(node as Member);
    else if (isA(node.archetype, ExternalPackage))
      found.push(...(await context.find(Unresolved, { name, package: parseId(node.id)?.name ?? null })));
  }
  return found;
}

/** The members of that name that a class has, else those of its nearest bases that have one. */
async function memberOfSymbol({ q }: Look, symbol: string, name: string): Promise<Member[]> {
  const visited = new Set<string>();
  for (let classes = [symbol]; classes.length > 0; ) {
    for (const id of classes) visited.add(id);
    const members = await q(classes).out(SymbolContainsSymbol).of(CodeSymbol);
    const named = members.filter((one) => one.name === name);
    if (named.length > 0) return named;
    const bases = await q(classes).out(SymbolExtendsSymbol).of(CodeSymbol).ids();
    classes = bases.filter((id) => !visited.has(id));
  }
  return [];
}
