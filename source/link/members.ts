import { LIMITS } from '../../schema/index.js';
import type { Remembered } from '../resolution/lookups.js';
import { append } from '../resolution/module-table.js';
import type { ResolutionKind } from '../resolution/resolution.js';
import type { LinkContext, Member, Space } from './context.js';
import { isOf, isTypeSymbol, meant } from './entries.js';
import { extendedBy, extending, extensionBases, ofReceiver, typeParametersIn } from './extensions.js';
import { parameterId } from './names.js';
import { classArgument, classBases, instanceBases, openMembers } from './open-types.js';
import { partsOf } from './parts.js';
import {
  type Callable,
  NO_SUBSTITUTION,
  NOTHING,
  SELF,
  type Substitution,
  sameLabels,
  sameType,
  substituted,
  substitutedSignature,
  type Thing,
  type Type,
  UNKNOWN,
  valueThing,
} from './types.js';
import type { Sym, UnitView } from './unit-view.js';

/** Types that are embedded in each other are searched so deep. */
const DEEPEST = 8;

/** What a type's own members are, wherever they are declared, by name. */
export type OwnMembers = ReadonlyMap<string, readonly Sym[]>;

/** The members that a definition itself has: in its body, and declared elsewhere in its package; of an open type those in its body. */
export function ownMembers(
  ctx: LinkContext,
  cache: Map<Sym, Remembered<OwnMembers>>,
  symbol: Sym,
): OwnMembers {
  return ctx.program.lookups.remembered(cache, symbol, () => {
    const { view, row } = symbol;
    const found = new Map<string, Sym[]>();
    const parts = view.rules.package === 'open' ? [symbol] : partsOf(ctx, symbol);
    for (const { view: other, row: part } of parts)
      for (const [name, entries] of other.scopeNames(other.unit.symbols.body[part] ?? -1))
        for (const entry of entries)
          if (entry.table === 'symbol') append(found, name, other.symbol(entry.row));
    if (view.rules.package === 'program')
      for (const one of typesElsewhere(ctx, symbol)) append(found, one.view.symbolName(one.row), one);
    if (view.unit.symbols.scope[row] !== 0 || view.rules.membersInScope || view.rules.extensions)
      return found;
    const name = view.symbolName(row);
    for (const other of ctx.units.named(`${view.packageKey}#${name}`))
      for (const one of ctx.view(other)?.elsewhere.get(name) ?? [])
        append(found, one.view.symbolName(one.row), one);
    return found;
  });
}

/** Types of a type that are written elsewhere: `struct Table::Rep {…}`. */
function typesElsewhere(ctx: LinkContext, { view, row }: Sym): Sym[] {
  const name = view.symbolName(row);
  const namespace = view.topName(row)?.slice(0, -name.length) ?? null;
  const isOwn = (one: Sym) =>
    isTypeSymbol(one) && one.view.namespaceOf(one.view.unit.symbols.scope[one.row] ?? -1) === namespace;
  if (namespace === null) return [];
  return ctx.units
    .named(`${view.rules.modules}:#${name}`)
    .flatMap((path) => ctx.view(path)?.elsewhere.get(name)?.filter(isOwn) ?? []);
}

/** What the parameters of a type stand for. */
export function argumentsOfType(type: Type): Substitution {
  return type.kind === 'named' ? substitutionFor(type, null) : NO_SUBSTITUTION;
}

/** What the parameters of a named type stand for in it, and in a member of it that is declared elsewhere. */
function substitutionFor(type: Type & { kind: 'named' }, member: Sym | null): Substitution {
  const { symbol, args } = type;
  const { view, row } = symbol;
  if (args.length === 0) return NO_SUBSTITUTION;
  const by = new Map<string, Type>();
  for (const [at, binding] of view.bindingsOf(row, 'type parameter').entries())
    by.set(parameterId(view, binding), args[at] ?? UNKNOWN);
  // Another part of the type has type parameters of its own.
  const around = member && member.view !== view ? (member.view.unit.symbols.scope[member.row] ?? -1) : -1;
  const part = member && around >= 0 ? member.view.typeAround(around) : -1;
  if (member && part >= 0 && member.view.hasFlag(part, 'partial'))
    for (const [at, binding] of member.view.bindingsOf(part, 'type parameter').entries())
      by.set(parameterId(member.view, binding), args[at] ?? UNKNOWN);
  const receiver = member?.view.unit.symbols.receiver[member.row] ?? -1;
  if (!member || receiver < 0) return by;
  const extension = member.view.extensionOf(member.row);
  const { scope } = member.view.unit.extensions;
  const bindings =
    extension < 0
      ? member.view.bindingsOf(member.row, 'type parameter')
      : typeParametersIn(member.view, scope[extension] ?? -1);
  for (const [id, one] of ofReceiver(member.view, receiver, bindings, args)) by.set(id, one);
  return by;
}

