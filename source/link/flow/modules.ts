import { type FileModule, moduleSystem } from '../../modules/index.js';
import { directoryOf } from '../../resolution/file-path.js';
import { FollowedNames, type Way } from '../../resolution/followed-names.js';
import type { Remembered } from '../../resolution/lookups.js';
import type { Program } from '../../resolution/program.js';
import type { ResolutionKind } from '../../resolution/resolution.js';
import { type StarredFile, starFiles } from '../../resolution/star-names.js';
import type { Sym, UnitView } from '../unit-view.js';
import { definedAmong } from './scopes.js';
import { type ModuleValue, weaker } from './value.js';

/** What a name leads to by scopes and imports alone, without a look at values. */
export type Named =
  | { readonly kind: 'symbol'; readonly symbol: Sym; readonly via: ResolutionKind }
  | ModuleValue;

/** What names are looked up in: see `FlowContext`. */
export interface NameContext {
  readonly program: Program;
  /** The file that is resolved. */
  readonly home: UnitView;
  view(path: string): UnitView | null;
}

/** Names found before: by file and name, and by the binding of an import. */
class Found {
  readonly names: FollowedNames<Named>;
  readonly imports = new Map<string, Remembered<Named | null>>();

  constructor({ lookups }: Program) {
    this.names = new FollowedNames(lookups);
  }
}

const answers = new WeakMap<Program, Found>();

function foundIn(program: Program): Found {
  let known = answers.get(program);
  if (!known) {
    known = new Found(program);
    answers.set(program, known);
  }
  return known;
}

/**
 * What another file gets when it asks a file for a name: the file's own symbol, or what its imports and stars pass on,
 * followed to the end. Null when there is no such name, or when a circle never ends at a symbol.
 */
export function exportedName(ctx: NameContext, path: string, name: string): Named | null {
  return foundIn(ctx.program).names.answer((way) => followed(ctx, path, name, way));
}

/** What a name stands for that an import binds. */
export function importedName(ctx: NameContext, view: UnitView, binding: number): Named | null {
  const { imports, names } = foundIn(ctx.program);
  return ctx.program.lookups.remembered(imports, `${view.path}\0${binding}`, () =>
    names.answer((way) => imported(ctx, view, binding, way)),
  );
}

/** A member of a module or of a folder of modules. */
export function moduleMember(ctx: NameContext, owner: ModuleValue, name: string): Named | null {
  if (owner.kind === 'external') return externalMember(owner, name);
  const member =
    owner.kind === 'module' ? exportedName(ctx, owner.path, name) : located(below(ctx, owner.folder, name));
  return member && { ...member, via: weaker(member.via, owner.via) };
}

/** The member of something external, named with dots. */
function externalMember(owner: ModuleValue & { kind: 'external' }, name: string): ModuleValue {
  return { ...owner, name: owner.name === '' ? name : `${owner.name}.${name}` };
}

function followed(ctx: NameContext, path: string, name: string, way: Way): Named | null {
  const view = ctx.view(path);
  if (!view) return null;
  const { names } = foundIn(ctx.program);
  return names.follow(`${path}\0${name}`, way, (next) => nameOf(ctx, view, name, next));
}

function nameOf(ctx: NameContext, view: UnitView, name: string, way: Way): Named | null {
  const own = ownName(ctx, view, name, way);
  if (own) return own;
  // Of two stars with one name the later import is the one that stays.
  for (const file of starFiles(ctx.program, (path) => starred(ctx, path), view.path, name).reverse()) {
    const passed = followed(ctx, file, name, way);
    if (passed) return passed;
  }
  return view.rules.flow?.isPackageFile(view.path)
    ? located(below(ctx, directoryOf(view.path), name), true)
    : null;
}

