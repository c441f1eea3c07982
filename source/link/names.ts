import { LIMITS } from '../../schema/index.js';
import { type ModuleSystem, moduleSystem } from '../modules/index.js';
import { append } from '../resolution/module-table.js';
import type { Accepts, LinkContext, Space } from './context.js';
import { entryThing, isOf, isTypeSymbol, libraryThing, meant } from './entries.js';
import { openName } from './open-types.js';
import { wholeOf } from './parts.js';
import { inModule, inStars, outsideOfModules, placeAround, wordThing } from './paths.js';
import { folderKey } from './places.js';
import { nearest, programSymbols } from './programs.js';
import { NOTHING, type Thing, type Type } from './types.js';
import { type Entry, isSeen, MOST_SCOPES, type Sym, type UnitView } from './unit-view.js';

/** What a name means at a place: the scopes around it, the file, its package, imports of everything, the language. */
export function lookUp(
  ctx: LinkContext,
  view: UnitView,
  scope: number,
  name: string,
  at: number,
  space: Space,
  accepts: Accepts = () => true,
): Thing {
  const { rules } = view;
  if (rules.package === 'open') return openName(ctx, view, scope, name, at, space);
  const word = space === 'type' && rules.paths ? wordThing(ctx, placeAround(view, scope), name) : null;
  if (word) return word;
  // What an unknown base may have gives way to a type that is known.
  let possible: Thing = NOTHING;
  const isApart = rules.namespaces === 'apart' || rules.namespaces === 'terms';
  for (const one of isApart ? spacesOf(space) : [space]) {
    const found = inScopes(ctx, view, scope, name, at, one, accepts);
    if (found.is === 'external' && possible.is === 'unknown') possible = found;
    else if (found.is !== 'unknown') return found;
  }
  if (possible.is !== 'unknown') return possible;
  if (rules.outerPackages && space !== 'call') {
    const known = outerNames(view.written).map((outer) => (outer === '' ? name : `${outer}.${name}`));
    const found = known.find((one) => projectPackages(ctx, view, one).length > 0);
    return { is: 'package', key: null, name: found ?? name };
  }
  if (rules.package !== 'written' || space === 'call' || !/^[a-z]\w*$/.test(name)) return NOTHING;
  if (rules.namespaces !== 'terms') return { is: 'package', key: null, name };
  // A package is called by its last name in those around it.
  const inner = outerNames(view.written).map((outer) => (outer === '' ? name : `${outer}.${name}`));
  const found = inner.find((one) => projectPackages(ctx, view, one).length > 0);
  return { is: 'package', key: null, name: found ?? name };
}

/** Where namespaces are apart a name in an expression is a variable, else a type. */
function spacesOf(space: Space): readonly Space[] {
  return space === 'value' || space === 'term' ? [space, 'type'] : [space];
}

function inScopes(
  ctx: LinkContext,
  view: UnitView,
  scope: number,
  name: string,
  at: number,
  space: Space,
  accepts: Accepts,
): Thing {
  let current = scope;
  const isMeant = (thing: Thing) => thing.is !== 'unknown' && accepts(thing);
  // What a type may have from a base of elsewhere that is not known gives way to what is known farther out.
  let possible: Thing = NOTHING;
  for (let depth = 0; current > 0 && depth < MOST_SCOPES; depth += 1) {
    if (view.scopeKind(current) === 'module') break;
    const found = inScope(ctx, view, current, name, at, space);
    if (found.is === 'external') {
      if (possible.is === 'unknown') possible = found;
    } else if (isMeant(found)) return found;
    const extension = view.rules.membersInScope ? view.extensionAt(current) : -1;
    if (extension >= 0) {
      const members = ctx.members(view, ctx.extended(view, extension), name, space);
      const own = ctx.memberThing(members, view, 'exact');
      if (isMeant(own) && own.is !== 'external') return own;
    }
    if (view.rules.paths) {
      const starred = inStars(ctx, view, current, name, space);
      if (starred.is !== 'unknown') return starred;
    }
    if (view.rules.namespaces === 'terms') {
      const brought = broughtInto(ctx, view, current, name, space, at);
      if (brought.is !== 'unknown') return brought;
    }
    current = view.unit.scopes.parent[current] ?? -1;
  }
  if (view.rules.paths) {
    const inside = inModule(ctx, placeAround(view, current), name, space);
    return inside.is === 'unknown' ? outsideOfModules(ctx, view, name, space) : inside;
  }
  const outside = inFile(ctx, view, name, space, at, accepts);
  if (outside.is !== 'unknown') return outside;
  const behind = view.rules.package === 'library' ? inherited(ctx, view, scope, name, space) : NOTHING;
  return behind.is === 'unknown' ? possible : behind;
}

