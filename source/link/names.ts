import { LIMITS } from '../../schema/index.js';
import { isTestPath } from '../languages/test-path.js';
import { chosenInclude, moduleSystem } from '../modules/index.js';
import { directoryOf, sharedFolders } from '../resolution/file-path.js';
import type { LinkContext, Space } from './context.js';
import { entryThing, isOf, isStar, isTypeSymbol, libraryThing, written } from './entries.js';
import { wholeOf } from './parts.js';
import { inModule, inStars, outsideOfModules, placeAround, wordThing } from './paths.js';
import { fileKey, folderKey, includerKey } from './places.js';
import { NOTHING, type Thing, type Type } from './types.js';
import { sameWritten } from './unified.js';
import { type Entry, MOST_SCOPES, type Sym, type UnitView } from './unit-view.js';

/** What a name means at a place: the scopes around it, the file, its package, imports of everything, the language. */
export function lookUp(
  ctx: LinkContext,
  view: UnitView,
  scope: number,
  name: string,
  at: number,
  space: Space,
): Thing {
  const { rules } = view;
  const word = space === 'type' && rules.paths ? wordThing(ctx, placeAround(view, scope), name) : null;
  if (word) return word;
  // What an unknown base may have gives way to a type that is known.
  let possible: Thing = NOTHING;
  for (const one of rules.namespaces === 'apart' ? spacesOf(space) : [space]) {
    const found = inScopes(ctx, view, scope, name, at, one);
    if (found.is === 'external' && possible.is === 'unknown') possible = found;
    else if (found.is !== 'unknown') return found;
  }
  if (possible.is !== 'unknown') return possible;
  if (rules.outerPackages && space !== 'call') {
    const known = outerNames(view.written).map((outer) => (outer === '' ? name : `${outer}.${name}`));
    const found = known.find((one) => projectPackages(ctx, view, one).length > 0);
    return { is: 'package', key: null, name: found ?? name };
  }
  return rules.package === 'written' && space !== 'call' && /^[a-z]\w*$/.test(name)
    ? { is: 'package', key: null, name }
    : NOTHING;
}

/** Where namespaces are apart a name in an expression is a variable, else a type. */
function spacesOf(space: Space): readonly Space[] {
  return space === 'value' ? ['value', 'type'] : [space];
}