/** What a type directly derives from or embeds, with its type arguments put in. */
export function supertypes(ctx: LinkContext, type: Type): Type[] {
  if (type.kind === 'external') {
    const library = ctx.library(ctx.own).type(libraryPackage(ctx, type.package), type.name);
    const of = classArgument(ctx.own.rules, type);
    if (of) return [...classBases(ctx, ctx.basesOf(of)), ...(library?.bases ?? [])];
    if (!library) return extensionBases(ctx, type);
    const by = new Map(library.parameters.map((id, at) => [id, type.args[at] ?? UNKNOWN]));
    return [...library.bases.map((base) => substituted(base, by, ctx)), ...extensionBases(ctx, type)];
  }
  if (type.kind !== 'named') return [];
  const { view, row } = type.symbol;
  if (view.rules.package === 'open') return instanceBases(view.rules, ctx.basesOf(type));
  const by = substitutionFor(type, null);
  const found = partsOf(ctx, type.symbol).flatMap((part) => {
    const own = part === type.symbol ? by : substitutionFor({ ...type, symbol: part }, null);
    const { bases, bindings } = part.view.unit;
    // What it says that it is mixed into lends it its members, too.
    const into = view.rules.lastFirst ? part.view.bindingsOf(part.row, 'receiver') : [];
    const written = [
      ...into.map((one) => bindings.type[one] ?? -1).filter((one) => part.view.typeKind(one) !== 'this'),
      ...part.view.basesOf(part.row).map((base) => bases.type[base] ?? -1),
    ];
    return written.flatMap((one) => {
      const made = substituted(ctx.type(part.view, one), own, ctx);
      return made.kind === 'union' ? made.parts : [made];
    });
  });
  found.push(...extensionBases(ctx, type));
  if (view.rules.satisfaction === 'implicit')
    for (const entries of view.scopeNames(view.unit.symbols.body[row] ?? -1).values())
      for (const { table, row: member } of entries)
        if (table === 'symbol' && view.hasFlag(member, 'embedded')) {
          const embedded = substituted(ctx.symbolType(view.symbol(member)), by, ctx);
          found.push(embedded.kind === 'pointer' ? embedded.of : embedded);
        }
  return found;
}

/** All that parts of an open type say that it derives from, and what it is extended by as a value; of the library's its bases. */
export function allBases(ctx: LinkContext, type: Type): readonly Type[] {
  if (type.kind === 'external')
    return ctx.library(ctx.own).type(libraryPackage(ctx, type.package), type.name)?.bases ?? [];
  if (type.kind !== 'named') return [];
  return partsOf(ctx, type.symbol).flatMap(({ view, row }) =>
    view.basesOf(row).map((base) => ctx.type(view, view.unit.bases.type[base] ?? -1)),
  );
}

/** Built-in things of the library are those of the package ''. */
export function libraryPackage(ctx: LinkContext, name: string): string {
  return name === ctx.own.rules.builtinPackage ? '' : name;
}

/** A named type that stands for another one as that; all others as they are. */
export function underlying(ctx: LinkContext, type: Type): Type {
  let found = type;
  for (let depth = 0; depth < DEEPEST && found.kind === 'named'; depth += 1) {
    const { view, row } = found.symbol;
    const written = view.unit.symbols.type[row] ?? -1;
    if (view.symbolKind(row) !== 'type' || written < 0) break;
    found = substituted(ctx.type(view, written), substitutionFor(found, null), ctx);
  }
  return found;
}

/** The members of a type as it is inside of itself with what its own parameters stand for. */
export function withArguments(ctx: LinkContext, type: Type, found: readonly Member[]): readonly Member[] {
  if (type.kind !== 'named' || type.args.length === 0) return found;
  const own = substitutionFor(type, null);
  return found.map((member) => {
    if (member.kind === 'external') return member;
    const by = new Map([...member.by].map(([id, one]) => [id, substituted(one, own, ctx)]));
    return { ...member, by };
  });
}