/** Of a language where what a type has from others gives way to all that is around it: a member of the types around a scope. */
function inherited(ctx: LinkContext, view: UnitView, scope: number, name: string, space: Space): Thing {
  let current = scope;
  for (let depth = 0; current > 0 && depth < MOST_SCOPES; depth += 1) {
    const owner = view.scopeKind(current) === 'type' ? (view.unit.scopes.symbol[current] ?? -1) : -1;
    const members = owner < 0 ? [] : ctx.members(view, selfType(view.symbol(owner)), name, space);
    const found = ctx.memberThing(members, view, 'exact');
    if (found.is !== 'unknown') return found;
    current = view.unit.scopes.parent[current] ?? -1;
  }
  return NOTHING;
}

function inScope(
  ctx: LinkContext,
  view: UnitView,
  scope: number,
  name: string,
  at: number,
  space: Space,
): Thing {
  const kind = view.scopeKind(scope);
  if (kind === 'type') return inTypeBody(ctx, view, scope, name, space, at);
  const found = entryThing(ctx, view, view.entries(scope, name), at, space);
  if (found.is !== 'unknown' || view.rules.package !== 'program') return found;
  if (kind === 'namespace') {
    const path = `${view.namespaceOf(scope) ?? ''}${name}`;
    const inOthers = ctx.packageMember(view, view.packageKey, path, space);
    if (inOthers.is !== 'unknown') return inOthers;
    const inner = namespaceThing(ctx, view, path);
    if (inner.is !== 'unknown') return inner;
  }
  const brought = broughtInto(ctx, view, scope, name, space);
  return brought.is === 'unknown' && kind === 'function'
    ? ofReceiver(ctx, view, scope, name, space)
    : brought;
}

/** What the imports of a scope that bring all names bring under one: `using namespace a`. */
function broughtInto(
  ctx: LinkContext,
  view: UnitView,
  scope: number,
  name: string,
  space: Space,
  at = Infinity,
): Thing {
  const { bindings } = view.unit;
  for (const row of view.starsIn(scope)) {
    if ((bindings.from[row] ?? 0) > at) continue;
    const owner = ctx.thing(view, bindings.value[row] ?? -1);
    const isWritten = view.rules.package === 'written' && (owner.is === 'package' || owner.is === 'unknown');
    const found = isWritten
      ? starMember(ctx, view, row, name, space, owner.is === 'package' ? owner.name : null)
      : ctx.memberOf(view, owner, name, space);
    if (found.is !== 'unknown' && found.is !== 'external') return found;
  }
  return NOTHING;
}

/** A name in a function that is declared a member of a type elsewhere than in it: of that type, and of the types around that. */
function ofReceiver(ctx: LinkContext, view: UnitView, scope: number, name: string, space: Space): Thing {
  const receiver = view.unit.symbols.receiver[view.unit.scopes.symbol[scope] ?? -1] ?? -1;
  if (receiver < 0 || !view.rules.membersInScope) return NOTHING;
  const type = ctx.type(view, receiver);
  if (type.kind !== 'named') return NOTHING;
  const { view: other, row } = type.symbol;
  let at = other.unit.symbols.body[row] ?? -1;
  for (let depth = 0; at > 0 && other.scopeKind(at) === 'type' && depth < MOST_SCOPES; depth += 1) {
    const found = inTypeBody(ctx, other, at, name, space, Infinity);
    if (found.is !== 'unknown') return found;
    at = other.unit.scopes.parent[at] ?? -1;
  }
  return NOTHING;
}

/** A namespace of the program under its path, or one of the library. */
export function namespaceThing(ctx: LinkContext, view: UnitView, path: string): Thing {
  const key = view.packageKey;
  if (ctx.units.named(`${key}#${path}::`).length > 0) return { is: 'package', key, name: path };
  // What is included from a folder that the project lacks is of the namespace of that name, most often.
  const isOutside = view.facts.imports.some(({ module }) => module.slice(1).startsWith(`${path}/`));
  return isOutside || ctx.library(view).has(path) ? { is: 'package', key: null, name: path } : NOTHING;
}

