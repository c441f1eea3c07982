import { isTestPath } from '../languages/test-path.js';
import { moduleSystem } from '../modules/index.js';
import type { Remembered } from '../resolution/lookups.js';
import type { Program } from '../resolution/program.js';
import type { LinkContext, Space } from './context.js';
import { entryThing, isOf, isTypeSymbol, libraryThing, symbolsThing } from './entries.js';
import { DERIVES } from './places.js';
import { nearest } from './programs.js';
import type { LinkRules } from './rules.js';
import { NOTHING, type Thing, type Type, typeOfThing, UNKNOWN, valueThing } from './types.js';
import { MOST_SCOPES, type Sym, type UnitView } from './unit-view.js';

/*
 * Types that any file may add to, and that are values: what they have is found by its full name. What is written in tests is
 * seen by their own files alone, unless nothing else has the name.
 */

/** The type of a value that is a type itself. */
function classValue({ classType = '' }: LinkRules, of: Type): Type {
  const dot = classType.lastIndexOf('.');
  return {
    kind: 'external',
    package: classType.slice(0, Math.max(0, dot)),
    name: classType.slice(dot + 1),
    args: [of],
  };
}

/** The type that a value is; null for a value that is none. */
export function classArgument({ classType }: LinkRules, type: Type): Type | null {
  if (classType === undefined || type.kind !== 'external') return null;
  return `${type.package}.${type.name}` === classType ? (type.args[0] ?? null) : null;
}

/** A type that a name means, as a value. */
export function asClassValue(rules: LinkRules, thing: Thing): Thing {
  if (thing.is !== 'type') return thing;
  const symbol = thing.named ?? (thing.type.kind === 'named' ? thing.type.symbol : null);
  return valueThing(classValue(rules, thing.type), symbol ? [{ symbol, via: thing.via }] : []);
}

/** A value as the type that it is. */
export function asType(rules: LinkRules, thing: Thing): Thing {
  const type = thing.is === 'value' ? classArgument(rules, thing.type) : null;
  if (thing.is !== 'value' || !type) return thing;
  const [found] = thing.found;
  return { is: 'type', type, via: found?.via ?? 'type', ...(found && { named: found.symbol }) };
}

const wholes = new WeakMap<Program, Map<string, Remembered<Sym | null>>>();

/** The part of an open type that stands for all of it: the first one that is in no test, else its own file's first one. */
export function wholeOfOpen(ctx: LinkContext, symbol: Sym): Sym {
  const { view } = symbol;
  const name = view.topName(symbol.row);
  if (name === null) return symbol;
  let known = wholes.get(ctx.program);
  if (!known) {
    known = new Map();
    wholes.set(ctx.program, known);
  }
  const key = `${view.packageKey}#${name}`;
  const first = ctx.program.lookups.remembered(known, key, () => {
    for (const path of ctx.units.named(key)) {
      const found = isTestPath(path) ? undefined : ctx.view(path)?.top(name).find(isTypeSymbol);
      if (found) return found;
    }
    return null;
  });
  return first ?? view.top(name).find(isTypeSymbol) ?? symbol;
}

/** What a symbol of an open type is as a type: where it adds to one of the library, that. */
export function openType(ctx: LinkContext, symbol: Sym): Type {
  const name = symbol.view.topName(symbol.row);
  const known = name === null ? null : libraryType(ctx, symbol.view, name);
  return known ?? { kind: 'named', symbol: wholeOfOpen(ctx, symbol), args: [] };
}

function libraryType(ctx: LinkContext, view: UnitView, name: string): Type | null {
  for (const one of view.rules.implicitImports) {
    const dotted = name.replaceAll('::', '.');
    if (ctx.library(view).type(one, dotted))
      return { kind: 'external', package: one, name: dotted, args: [] };
  }
  return null;
}