/** A type and all behind it, with its arguments put in. @param all Of the type as it is inside of itself. */
export function ancestorsWith(ctx: LinkContext, type: Type, all: readonly Type[]): readonly Type[] {
  if (type.kind !== 'named' || type.args.length === 0) return all;
  const own = substitutionFor(type, null);
  return all.map((one) => substituted(one, own, ctx));
}

/** The members of a type under a name. */
export function members(
  ctx: LinkContext,
  own: (symbol: Sym) => OwnMembers,
  view: UnitView,
  type: Type,
  name: string,
  space: Space,
): readonly Member[] {
  if (type.kind === 'either') return eitherMembers(ctx, own, view, type.parts, name, space);
  const start = reached(type);
  const { rules } = view;
  const of = space === 'call' ? null : classArgument(rules, type);
  // What a type has as a value, and the constants of all that it derives from.
  if (of) {
    const found = inherited(ctx, own, view, start, name, space);
    if (found.some(({ kind }) => kind !== 'external')) return found;
    const inner = inherited(ctx, own, view, [of], name, space);
    return inner.length > 0 || space === 'type' ? inner : inherited(ctx, own, view, [of], name, 'type');
  }
  if (rules.satisfaction === 'implicit') return promoted(ctx, own, start, name, space);
  const found = inherited(ctx, own, view, start, name, space);
  const [receiver] = start;
  if (!rules.selfTypes || receiver === undefined) return found;
  return found.map((one) =>
    one.kind === 'external' ? one : { ...one, by: new Map([...one.by, [SELF, receiver]]) },
  );
}

/** What several types of one name have under a name, each member once. */
function eitherMembers(
  ctx: LinkContext,
  own: (symbol: Sym) => OwnMembers,
  view: UnitView,
  parts: readonly Type[],
  name: string,
  space: Space,
): readonly Member[] {
  const found = parts.flatMap((part) => members(ctx, own, view, part, name, space));
  const symbols = new Set<Sym>();
  const distinct = found.filter((one) => {
    if (one.kind !== 'symbol' || symbols.has(one.symbol)) return one.kind !== 'symbol';
    symbols.add(one.symbol);
    return true;
  });
  return distinct.length < 2
    ? distinct
    : distinct.map((one) => (one.kind === 'symbol' ? { ...one, isEither: true } : one));
}

/** What members are looked up in: what a pointer points to, what a variable of a type parameter can be. */
function reached(type: Type): Type[] {
  switch (type.kind) {
    case 'pointer':
    case 'optional':
      return [type.of];
    case 'parameter':
      return type.bound ? (type.bound.kind === 'union' ? reached(type.bound) : [type.bound]) : [];
    case 'union':
      return [...type.parts];
    default:
      return [type];
  }
}

/** Whether several extensions give members of one name, each for another base: which of these is in scope is not known. */
function areOfSeveralBases(ctx: LinkContext, symbols: readonly Sym[]): boolean {
  if (symbols.length < 2) return false;
  const [first = UNKNOWN, ...others] = symbols.map(({ view, row }) => {
    const base = view.unit.extensions.base[view.extensionOf(row)] ?? -1;
    return base < 0 ? UNKNOWN : ctx.type(view, base);
  });
  return others.some((one) => sameType(first, one) === false);
}