/** A name inside of a type: its type parameters, and where its language has it so its members. */
function inTypeBody(
  ctx: LinkContext,
  view: UnitView,
  scope: number,
  name: string,
  space: Space,
  at: number,
): Thing {
  const isParameter = ({ table, row }: Entry) =>
    table === 'binding' && view.bindingKind(row) === 'type parameter';
  const entries = view.entries(scope, name);
  // What the head of a type is given is seen where its members get their first values.
  const given = entries.find(
    ({ table, row }) => table === 'binding' && ['parameter', 'receiver'].includes(view.bindingKind(row)),
  );
  if (given && space !== 'type') return ctx.bindingThing(view, given.row, space);
  const parameter = space === 'call' ? undefined : entries.find(isParameter);
  if (parameter) return ctx.bindingThing(view, parameter.row, space);
  const owner = view.unit.scopes.symbol[scope] ?? -1;
  if (!view.rules.membersInScope || owner < 0) return NOTHING;
  const members = ctx.members(view, selfType(view.symbol(owner)), name, space);
  const isOwn =
    view.rules.package !== 'library' || members.some((one) => one.kind === 'symbol' && !one.inherited);
  const found = isOwn ? ctx.memberThing(members, view, 'exact') : NOTHING;
  if (view.rules.namespaces !== 'terms' || (found.is !== 'unknown' && found.is !== 'external')) return found;
  const imports = entries.filter(
    ({ table, row }) => table === 'binding' && view.bindingKind(row) === 'import',
  );
  const imported = entryThing(ctx, view, imports, at, space);
  return imported.is === 'unknown' ? found : imported;
}

/** A type as it is inside of itself: its arguments are its own parameters. */
export function selfType(symbol: Sym): Type {
  const { view, row } = symbol;
  const args = view
    .bindingsOf(row, 'type parameter')
    .map((binding): Type => ({ kind: 'parameter', id: parameterId(view, binding), bound: null }));
  return { kind: 'named', symbol, args };
}

/** What a type parameter is known by. */
export function parameterId(view: UnitView, binding: number): string {
  return `${view.path}#${binding}`;
}

/** A name at the top: of the file, of its package, of what is imported as a whole, of the language. */
function inFile(
  ctx: LinkContext,
  view: UnitView,
  name: string,
  space: Space,
  at: number,
  accepts: Accepts,
): Thing {
  const { rules } = view;
  const isMeant = (thing: Thing) => thing.is !== 'unknown' && accepts(thing);
  const isTerms = rules.namespaces === 'terms';
  let own = entryThing(ctx, view, view.entries(0, name), isTerms ? at : Infinity, space);
  if (rules.package === 'library') return own.is === 'unknown' ? ctx.inLibrary(view, name, space) : own;
  // What the file says comes before what other files of its package have.
  if (isTerms && own.is === 'unknown') own = broughtInto(ctx, view, 0, name, space, at);
  const found = isMeant(own) ? own : ctx.packageMember(view, view.packageKey, name, space);
  if (isMeant(found)) {
    // A macro that stands for a function of the library does so under a condition, most often.
    const known = isMacro(found) ? libraryThing(ctx, view, '', name, space) : NOTHING;
    return known.is === 'unknown' ? found : known;
  }
  if (rules.package === 'program') {
    const brought = broughtInto(ctx, view, 0, name, space);
    if (brought.is !== 'unknown') return brought;
    const namespace = namespaceThing(ctx, view, name);
    if (namespace.is !== 'unknown') return namespace;
  }
  for (const outer of rules.outerPackages ? outerNames(view.written).slice(1) : []) {
    const far = ctx.packageMember(view, `${rules.modules}:${outer}`, name, space);
    if (far.is !== 'unknown') return far;
  }
  for (const binding of view.bindingsIn(0)) {
    if (view.bindingKind(binding) !== 'import' || rules.package === 'program' || isTerms) continue;
    const thing = view.bindingHas(binding, 'star')
      ? starMember(ctx, view, binding, name, space)
      : namedByItself(ctx, view, binding, name);
    if (isMeant(thing)) return thing;
  }
  for (const implicit of rules.implicitImports) {
    const [key = ''] = moduleSystem(rules.modules).packageKeys(ctx.units.modules, view.path, implicit);
    const found = ctx.packageMember(view, key, name, space);
    if (isMeant(found)) return found;
    const external = libraryThing(ctx, view, implicit, name, space);
    if (isMeant(external)) return external;
  }
  return libraryThing(ctx, view, '', name, space);
}

function isMacro(thing: Thing): boolean {
  const isOne = ({ symbol }: { readonly symbol: Sym | null }) =>
    symbol?.view.hasFlag(symbol.row, 'macro') ?? false;
  return thing.is === 'function' && thing.callables.every(isOne);
}