function inScopes(
  ctx: LinkContext,
  view: UnitView,
  scope: number,
  name: string,
  at: number,
  space: Space,
): Thing {
  let current = scope;
  // What a type may have from a base of elsewhere that is not known gives way to what is known farther out.
  let possible: Thing = NOTHING;
  for (let depth = 0; current > 0 && depth < MOST_SCOPES; depth += 1) {
    if (view.scopeKind(current) === 'module') break;
    const found = inScope(ctx, view, current, name, at, space);
    if (found.is === 'external') {
      if (possible.is === 'unknown') possible = found;
    } else if (found.is !== 'unknown') return found;
    const extension = view.rules.membersInScope ? view.extensionAt(current) : -1;
    if (extension >= 0) {
      const members = ctx.members(view, ctx.extended(view, extension), name, space);
      const own = ctx.memberThing(members, view, 'exact');
      if (own.is !== 'unknown' && own.is !== 'external') return own;
    }
    if (view.rules.paths) {
      const starred = inStars(ctx, view, current, name, space);
      if (starred.is !== 'unknown') return starred;
    }
    current = view.unit.scopes.parent[current] ?? -1;
  }
  if (view.rules.paths) {
    const inside = inModule(ctx, placeAround(view, current), name, space);
    return inside.is === 'unknown' ? outsideOfModules(ctx, view, name, space) : inside;
  }
  const outside = inFile(ctx, view, name, space);
  return outside.is === 'unknown' ? possible : outside;
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
  if (kind === 'type') return inTypeBody(ctx, view, scope, name, space);
  const found = entryThing(ctx, view, view.entries(scope, name), at, space);
  if (found.is !== 'unknown' || view.rules.package !== 'program') return found;
  if (kind === 'namespace') {
    const path = `${view.namespaceOf(scope) ?? ''}${name}`;
    const inOthers = ctx.packageMember(view, ownPackage(view), path, space);
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
function broughtInto(ctx: LinkContext, view: UnitView, scope: number, name: string, space: Space): Thing {
  for (const row of view.starsIn(scope)) {
    const owner = ctx.thing(view, view.unit.bindings.value[row] ?? -1);
    const found = ctx.memberOf(view, owner, name, space);
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
    const found = inTypeBody(ctx, other, at, name, space);
    if (found.is !== 'unknown') return found;
    at = other.unit.scopes.parent[at] ?? -1;
  }
  return NOTHING;
}

/** A namespace of the program under its path, or one of the library. */
export function namespaceThing(ctx: LinkContext, view: UnitView, path: string): Thing {
  const key = ownPackage(view);
  if (ctx.units.named(`${key}#${path}::`).length > 0) return { is: 'package', key, name: path };
  // What is included from a folder that the project lacks is of the namespace of that name, most often.
  const isOutside = view.facts.imports.some(({ module }) => module.slice(1).startsWith(`${path}/`));
  return isOutside || ctx.library(view).has(path) ? { is: 'package', key: null, name: path } : NOTHING;
}

/** A name inside of a type: its type parameters, and where its language has it so its members. */
function inTypeBody(ctx: LinkContext, view: UnitView, scope: number, name: string, space: Space): Thing {
  const isParameter = ({ table, row }: Entry) =>
    table === 'binding' && view.bindingKind(row) === 'type parameter';
  const entries = view.entries(scope, name);
  // What the head of a type is given is seen where its members get their first values.
  const given = entries.find(
    ({ table, row }) => table === 'binding' && view.bindingKind(row) === 'parameter',
  );
  if (given && space !== 'type') return ctx.bindingThing(view, given.row, space);
  const parameter = space === 'call' ? undefined : entries.find(isParameter);
  if (parameter) return ctx.bindingThing(view, parameter.row, space);
  const owner = view.unit.scopes.symbol[scope] ?? -1;
  if (!view.rules.membersInScope || owner < 0) return NOTHING;
  const members = ctx.members(view, selfType(view.symbol(owner)), name, space);
  return ctx.memberThing(members, view, 'exact');
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
function inFile(ctx: LinkContext, view: UnitView, name: string, space: Space): Thing {
  const { rules } = view;
  const own = entryThing(ctx, view, view.entries(0, name), Infinity, space);
  const found = own.is === 'unknown' ? ctx.packageMember(view, ownPackage(view), name, space) : own;
  if (found.is !== 'unknown') {
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
    if (view.bindingKind(binding) !== 'import' || rules.package === 'program') continue;
    const thing = isStar(view, binding)
      ? starMember(ctx, view, binding, name, space)
      : namedByItself(ctx, view, binding, name);
    if (thing.is !== 'unknown') return thing;
  }
  for (const implicit of rules.implicitImports) {
    const [key = ''] = moduleSystem(rules.modules).packageKeys(ctx.units.modules, view.path, implicit);
    const found = ctx.packageMember(view, key, name, space);
    if (found.is !== 'unknown') return found;
    const external = libraryThing(ctx, view, implicit, name, space);
    if (external.is !== 'unknown') return external;
  }
  return libraryThing(ctx, view, '', name, space);
}

function isMacro(thing: Thing): boolean {
  const isOne = ({ symbol }: { readonly symbol: Sym | null }) =>
    symbol?.view.hasFlag(symbol.row, 'macro') ?? false;
  return thing.is === 'function' && thing.callables.every(isOne);
}

function ownPackage(view: UnitView): string {
  const { rules, path } = view;
  if (rules.package === 'file') return `${rules.modules}:${path}`;
  if (rules.package === 'written') return `${rules.modules}:${view.written}`;
  if (rules.package === 'program') return `${rules.modules}:`;
  return `${rules.modules}:${path.slice(0, Math.max(0, path.lastIndexOf('/')))}:${view.written}`;
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
    return fact && isStar(view, row) ? fact.module : [];
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
function starMember(ctx: LinkContext, view: UnitView, binding: number, name: string, space: Space): Thing {
  const fact = view.facts.imports[view.unit.bindings.import[binding] ?? -1];
  if (!fact) return NOTHING;
  const found = importedName(ctx, view, fact.module, name, space);
  if (found.is !== 'unknown') return found;
  const inPackage = moduleSystem(view.rules.modules).packageOf(fact.module);
  if (((view.unit.bindings.flags[binding] ?? 0) & 8) !== 0 && inPackage === fact.module) {
    const cut = fact.module.lastIndexOf('.');
    const owner = typeNamed(ctx, view, fact.module.slice(0, Math.max(0, cut)), [fact.module.slice(cut + 1)]);
    return owner ? ctx.memberThing(ctx.members(view, owner, name, space), view, 'import') : NOTHING;
  }
  return inPackage === fact.module ? libraryThing(ctx, view, inPackage, name, space) : NOTHING;
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
  const files = nearest(from.path, ctx.units.named(`${key}#${name}`));
  const found: Sym[] = [];
  for (const view of built(files.slice(0, LIMITS.ancestors.max).flatMap((path) => ctx.view(path) ?? []))) {
    for (const { table, row } of view.entries(0, name)) {
      if (table !== 'symbol') continue;
      const symbol = view.symbol(row);
      if (view.rules.namespaces !== 'apart' || isOf(symbol, space)) found.push(symbol);
    }
  }
  return found.length < 2 ? found : [...new Set(found.map((one) => wholeOf(ctx, one)))];
}

/**
 * The symbols that a file sees under a name: of the files that it includes. A type that these only declare is the one
 * of that name; of a variable that several declare one is enough.
 */
function programSymbols(ctx: LinkContext, from: UnitView, key: string, name: string, space: Space): Sym[] {
  const files = ctx.units.named(`${key}#${name}`);
  if (files.length === 0) return [];
  let seen = seenIn(ctx, ctx.included(from), files, name, space);
  // What a file needs that it does not include itself those bring that include it.
  if (seen.length === 0)
    for (const other of includersOf(ctx, from))
      seen = [...new Set([...seen, ...seenIn(ctx, ctx.included(other), files, name, space)])];
  if (seen.length > 0) {
    const isVariable = seen.every((one) => !isTypeSymbol(one) && !isOf(one, 'call'));
    return isVariable ? seen.flatMap((one) => ctx.definitions(one)).slice(0, 1) : seen;
  }
  return space === 'type' ? symbolsOf(ctx, nearest(from.path, files), name, space) : [];
}

function seenIn(
  ctx: LinkContext,
  included: ReadonlySet<string>,
  files: readonly string[],
  name: string,
  space: Space,
): Sym[] {
  const seen = files.filter((path) => included.has(path));
  return symbolsOf(ctx, seen, name, space);
}

/** Files that include another one of which as many are looked at. */
const MOST_INCLUDERS = 8;

function includersOf(ctx: LinkContext, { path }: UnitView): UnitView[] {
  const found: UnitView[] = [];
  for (const one of ctx.units.files(includerKey(ctx.own.rules.modules, path))) {
    const view = found.length < MOST_INCLUDERS ? ctx.view(one) : null;
    if (view?.facts.imports.some(({ module }) => includedFile(ctx, one, module) === path)) found.push(view);
  }
  return found;
}

/** The symbols of files under a name: types where these are asked for, else only where there is nothing else. */
function symbolsOf(ctx: LinkContext, files: readonly string[], name: string, space: Space): Sym[] {
  const all = written(
    files.slice(0, LIMITS.ancestors.max).flatMap((path) => ctx.view(path)?.top(name) ?? []),
  );
  const fitting = all.filter((one) => isTypeSymbol(one) === (space === 'type'));
  return fitting.length > 0 || space === 'type' ? fitting : all;
}

/** Files that one file is followed through to what it includes. */
const MOST_INCLUDED = 4096;

/** The file and all that it includes, and what these include. */
export function includedBy(ctx: LinkContext, view: UnitView): ReadonlySet<string> {
  const found = new Set([view.path]);
  for (const path of found) {
    const one = found.size > MOST_INCLUDED ? null : ctx.view(path);
    for (const { module } of one?.facts.imports ?? []) {
      const file = includedFile(ctx, path, module);
      if (file !== null) found.add(file);
    }
  }
  return found;
}

/** The file of the project that an include names; null for one of elsewhere. */
export function includedFile(ctx: LinkContext, from: string, module: string): string | null {
  const { rules } = ctx.own;
  return chosenInclude(from, module, ctx.units.files(fileKey(rules.modules, module.replace(/[<>"]/g, ''))));
}

/**
 * What is defined elsewhere under the name that a symbol declares: in its file, else in those that include it, else in
 * the nearest. The symbol itself where nothing is, or where it is no declaration.
 */
export function definitionsOf(ctx: LinkContext, symbol: Sym): readonly Sym[] {
  const { view, row } = symbol;
  if (!view.isDeclaration(row)) return [symbol];
  const name = view.topName(row);
  if (name === null) return memberDefinitions(ctx, symbol);
  const isDefinition = (one: Sym) =>
    !one.view.isDeclaration(one.row) && isOf(one, 'call') === isOf(symbol, 'call') && !isTypeSymbol(one);
  const own = view.top(name).filter(isDefinition);
  if (own.length > 0 || view.hasFlag(row, 'static')) return own.length > 0 ? own : [symbol];
  const files = ctx.units.named(`${ownPackage(view)}#${name}`);
  const defining = files.slice(0, LIMITS.ancestors.max).filter((path) =>
    ctx
      .view(path)
      ?.top(name)
      .some((one) => isDefinition(one) && !one.view.hasFlag(one.row, 'static')),
  );
  const including = defining.filter((path) => {
    const other = defining.length > 1 ? ctx.view(path) : null;
    return other !== null && ctx.included(other).has(view.path);
  });
  const found = nearest(view.path, including.length > 0 ? including : defining).flatMap(
    (path) => ctx.view(path)?.top(name).filter(isDefinition) ?? [],
  );
  return found.length > 0 ? fittingDefinitions(symbol, found) : [symbol];
}

/** The types of a name that a file only declares. */
export function completeTypes(ctx: LinkContext, { view, row }: Sym): readonly Sym[] {
  const name = view.topName(row) ?? '';
  const isComplete = (one: Sym) => isTypeSymbol(one) && !one.view.isDeclaration(one.row);
  const files = ctx.units.named(`${ownPackage(view)}#${name}`).slice(0, LIMITS.ancestors.max);
  const having = files.filter((path) => ctx.view(path)?.top(name).some(isComplete));
  return nearest(view.path, having).flatMap((path) => ctx.view(path)?.top(name).filter(isComplete) ?? []);
}

/** What is defined elsewhere of a member that a type declares. */
function memberDefinitions(ctx: LinkContext, symbol: Sym): readonly Sym[] {
  const { view, row } = symbol;
  const owner = view.typeAround(view.unit.symbols.scope[row] ?? -1);
  if (owner < 0) return [symbol];
  const [type, name] = [view.symbolName(owner), view.symbolName(row)];
  const found: Sym[] = [];
  for (const path of ctx.units.named(`${ownPackage(view)}#${type}`).slice(0, LIMITS.ancestors.max)) {
    const other = ctx.view(path);
    for (const one of other?.elsewhere.get(type) ?? []) {
      if (one.view.symbolName(one.row) !== name) continue;
      const receiver = ctx.type(one.view, one.view.unit.symbols.receiver[one.row] ?? -1);
      if (receiver.kind === 'named' && receiver.symbol === view.symbol(owner)) found.push(one);
    }
  }
  return found.length > 0 ? fittingDefinitions(symbol, found) : [symbol];
}

/** Of functions of one name those that take what a declaration says, as it is written. */
function fittingDefinitions(symbol: Sym, found: readonly Sym[]): readonly Sym[] {
  if (found.length < 2 || !symbol.view.rules.overloads) return found;
  const rowsOf = ({ view, row }: Sym) =>
    view.bindingsOf(row, 'parameter').map((one) => view.unit.bindings.type[one] ?? -1);
  const own = rowsOf(symbol);
  const counted = found.filter((one) => rowsOf(one).length === own.length);
  const same = counted.filter((one) =>
    rowsOf(one).every((type, at) => sameWritten(one.view, type, symbol.view, own[at] ?? -1)),
  );
  return same.length > 0 ? same : counted.length > 0 ? counted : found;
}

/** Of files that define one name those that a build takes without being asked to, if there are any. */
function built(views: readonly UnitView[]): readonly UnitView[] {
  if (views.length < 2) return views;
  const usual = views.filter((view) => !view.isAsked);
  return usual.length > 0 ? usual : views;
}

/** Of files that define one name: those that are as near as any, tests only where there is no other or a test asks. */
function nearest(from: string, files: readonly string[]): readonly string[] {
  if (files.length < 2) return files;
  const code = files.filter((path) => !isTestPath(path));
  const seen = isTestPath(from) || code.length === 0 ? files : code;
  const shared = (path: string) => sharedFolders(directoryOf(path), directoryOf(from));
  const near = Math.max(...seen.map(shared));
  return seen.filter((path) => shared(path) === near);
}