/** What stands under a full name, of the files that count for a file, or for all. */
function underFullName(ctx: LinkContext, from: UnitView | null, name: string): Sym[] {
  return ctx.units
    .named(`${ctx.own.packageKey}#${name}`)
    .flatMap((path) => (path === from?.path || !isTestPath(path) ? (ctx.view(path)?.top(name) ?? []) : []));
}

/** The parts of an open type that derive it from something. */
export function derivingParts(ctx: LinkContext, symbol: Sym): readonly Sym[] {
  const { view } = symbol;
  const name = view.topName(symbol.row);
  if (name === null) return [symbol];
  return ctx.units
    .named(`${view.packageKey}#${name}${DERIVES}`)
    .flatMap((path) => (path === view.path || !isTestPath(path) ? (ctx.view(path)?.top(name) ?? []) : []))
    .filter((one) => isTypeSymbol(one) && one.view.basesOf(one.row).length > 0);
}

/** What an open type itself has under a name: of a type as a value what is static, constants of both. */
export function openMembers(ctx: LinkContext, type: Type, name: string): Sym[] {
  const of = classArgument(ctx.own.rules, type);
  const owner = of ?? type;
  const found =
    owner.kind === 'named'
      ? membersOf(ctx, owner.symbol, name)
      : owner.kind === 'external'
        ? underFullName(ctx, null, `${owner.name.replaceAll('.', '::')}::${name}`)
        : [];
  const own = found.filter(({ view, row }) => {
    const kind = view.symbolKind(row);
    return OF_BOTH.has(kind) || view.hasFlag(row, 'static') === (of !== null);
  });
  if (own.length < 2) return own;
  const [last] = own.slice(-1);
  // What is defined again in the same place, whatever a condition says, is the last one.
  const isAgain = ({ view, row }: Sym) =>
    view === last?.view &&
    view.unit.symbols.scope[row] === view.unit.symbols.scope[last.row] &&
    view.facts.definitions[row]?.branch === undefined;
  if (last && own.every(isAgain)) return [last];
  // Parts of one type are one.
  return [...new Set(own.map((one) => (isTypeSymbol(one) ? wholeOfOpen(ctx, one) : one)))];
}

const OF_BOTH: ReadonlySet<string> = new Set(['class', 'interface', 'enum', 'type', 'constant', 'variable']);

function membersOf(ctx: LinkContext, { view, row }: Sym, name: string): Sym[] {
  const full = view.topName(row);
  if (full !== null) return underFullName(ctx, view, `${full}::${name}`);
  const entries = view.entries(view.unit.symbols.body[row] ?? -1, name);
  return entries.flatMap((entry) => (entry.table === 'symbol' ? view.symbol(entry.row) : []));
}

/** What a type derives from as a value: what it is extended by, and the value that its base is. @param bases What it derives from. */
export function classBases(ctx: LinkContext, bases: readonly Type[]): Type[] {
  const { rules } = ctx.own;
  const isValue = (one: Type) => classArgument(rules, one) !== null;
  const extended = bases.flatMap((one) => classArgument(rules, one) ?? []).filter((one) => !isValue(one));
  // A mixin may say what extends all that it is mixed into.
  const brought = bases.filter(isMixin).flatMap((one) => ctx.basesOf(one));
  for (const one of brought.flatMap((each) => classArgument(rules, each) ?? []))
    extended.push(...[classArgument(rules, one) ?? []].flat());
  const behind = bases.filter((one) => !classArgument(rules, one) && !isMixin(one));
  return [...extended, ...behind.map((one) => classValue(rules, one))];
}

/** Bases in the order in which members are looked up in them: mixins hide what a class behind has. */
export function instanceBases(rules: LinkRules, bases: readonly Type[]): Type[] {
  const own = bases.filter((one) => !classArgument(rules, one));
  return [...own.filter(isMixin), ...own.filter((one) => !isMixin(one))];
}

function isMixin(type: Type): boolean {
  return type.kind === 'named' && type.symbol.view.hasFlag(type.symbol.row, 'mixin');
}