/** A package and those that its name begins with, the nearest first; '' is the last. */
function outerNames(written: string): string[] {
  const names: string[] = [];
  for (let name = written; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.'))))
    names.push(name);
  return [...names, ''];
}

/** The packages whose names a file sees: its own with those around it, and those that it imports as a whole. */
export function seenPackages(view: UnitView): string[] {
  const { bindings } = view.unit;
  const imported = view.bindingsIn(0).flatMap((row) => {
    const fact = view.facts.imports[bindings.import[row] ?? -1];
    return fact && view.bindingHas(row, 'star') ? fact.module : [];
  });
  return [...(view.rules.outerPackages ? outerNames(view.written) : [view.written]), ...imported];
}

/** An import whose binding has another name than the package has that it leads to. */
function namedByItself(ctx: LinkContext, view: UnitView, binding: number, name: string): Thing {
  if (view.rules.package !== 'folder') return NOTHING;
  const fact = view.facts.imports[view.unit.bindings.import[binding] ?? -1];
  if (!fact || !isUnaliased(fact)) return NOTHING;
  const thing = ctx.bindingThing(view, binding, 'value');
  return thing.is === 'package' && thing.key?.endsWith(`:${name}`) ? thing : NOTHING;
}

/** Whether the name of an import was made from its path. */
function isUnaliased({
  module,
  names,
}: {
  module: string;
  names: readonly { local: string | null }[];
}): boolean {
  const local = names[0]?.local;
  return local != null && module.includes(local);
}

/** What an import of everything brings under a name: of a package, or of a type its static members. */
function starMember(
  ctx: LinkContext,
  view: UnitView,
  binding: number,
  name: string,
  space: Space,
  named: string | null = null,
): Thing {
  const module = named ?? view.facts.imports[view.unit.bindings.import[binding] ?? -1]?.module;
  if (module === undefined) return NOTHING;
  const found = importedName(ctx, view, module, name, space);
  if (found.is !== 'unknown') return found;
  const inPackage = moduleSystem(view.rules.modules).packageOf(module);
  if (view.bindingHas(binding, 'static') && inPackage === module) {
    const cut = module.lastIndexOf('.');
    const owner = typeNamed(ctx, view, module.slice(0, Math.max(0, cut)), [module.slice(cut + 1)]);
    return owner ? ctx.memberThing(ctx.members(view, owner, name, space), view, 'import') : NOTHING;
  }
  return inPackage === module ? libraryThing(ctx, view, inPackage, name, space) : NOTHING;
}

/** What is imported under a name from a module: a package, a type with types or static members in it. Nothing where the project has none. */
export function importedName(
  ctx: LinkContext,
  view: UnitView,
  module: string,
  name: string,
  space: Space,
): Thing {
  for (const key of projectPackages(ctx, view, module)) {
    const found = ctx.packageMember(view, key, name, space);
    if (found.is !== 'unknown') return found;
  }
  const system = moduleSystem(view.rules.modules);
  const inPackage = system.packageOf(module);
  if (inPackage === module) return NOTHING;
  const names = module.slice(inPackage.length === 0 ? 0 : inPackage.length + 1).split('.');
  const owner = typeNamed(ctx, view, inPackage, names);
  if (!owner) return NOTHING;
  return ctx.memberThing(ctx.members(view, owner, name, space), view, 'import');
}

/** A type of a package, or a type in a type. */
function typeNamed(
  ctx: LinkContext,
  view: UnitView,
  inPackage: string,
  names: readonly string[],
): Type | null {
  const [first = '', ...inner] = names;
  let type: Type | null = null;
  for (const key of projectPackages(ctx, view, inPackage)) {
    const found = ctx.packageMember(view, key, first, 'type');
    if (found.is === 'type') type = found.type;
  }
  if (!type)
    return ctx.library(view).type(inPackage, names.join('.'))
      ? { kind: 'external', package: inPackage, name: names.join('.'), args: [] }
      : null;
  for (const name of inner) {
    const found = ctx.memberThing(ctx.members(view, type, name, 'type'), view, 'import');
    if (found.is !== 'type') return null;
    type = found.type;
  }
  return type;
}

/** What a name is that is written with all of its package. What the project has no package of is of elsewhere. */
export function fullName(
  ctx: LinkContext,
  view: UnitView,
  inPackage: string,
  name: string,
  space: Space,
): Thing {
  const keys = projectPackages(ctx, view, inPackage);
  for (const key of keys) {
    const found = ctx.packageMember(view, key, name, space);
    if (found.is !== 'unknown') return found;
  }
  const known = libraryThing(ctx, view, inPackage, name, space);
  if (known.is !== 'unknown' || inPackage === '' || keys.length > 0) return known;
  return space === 'type'
    ? { is: 'type', type: { kind: 'external', package: inPackage, name, args: [] }, via: 'import' }
    : { is: 'external', package: inPackage, name };
}

/** The packages of the project that a module names: of a folder those that can be imported. */
export function projectPackages(ctx: LinkContext, view: UnitView, module: string): readonly string[] {
  const { units } = ctx;
  const { rules } = view;
  for (const key of moduleSystem(rules.modules).packageKeys(units.modules, view.path, module)) {
    const found = units.files(rules.package === 'folder' ? folderKey(key) : key);
    if (found.length === 0) continue;
    if (rules.package !== 'folder') return [key];
    const importable = found.filter((one) => !one.endsWith('_test'));
    const others = importable.filter((one) => !one.endsWith(':main'));
    const keys = others.length > 0 ? others : importable;
    if (keys.length === 1) return keys;
  }
  return [];
}

/** The symbols of a package under a name: of several files the nearest to the one that asks, tests only for tests. */
export function packageSymbols(
  ctx: LinkContext,
  from: UnitView,
  key: string,
  name: string,
  space: Space,
): Sym[] {
  if (from.rules.package === 'program') return programSymbols(ctx, from, key, name, space);
  const named = ctx.units.named(`${key}#${name}`);
  const { moduleOf } = moduleSystem(from.rules.modules);
  const files = moduleOf ? inSeenModules(ctx, from, named, moduleOf) : nearest(from.path, named);
  const all: Sym[] = [];
  for (const view of files.slice(0, LIMITS.ancestors.max).flatMap((path) => ctx.view(path) ?? [])) {
    for (const { table, row } of view.entries(0, name)) {
      if (table !== 'symbol') continue;
      const symbol = view.symbol(row);
      if (!isSeen(from, symbol)) continue;
      const { namespaces } = view.rules;
      if ((namespaces !== 'apart' && namespaces !== 'terms') || isOf(symbol, space)) all.push(symbol);
    }
  }
  const found = ofBuild(from, all);
  if (found.length === 0 && space === 'type' && from.rules.namespaces !== 'terms')
    return objectsNamed(ctx, files, name);
  if (space === 'term') return [...meant(found, space)];
  return found.length < 2 ? [...found] : [...new Set(found.map((one) => wholeOf(ctx, one)))];
}

/** The objects of a name, which other languages take for classes. */
function objectsNamed(ctx: LinkContext, files: readonly string[], name: string): Sym[] {
  return files.flatMap((path) => {
    const view = ctx.view(path);
    return view
      ? view.entries(0, name).flatMap(({ table, row }) => {
          return table === 'symbol' && view.hasFlag(row, 'singleton') ? view.symbol(row) : [];
        })
      : [];
  });
}

/** Of files of all modules those of the module of a file, else of those that it imports. */
function inSeenModules(
  ctx: LinkContext,
  from: UnitView,
  files: readonly string[],
  moduleOf: NonNullable<ModuleSystem['moduleOf']>,
): readonly string[] {
  const { modules } = ctx.units;
  const own = moduleOf(modules, from.path);
  const inOwn = files.filter((path) => moduleOf(modules, path) === own);
  if (inOwn.length > 0) return own === null ? nearest(from.path, inOwn) : inOwn;
  const imported = new Set(from.facts.imports.map(({ module }) => module));
  return files.filter((path) => imported.has(moduleOf(modules, path) ?? ''));
}

/**
 * Of definitions of one name that several builds have, each for itself, those that a build takes without being asked to, if there
 * are any; for a file that is itself of another build the one that declares the name.
 */
export function ofBuild(from: UnitView, symbols: readonly Sym[]): readonly Sym[] {
  const isOther = ({ view, row }: Sym) => view.isOfOtherBuild(row);
  if (symbols.length < 2 || !symbols.some(isOther)) return symbols;
  const same = new Map<string, Sym[]>();
  for (const symbol of symbols) {
    const { view, row } = symbol;
    const { parameters = [] } = view.facts.definitions[row] ?? {};
    const isOverload = view.rules.overloads && !isTypeSymbol(symbol);
    const types = isOverload ? parameters.map(({ type }) => type) : [];
    append(same, [view.packageKey, ...types].join(), symbol);
  }
  return [...same.values()].flatMap((each) => {
    const paths = new Set(each.map(({ view }) => view.path));
    const near = nearest(from.path, [...paths]);
    const found = each.filter(({ view }) => near.includes(view.path));
    const declared = from.isAsked ? found.filter(({ view, row }) => view.hasFlag(row, 'perBuild')) : [];
    const usual = found.filter((one) => !isOther(one));
    return found.length < 2 ? found : declared.length > 0 ? declared : usual.length > 0 ? usual : found;
  });
}