/** What one type has itself under a name. */
function ownNamed(
  ctx: LinkContext,
  own: (symbol: Sym) => OwnMembers,
  type: Type,
  name: string,
  isInherited: boolean,
  space: Space,
): Member[] {
  if (ctx.own.rules.package === 'open' && (type.kind === 'named' || type.kind === 'external')) {
    const found = openMembers(ctx, type, name).filter((one) => isTypeSymbol(one) || isOf(one, space));
    if (found.length > 0 || type.kind === 'named')
      return found.map((symbol) => ({
        ...{ kind: 'symbol', symbol, by: NO_SUBSTITUTION, inherited: isInherited },
        ...(found.length > 1 && !isOf(symbol, 'call') && { isEither: true }),
      }));
  }
  if (type.kind === 'named') {
    const declared = own(type.symbol).get(name) ?? [];
    const isWhole = declared.length > 0 && type.symbol.view.rules.package === 'library';
    const symbols = isWhole ? declared : [...declared, ...extending(ctx, type, name)];
    const { namespaces } = type.symbol.view.rules;
    const isMeant = (symbol: Sym) => {
      if (namespaces !== 'tags') return namespaces === 'one' || isOf(symbol, space);
      // A constructor is called by the name of its type.
      return space === 'type' ? isTypeSymbol(symbol) : symbol.view.symbolKind(symbol.row) !== 'constructor';
    };
    const all = space === 'term' ? meant(symbols, space) : symbols.filter(isMeant);
    const isEither = ctx.own.rules.paths !== undefined && areOfSeveralBases(ctx, all);
    return all.map((symbol) => ({
      kind: 'symbol',
      symbol,
      by: extendedBy(ctx, symbol, type) ?? substitutionFor(type, symbol),
      inherited: isInherited,
      ...(isEither && { isEither }),
    }));
  }
  if (type.kind === 'external') {
    const library = ctx.library(ctx.own).type(libraryPackage(ctx, type.package), type.name);
    const extended = extending(ctx, type, name)
      .filter((symbol) => isOf(symbol, space))
      .map((symbol): Member => {
        const by = extendedBy(ctx, symbol, type) ?? NO_SUBSTITUTION;
        return { kind: 'symbol', symbol, by, inherited: isInherited };
      });
    const isMore = space === 'call' && ctx.own.rules.overloads;
    if (!library || (extended.length > 0 && !isMore)) return extended;
    if (space === 'type') {
      const inner = `${type.name}.${name}`;
      const found = ctx.library(ctx.own).type(libraryPackage(ctx, type.package), inner);
      return found ? [{ kind: 'external', package: type.package, name: inner }] : [];
    }
    const isOpen = type.args.length === 0 && ctx.own.rules.paths !== undefined;
    const by: Substitution = isOpen
      ? NO_SUBSTITUTION
      : new Map(library.parameters.map((id, at) => [id, type.args[at] ?? UNKNOWN]));
    const apart = ctx.own.rules.namespaces === 'apart';
    const own = (library.members.get(name) ?? [])
      .filter(({ signature }) => !apart || (signature === null) === (space === 'value'))
      .map((member) => ({
        kind: 'library' as const,
        member,
        package: type.package || ctx.own.rules.builtinPackage,
        name: `${type.name}.${name}`,
        by,
      }));
    return [...own, ...extended];
  }
  return [];
}

/** Embedding: the members that are nearest; where two are equally near none is. */
function promoted(
  ctx: LinkContext,
  own: (symbol: Sym) => OwnMembers,
  start: readonly Type[],
  name: string,
  space: Space,
): Member[] {
  const visited = new Set<Sym>();
  const unknown: Member[] = [];
  let level = [...start];
  for (let depth = 0; level.length > 0 && depth < DEEPEST; depth += 1) {
    const found: Member[][] = [];
    const next: Type[] = [];
    for (const one of level) {
      const type = one.kind === 'builtin' ? builtinType(ctx, one.name) : one;
      if (type.kind === 'named') {
        if (visited.has(type.symbol)) continue;
        visited.add(type.symbol);
      }
      const here = ownNamed(ctx, own, type, name, depth > 0, space);
      if (here.length > 0) {
        found.push(here);
        continue;
      }
      if (type.kind === 'members') found.push(...inPlace(ctx, type, name));
      next.push(...supertypes(ctx, type), ...embeddedInPlace(ctx, type));
      const stands = underlying(ctx, type);
      if (stands !== type && (stands.kind === 'members' || isInterface(ctx, stands))) next.push(stands);
      else if (stands !== type && stands.kind === 'named') {
        // What stands for a struct has its fields, and none of its methods.
        const fields = ownNamed(ctx, own, stands, name, true, space).filter(isField);
        if (fields.length > 0) found.push(fields);
        else next.push(...supertypes(ctx, stands));
      }
      if (type.kind !== 'external') continue;
      const known = ctx.library(ctx.own).type(libraryPackage(ctx, type.package), type.name);
      if (depth === 0 || !known)
        unknown.push({ kind: 'external', package: type.package, name: `${type.name}.${name}` });
    }
    const hits = found.filter((one) => one.length > 0);
    if (hits.length > 0) return hits.length === 1 ? (hits[0] ?? []) : [];
    level = next;
  }
  return unknown.length === 1 ? unknown : [];
}