/** The object that code of a scope is of: an instance of the type around it, or the type itself as a value. */
export function openSelf(ctx: LinkContext, view: UnitView, scope: number): Thing {
  let isStatic: boolean | null = null;
  for (let at = scope, depth = 0; at >= 0 && depth < MOST_SCOPES; depth += 1) {
    const symbol = view.unit.scopes.symbol[at] ?? -1;
    const kind = view.scopeKind(at);
    if (kind === 'function' && symbol >= 0) isStatic ??= view.hasFlag(symbol, 'static');
    if (kind === 'type' && symbol >= 0) {
      const type = openType(ctx, view.symbol(symbol));
      return valueThing((isStatic ?? true) ? classValue(view.rules, type) : type);
    }
    at = view.unit.scopes.parent[at] ?? -1;
  }
  const root = ctx.library(view).named(view.rules.rootType);
  return root ? valueThing({ kind: 'external', package: root.package, name: root.name, args: [] }) : NOTHING;
}

/** What comes behind the type around a scope, of which a function runs what it has itself overridden. */
export function openSuper(ctx: LinkContext, view: UnitView, scope: number): Thing {
  const self = typeOfThing(openSelf(ctx, view, scope));
  // What comes behind a mixin depends on what it is mixed into.
  if (isMixin(self)) return NOTHING;
  const parts = ctx.supertypes(self);
  const root = ctx.library(view).named(view.rules.rootType);
  if (root) return valueThing({ kind: 'union', parts: [...parts, typeOfLibrary(root)] });
  return valueThing({ kind: 'union', parts });
}

function typeOfLibrary({ package: of, name }: { readonly package: string; readonly name: string }): Type {
  return { kind: 'external', package: of, name, args: [] };
}

/** What a bare name means: a local, a constant by the types around it, or a function that is called on what the code is of. */
export function openName(
  ctx: LinkContext,
  view: UnitView,
  scope: number,
  name: string,
  at: number,
  space: Space,
): Thing {
  if (space === 'call') return ofSelf(ctx, view, scope, name);
  const types: Sym[] = [];
  let isLocal = space === 'value';
  for (let current = scope, depth = 0; current >= 0 && depth < MOST_SCOPES; depth += 1) {
    const symbol = view.unit.scopes.symbol[current] ?? -1;
    if (isLocal) {
      const bindings = view.entries(current, name).filter(({ table }) => table === 'binding');
      const found = entryThing(ctx, view, bindings, at, space);
      if (found.is !== 'unknown') return found;
    }
    isLocal &&= symbol < 0;
    if (view.scopeKind(current) === 'type' && symbol >= 0) types.push(view.symbol(symbol));
    current = view.unit.scopes.parent[current] ?? -1;
  }
  return constant(ctx, view, types, name, space);
}

/** A constant by the types around a place, the innermost first; then by what that derives from; then one in no type. */
function constant(
  ctx: LinkContext,
  view: UnitView,
  types: readonly Sym[],
  name: string,
  space: Space,
): Thing {
  for (const one of types) {
    const full = one.view.topName(one.row);
    const found = full === null ? NOTHING : named(ctx, view, `${full}::${name}`);
    if (found.is !== 'unknown') return found;
  }
  const [inner] = types;
  if (inner) {
    const members = ctx.members(view, openType(ctx, inner), name, space);
    const found = ctx.memberThing(
      members.filter(({ kind }) => kind !== 'external'),
      view,
      'exact',
    );
    if (found.is === 'type' || found.is === 'value') return found;
  }
  const found = named(ctx, view, name);
  if (found.is !== 'unknown') return found;
  for (const one of view.rules.implicitImports) {
    const known = libraryThing(ctx, view, one, name, 'type');
    if (known.is !== 'unknown') return known;
  }
  const loaded = view.facts.imports.map(({ module }) => module);
  const foreign = moduleSystem(view.rules.modules).loads?.packageWith(ctx.units.modules, loaded, name);
  return foreign ? { is: 'external', package: foreign, name } : NOTHING;
}