/** A name at the top of a file: what is defined under it last, else what is imported under it. */
function ownName(ctx: NameContext, view: UnitView, name: string, way: Way): Named | null {
  const row = symbolsNamed(view, 0, name).at(-1);
  if (row !== undefined) return { kind: 'symbol', symbol: view.symbol(row), via: 'import' };
  for (const { table, row } of view.entries(0, name)) {
    if (table !== 'binding' || view.bindingKind(row) !== 'import') continue;
    const named = imported(ctx, view, row, way);
    if (named) return named;
  }
  return null;
}

/** The symbols that a bare name can mean in a scope, in source order; mere signatures only where there is nothing else. */
export function symbolsNamed(view: UnitView, scope: number, name: string): readonly number[] {
  const rows = view
    .entries(scope, name)
    .flatMap(({ table, row }) => (table === 'symbol' && !view.hasFlag(row, 'assigned') ? row : []));
  return rows.length < 2 ? rows : definedAmong(view, rows);
}

function imported(ctx: NameContext, view: UnitView, binding: number, way: Way): Named | null {
  const fact = view.facts.imports[view.unit.bindings.import[binding] ?? -1];
  if (!fact) return null;
  const local = view.bindingName(binding);
  const name = fact.names.find((one) => one.local === local);
  if (!name) return null;
  // `import a.b` binds `a`; `import a.b as m` binds the module itself.
  const [first = ''] = fact.module.split('.');
  const isWhole = name.imported === '*';
  const module = isWhole && local === first && first !== '' ? first : fact.module;
  const target = found(ctx, view.path, module);
  if (isWhole) return located(target) ?? externalName(module);
  if (!target) return externalName(module.endsWith('.') ? module : `${module}.${name.imported}`);
  if ('folder' in target) return located(below(ctx, target.folder, name.imported), true);
  return followed(ctx, target.file, name.imported, way);
}

/** The module of the project that an import names, seen from a file. */
function found({ program, home }: NameContext, from: string, module: string): FileModule | null {
  return moduleSystem(home.rules.modules).files.find(program.units.modules, from, module);
}

/** The module of a name in a folder. */
function below({ program, home }: NameContext, folder: string, name: string): FileModule | null {
  return moduleSystem(home.rules.modules).files.below(program.units.modules, folder, name);
}

function located(module: FileModule | null, onlyFile = false): ModuleValue | null {
  if (!module) return null;
  if ('file' in module) return { kind: 'module', path: module.file, via: 'import' };
  return onlyFile ? null : { kind: 'folder', folder: module.folder, via: 'import' };
}

function externalName(dotted: string): ModuleValue | null {
  if (dotted.startsWith('.')) return null;
  const [first = dotted, ...rest] = dotted.split('.');
  return { kind: 'external', package: first, name: rest.join('.'), via: 'import' };
}

/** The files that a file's stars name, in their order. */
function starred(ctx: NameContext, path: string): readonly StarredFile[] {
  const modules = ctx
    .view(path)
    ?.facts.imports.flatMap(({ module, names }) =>
      names.some(({ imported, local }) => imported === '*' && local === null) ? module : [],
    );
  return [...new Set(modules)].flatMap((module) => {
    const target = found(ctx, path, module);
    const view = target && 'file' in target ? ctx.view(target.file) : null;
    return view ? [{ file: view.path, own: offeredNames(view) }] : [];
  });
}

const namesOfViews = new WeakMap<UnitView, ReadonlySet<string>>();

/** What a star takes of a file: no names that begin with an underscore, but those that its list of exports names. */
function offeredNames(view: UnitView): ReadonlySet<string> {
  const known = namesOfViews.get(view);
  if (known) return known;
  const names = new Set(view.facts.exports.flatMap(({ name }) => (name === '*' ? [] : name)));
  for (const [name, entries] of view.scopeNames(0)) {
    const isOwn = entries.some(({ table, row }) => table === 'symbol' || view.bindingKind(row) === 'import');
    if (isOwn && !name.startsWith('_')) names.add(name);
  }
  names.delete('default');
  namesOfViews.set(view, names);
  return names;
}