/** A built-in type with members: an error, a string of a language where it has methods. */
function builtinType(ctx: LinkContext, name: string): Type {
  const literal = ctx.own.rules.literals[name];
  if (literal !== undefined) {
    const found = ctx.library(ctx.own).named(literal);
    if (found) return { kind: 'external', package: found.package, name: found.name, args: [] };
  }
  return ctx.library(ctx.own).type('', name)
    ? { kind: 'external', package: ctx.own.rules.builtinPackage, name, args: [] }
    : { kind: 'builtin', name };
}

function isField(member: Member): boolean {
  return member.kind === 'symbol' && member.symbol.view.symbolKind(member.symbol.row) !== 'method';
}

/** Members of a type that is written in place. */
function inPlace(ctx: LinkContext, type: Type & { kind: 'members' }, name: string): Member[][] {
  const symbols = type.view.entries(type.scope, name).flatMap((entry): Member[] => {
    if (entry.table === 'symbol')
      return [{ kind: 'symbol', symbol: type.view.symbol(entry.row), by: NO_SUBSTITUTION, inherited: false }];
    const written = ctx.bindingType(type.view, entry.row);
    const member =
      written.kind === 'function'
        ? {
            name,
            type: written,
            hasBody: false,
            signature: {
              typeParameters: [],
              parameters: written.parameters,
              required: written.variadic ? written.parameters.length - 1 : written.parameters.length,
              variadic: written.variadic,
              result: written.result,
            },
          }
        : { name, type: written, signature: null, hasBody: false };
    return [{ kind: 'library', member, package: '', name, by: NO_SUBSTITUTION }];
  });
  return symbols.length > 0 ? [symbols] : [];
}

function embeddedInPlace(ctx: LinkContext, type: Type): Type[] {
  if (type.kind !== 'members') return [];
  const { view, scope } = type;
  return view.bindingsIn(scope).flatMap((row) => {
    if (!view.bindingHas(row, 'embedded')) return [];
    const embedded = ctx.bindingType(view, row);
    return embedded.kind === 'pointer' ? [embedded.of] : [embedded];
  });
}

/** Classes: what the class has, then the classes behind it, then the interfaces; of functions all that differ. */
function inherited(
  ctx: LinkContext,
  own: (symbol: Sym) => OwnMembers,
  from: UnitView,
  start: readonly Type[],
  name: string,
  space: Space,
): Member[] {
  const found: Member[] = [];
  const unknown: Member[] = [];
  for (const type of start)
    for (const here of type.kind === 'members' ? inPlace(ctx, type, name) : []) return here;
  const order = (start.length > 0 ? start : rootTypes(ctx)).flatMap((one) => ctx.ancestors(one));
  for (const [at, type] of order.entries()) {
    // What is private is not inherited.
    const here = ownNamed(ctx, own, type, name, at > 0, space).filter(
      (one) =>
        at === 0 ||
        one.kind !== 'symbol' ||
        !one.symbol.view.hasFlag(one.symbol.row, 'private') ||
        (type.kind === 'named' && type.symbol.view.hasFlag(type.symbol.row, 'mixin')),
    );
    const areFunctions = space === 'call' || (space === 'term' && here.every(isFunction));
    if (here.length > 0 && found.length === 0 && (!areFunctions || !from.rules.overloads))
      return from.rules.bodiesApart ? withoutTwins(ctx, here, start) : here;
    // What every value has gives way to what a type says itself.
    const isRoot = from.rules.lastFirst && found.length > 0 && keyOf(ctx, type) === from.rules.rootType;
    const known = found.length;
    for (const one of areFunctions && !isRoot ? here : []) {
      const nearer = found.findIndex((each, index) => index < known && isOverridden(ctx, one, each));
      if (nearer < 0) found.push(one);
      // What has no body gives way to what has one, wherever that is.
      else if (from.rules.lastFirst && lacksBody(found[nearer]) && !lacksBody(one)) found[nearer] = one;
    }
    const isKnown = type.kind !== 'external' || isOfLibrary(ctx, type);
    const as = classArgument(ctx.own.rules, type);
    // What a type of elsewhere has as a value.
    const isOpen = at === 0 || as?.kind !== 'external' || !isOfLibrary(ctx, as);
    if (as?.kind === 'external' && isOpen)
      unknown.push({ kind: 'external', package: as.package, name: `${as.name}.${name}` });
    if (!isKnown || (at === 0 && type.kind === 'external' && !as))
      if (type.kind === 'external')
        unknown.push({ kind: 'external', package: type.package, name: `${type.name}.${name}` });
  }
  if (found.length > 0) return from.rules.bodiesApart ? withoutTwins(ctx, found, start) : found;
  if (space === 'type') return [];
  return unknown.length === 1 ? unknown : [];
}