/** The type or constant of a full name: the file's own, else that of the code, else, in tests, that of the nearest tests. */
function named(ctx: LinkContext, view: UnitView, full: string): Thing {
  const files = ctx.units.named(`${view.packageKey}#${full}`);
  if (files.length === 0) return NOTHING;
  const isConstant = (one: Sym) => OF_BOTH.has(one.view.symbolKind(one.row));
  let found = view.top(full).filter(isConstant);
  if (found.length === 0) {
    const code = files.filter((path) => !isTestPath(path));
    const seen = code.length > 0 ? code : isTestPath(view.path) ? nearest(view.path, files) : [];
    // Parts of one type are one: the first file that has it tells what it is.
    for (const path of seen) {
      const here = ctx.view(path)?.top(full).filter(isConstant) ?? [];
      if (code.length > 0 && here.some(isTypeSymbol)) {
        found = here;
        break;
      }
      found.push(...here);
    }
  }
  const type = found.find(isTypeSymbol);
  const others = found.filter((one) => isTypeSymbol(one) && one.view !== type?.view);
  if (type && others.length === 0) {
    const of = openType(ctx, type);
    return { is: 'type', type: of, via: type.view === view ? 'exact' : 'import' };
  }
  return symbolsThing(ctx, found, found.every((one) => one.view === view) ? 'exact' : 'import');
}

/** A function that is called by its bare name: of what the code is of, else one that is in no type, else the library's. */
function ofSelf(ctx: LinkContext, view: UnitView, scope: number, name: string): Thing {
  const local = ofBlocks(view, scope, name);
  if (local.length > 0) return symbolsThing(ctx, local, 'exact');
  const self = typeOfThing(openSelf(ctx, view, scope));
  const members = self.kind === 'unknown' ? [] : ctx.members(view, self, name, 'call');
  const isKnown = members.some(({ kind }) => kind !== 'external');
  // What nothing in a type has that is not known from elsewhere is not the library's.
  const found = isKnown || self.kind === 'named' ? ctx.memberThing(members, view, 'exact') : NOTHING;
  if (members.some(({ kind }) => kind === 'symbol')) return found;
  const isFree = (one: Sym) => isOf(one, 'call');
  const own = view.top(name).filter(isFree);
  if (own.length > 0) return symbolsThing(ctx, own, 'exact');
  // What an unknown base may have is no function of another file.
  if (found.is === 'external') return found;
  const others = found.is === 'unknown' ? underFullName(ctx, view, name).filter(isFree) : [];
  return others.length > 0 ? symbolsThing(ctx, others, 'import') : found;
}

/** The functions that the blocks around a place define. */
function ofBlocks(view: UnitView, scope: number, name: string): Sym[] {
  for (let at = scope, depth = 0; at > 0 && depth < MOST_SCOPES; depth += 1) {
    if (view.scopeKind(at) === 'type') break;
    const found = (view.unit.scopes.symbol[at] ?? -1) >= 0 ? [] : view.entries(at, name);
    const symbols = found.flatMap(({ table, row }) => (table === 'symbol' ? view.symbol(row) : []));
    const functions = symbols.filter((one) => isOf(one, 'call'));
    if (functions.length > 0) return functions;
    at = view.unit.scopes.parent[at] ?? -1;
  }
  return [];
}

/** The type of which a call of the library's makes an instance; unknown for all other calls. */
export function madeBy(ctx: LinkContext, view: UnitView, call: number): Type {
  const base = view.unit.expressions.base[call] ?? -1;
  const { makes, classType } = view.rules;
  if (base < 0 || makes === undefined || view.expressionName(base) !== makes) return UNKNOWN;
  const thing = ctx.callee(view, call);
  const [only] = thing.is === 'function' ? thing.callables : [];
  const isLibrary =
    only?.external && `${only.external.package}.${only.external.name}` === `${classType}.${makes}`;
  return isLibrary ? typeOfThing(ctx.thing(view, call)) : UNKNOWN;
}