function isFunction(member: Member): boolean {
  return member.kind === 'library' ? member.member.signature !== null : !isField(member);
}

/** Whether a member is a function without a body. */
function lacksBody(member: Member | undefined): boolean {
  return member?.kind === 'symbol' && member.symbol.view.isDeclaration(member.symbol.row);
}

/** A type and all behind it, where the last of what it derives from comes first: each where it is the farthest. */
function lastFirst(ctx: LinkContext, type: Type): Type[] {
  const order: Type[] = [];
  const visited = new Set<string | Sym>();
  const { rules } = ctx.own;
  for (const base of supertypes(ctx, type))
    for (const one of [...ctx.ancestors(base)].reverse()) {
      const key = keyOf(ctx, one);
      if (key === null || key === rules.rootType || visited.has(key)) continue;
      if (visited.size > LIMITS.ancestors.max) break;
      visited.add(key);
      order.push(one);
    }
  return [type, ...order.reverse()];
}

/** What a type is known by among those behind another one; null for what has no members of its own. */
function keyOf(ctx: LinkContext, one: Type): Sym | string | null {
  return one.kind === 'named' ? one.symbol : one.kind === 'external' ? keyOfExternal(ctx, one) : null;
}

/**
 * Of what an interface declares and the body that an extension gives to it one: the body where the type is known, else what
 * is declared, which may be anybody's.
 */
function withoutTwins(ctx: LinkContext, found: readonly Member[], start: readonly Type[]): Member[] {
  const isOpen = (one: Member) => one.kind === 'symbol' && one.symbol.view.isDeclaration(one.symbol.row);
  const isKnown = start.every((one) => !isInterface(ctx, one));
  return found.filter(
    (one) =>
      isOpen(one) !== isKnown || !found.some((other) => isOpen(other) !== isKnown && isTwin(ctx, one, other)),
  );
}

function isTwin(ctx: LinkContext, one: Member, other: Member): boolean {
  if (one.kind !== 'symbol' || other.kind !== 'symbol') return false;
  const isField = ({ view, row }: Sym) => view.symbolKind(row) === 'field';
  return isField(one.symbol) ? isField(other.symbol) : isOverridden(ctx, one, other);
}

/** A type and all behind it: the classes first, each once. */
export function ancestors(ctx: LinkContext, type: Type): Type[] {
  const visited = new Set<string | Sym>();
  const classes: Type[] = [];
  const interfaces: Type[] = [];
  const visit = (one: Type, depth: number) => {
    const start =
      one.kind === 'builtin' ? builtinType(ctx, one.name) : one.kind === 'list' ? listType(ctx, one) : one;
    const key = keyOf(ctx, start);
    if (key === null || visited.has(key) || depth > 64 || visited.size > LIMITS.ancestors.max) return;
    visited.add(key);
    (isInterface(ctx, start) ? interfaces : classes).push(start);
    for (const base of supertypes(ctx, start)) visit(base, depth + 1);
  };
  const [whole] = reached(type);
  if (whole?.kind === 'named' && whole.symbol.view.rules.lastFirst && type.kind === 'named')
    classes.push(...lastFirst(ctx, whole));
  else for (const one of reached(type)) visit(one, 0);
  const { rules } = ctx.own;
  const [first] = [...classes, ...interfaces];
  if (first?.kind === 'named' && first.symbol.view.symbolKind(first.symbol.row) === 'enum')
    pushNamed(ctx, classes, rules.enumType, [first]);
  if (first) pushNamed(ctx, interfaces, rules.rootType, []);
  return [...classes, ...interfaces];
}

/** What a type of the library is known by; one that is a type as a value by that, too. */
function keyOfExternal(ctx: LinkContext, type: Type & { readonly kind: 'external' }): string {
  const of = classArgument(ctx.own.rules, type);
  const name = `${type.package}.${type.name}`;
  if (of?.kind === 'named') return `${name} ${of.symbol.row} ${of.symbol.view.path}`;
  return of?.kind === 'external' ? `${name} ${of.package}.${of.name}` : name;
}

/** Whether the library says what a type has. */
function isOfLibrary(ctx: LinkContext, { package: of, name }: Type & { readonly kind: 'external' }): boolean {
  return ctx.library(ctx.own).type(libraryPackage(ctx, of), name) !== undefined;
}

/** What a type parameter without a bound can be. */
export function rootTypes(ctx: LinkContext): Type[] {
  const found: Type[] = [];
  pushNamed(ctx, found, ctx.own.rules.rootType, []);
  return found;
}

/** A list with the members that the library says it has. */
function listType(ctx: LinkContext, list: Type & { readonly of: Type }): Type {
  const found = ctx.library(ctx.own).named(ctx.own.rules.listType ?? '');
  return found ? { kind: 'external', package: found.package, name: found.name, args: [list.of] } : list;
}

function pushNamed(ctx: LinkContext, to: Type[], fullName: string, args: readonly Type[]): void {
  const found = fullName === '' ? undefined : ctx.library(ctx.own).named(fullName);
  if (found)
    to.push({
      kind: 'external',
      package: found.package || ctx.own.rules.builtinPackage,
      name: found.name,
      args,
    });
}

/** Whether a type has members that others have to have. */
export function isInterface(ctx: LinkContext, type: Type): boolean {
  if (type.kind === 'named') return type.symbol.view.symbolKind(type.symbol.row) === 'interface';
  return (
    type.kind === 'external' &&
    (ctx.library(ctx.own).type(libraryPackage(ctx, type.package), type.name)?.isInterface ?? false)
  );
}

/** Whether a method of a class behind is one that a nearer class writes again. */
function isOverridden(ctx: LinkContext, behind: Member, nearer: Member): boolean {
  // What extends whatever there is is a member of all that a type derives from.
  if (behind.kind === 'symbol' && nearer.kind === 'symbol' && behind.symbol === nearer.symbol) return true;
  const [a, b] = [memberSignature(ctx, behind), memberSignature(ctx, nearer)];
  if (!a || !b || a.parameters.length !== b.parameters.length || !sameLabels(a, b)) return false;
  return a.parameters.every((one, at) => sameType(one, b.parameters[at] ?? UNKNOWN) !== false);
}

/** The signature of a member that is a function. */
export function memberSignature(ctx: LinkContext, member: Member) {
  if (member.kind === 'external') return null;
  const signature = member.kind === 'library' ? member.member.signature : ctx.signature(member.symbol);
  return signature && substitutedSignature(signature, member.by, ctx);
}

/** What a member's name means. @param via How the type was found that has it; null: as the type of a value. */
export function memberThing(
  ctx: LinkContext,
  found: readonly Member[],
  from: UnitView,
  via: ResolutionKind | null,
): Thing {
  const [first] = found;
  if (!first) return NOTHING;
  if (first.kind === 'external') {
    const { package: inPackage, name } = first;
    return ctx.library(ctx.own).type(inPackage, name)
      ? { is: 'type', type: { kind: 'external', package: inPackage, name, args: [] }, via: 'import' }
      : { is: 'external', package: inPackage, name };
  }
  const callables = found.flatMap((member): Callable[] => {
    const signature = memberSignature(ctx, member);
    if (!signature || (member.kind === 'symbol' && !isOf(member.symbol, 'call'))) return [];
    if (member.kind === 'symbol')
      return [
        {
          ...{ symbol: member.symbol, external: null, signature, via: viaOf(member, from, via) },
          ...(member.isEither && { isEither: true }),
        },
      ];
    if (member.kind !== 'library') return [];
    const external = member.package === '' ? null : { package: member.package, name: member.name };
    return [{ symbol: null, external, signature, via: 'type' }];
  });
  if (callables.length > 0) return { is: 'function', callables };
  if (first.kind === 'library') return valueThing(substituted(first.member.type, first.by, ctx));
  // Fields of several types of one name: which one it is, nothing says.
  if (first.isEither) return NOTHING;
  if (isTypeSymbol(first.symbol) || from.rules.functionsAreValues)
    return ctx.symbolThing(first.symbol, viaOf(first, from, via));
  return valueThing(substituted(ctx.symbolType(first.symbol), first.by, ctx), [
    { symbol: first.symbol, via: viaOf(first, from, via) },
  ]);
}

function viaOf(
  member: Member & { kind: 'symbol' },
  from: UnitView,
  via: ResolutionKind | null,
): ResolutionKind {
  if (via === null || member.inherited) return 'type';
  return member.symbol.view === from ? 'exact' : via === 'exact' ? 'type' : via;
}
