import { LIMITS } from '../../schema/index.js';
import { directoryOf } from '../resolution/file-path.js';
import { CONFIDENCE } from '../resolution/found-target.js';
import { append } from '../resolution/module-table.js';
import type { ResolutionKind, ResolvedBase, ResolvedOverride } from '../resolution/resolution.js';
import type { Member } from './context.js';
import { extensionBases } from './extensions.js';
import { assertions, wantedNames } from './interface.js';
import type { Linker } from './linker.js';
import { isInterface, libraryPackage, memberSignature } from './members.js';
import { selfType } from './names.js';
import { EMBEDS } from './places.js';
import { NO_SUBSTITUTION, sameLabels, sameType, type Type, typeOfThing, UNKNOWN } from './types.js';
import { sameWritten, unified } from './unified.js';
import type { Sym, UnitView } from './unit-view.js';

/** Methods of one type that are compared with interfaces, and names by which interfaces are looked for. */
const MOST_METHODS = 512;
const MOST_LOOKS = 4096;

/**
 * The interfaces of the project that the types of a file satisfy without saying so, or by what is said of them elsewhere.
 */
export function implementedBy(linker: Linker): ResolvedBase[] {
  const { own: view } = linker;
  if (view.rules.satisfaction !== 'implicit' && !view.rules.extensions) return [];
  const found: ResolvedBase[] = [];
  for (const symbol of typesOf(linker))
    for (const target of view.rules.extensions ? extendedBy(linker, symbol) : satisfied(linker, symbol)) {
      const name = target.view.symbolName(target.row);
      const { name_line: line = 0 } = view.facts.definitions[symbol.row] ?? {};
      found.push({
        file: view.path,
        definition: symbol.row,
        base: -1,
        target: { file: target.view.path, definition: target.row },
        relation: 'implements',
        resolution: 'type',
        confidence: CONFIDENCE.type,
        evidence: { line, column: null, expression: name },
      });
    }
  return found;
}

/** What the methods of a file override: of the types behind theirs, or of interfaces that these satisfy. */
export function overriddenBy(linker: Linker): ResolvedOverride[] {
  const { satisfaction, extensions, bodiesApart, membersInScope } = linker.own.rules;
  if (extensions && bodiesApart) return [...byBases(linker), ...ofExtensions(linker)];
  if (extensions) return [...byExtensions(linker), ...(membersInScope ? byBases(linker) : [])];
  return satisfaction === 'implicit' ? byMethods(linker) : byBases(linker);
}

/** The types of the project that extensions say a type derives from. */
function extendedBy(linker: Linker, symbol: Sym): Set<Sym> {
  const bases = extensionBases(linker, selfType(symbol));
  return new Set(bases.flatMap((base) => (base.kind === 'named' ? base.symbol : [])));
}

/** Of the methods in extensions those of the type that the extension says that its type derives from. */
function byExtensions(linker: Linker): ResolvedOverride[] {
  const { own: view } = linker;
  const found: ResolvedOverride[] = [];
  for (let row = 0; row < view.unit.symbols.length; row += 1) {
    const base = view.unit.extensions.base[view.extensionOf(row)] ?? -1;
    if (base < 0 || view.symbolKind(row) !== 'method') continue;
    const type = linker.type(view, base);
    if (type.kind !== 'named') continue;
    const targets = linker.ownMembers(type.symbol).get(view.symbolName(row)) ?? [];
    const target = targets.find((one) => one.view.symbolKind(one.row) === 'method');
    if (target) found.push(override(view.symbol(row), target, 'type'));
  }
  return found;
}

/** What methods in extensions override: of what their type derives from, and of an interface what they are the body of. */
function ofExtensions(linker: Linker): ResolvedOverride[] {
  const { own: view } = linker;
  const found: ResolvedOverride[] = [];
  for (let row = 0; row < view.unit.symbols.length; row += 1) {
    const extension = view.extensionOf(row);
    if (extension < 0 || view.symbolKind(row) !== 'method' || view.hasFlag(row, 'static')) continue;
    for (const target of overriddenAmong(
      linker,
      view.symbol(row),
      linker.ancestors(linker.extended(view, extension)),
    ))
      if (target.view.isDeclaration(target.row)) found.push(override(view.symbol(row), target, 'type'));
  }
  return found;
}

/** The types of the file, of which methods may be declared elsewhere. */
function typesOf({ own: view }: Linker): Sym[] {
  const found: Sym[] = [];
  for (let row = 0; row < view.unit.symbols.length; row += 1) {
    const kind = view.symbolKind(row);
    const isAlias = view.hasFlag(row, 'alias');
    if ((kind === 'class' || kind === 'type' || (kind === 'enum' && view.rules.extensions)) && !isAlias)
      found.push(view.symbol(row));
  }
  return found;
}

function byMethods(linker: Linker): ResolvedOverride[] {
  const { own: view } = linker;
  const owners = new Map<Sym, Sym[]>();
  const { symbols } = view.unit;
  for (let row = 0; row < symbols.length; row += 1) {
    const receiver = symbols.receiver[row] ?? -1;
    if (receiver < 0) continue;
    let type = linker.type(view, receiver);
    if (type.kind === 'pointer') type = type.of;
    if (type.kind !== 'named') continue;
    append(owners, type.symbol, view.symbol(row));
  }
  const found: ResolvedOverride[] = [];
  for (const [owner, methods] of owners) {
    const interfaces = satisfied(linker, owner);
    for (const method of methods)
      for (const one of interfaces) {
        const name = view.symbolName(method.row);
        const target = linker.ownMembers(one).get(name)?.[0];
        if (!target) continue;
        // Of several that are built for one system each, those that fit.
        const isOnly = linker.ownMembers(owner).get(name)?.length === 1;
        if (isOnly || fits(linker, memberOf(method), memberOf(target), new Map()))
          found.push(override(method, target, 'type'));
      }
  }
  return found;
}

function memberOf(symbol: Sym): Member {
  return { kind: 'symbol', symbol, by: NO_SUBSTITUTION, inherited: false };
}

const satisfiedBy = new WeakMap<Linker, Map<Sym, readonly Sym[]>>();

/** The interfaces of the project that a type satisfies: each is found by one of the methods that it wants. */
function satisfied(linker: Linker, symbol: Sym): readonly Sym[] {
  let known = satisfiedBy.get(linker);
  if (!known) {
    known = new Map();
    satisfiedBy.set(linker, known);
  }
  let found = known.get(symbol);
  if (!found) {
    found = [...interfacesOf(linker, symbol)];
    known.set(symbol, found);
  }
  return found;
}

function interfacesOf(linker: Linker, symbol: Sym): Set<Sym> {
  const { units, own } = linker;
  const type = selfType(symbol);
  const has = whatItHas(linker, type);
  const found = new Set<Sym>();
  const queue = [...has.names].sort().slice(0, MOST_METHODS);
  const add = (target: Sym) => {
    if (found.has(target)) return;
    found.add(target);
    queue.push(EMBEDS + target.view.symbolName(target.row));
  };
  for (const target of asserted(linker, symbol)) add(target);
  for (const full of has.embedded) queue.push(EMBEDS + full.slice(full.lastIndexOf('.') + 1));
  const folder = directoryOf(symbol.view.path);
  for (let at = 0; at < queue.length && at < MOST_LOOKS; at += 1)
    for (const wanting of units.withInterface(`${own.rules.modules}#${queue[at]}`)) {
      // Most are told by their names alone, without a look at their files.
      if (wanting.isInner && directoryOf(wanting.path) !== folder) continue;
      if (!wanting.names.every((name) => name.startsWith(EMBEDS) || has.names.has(name))) continue;
      const view = linker.view(wanting.path);
      for (const row of view ? (interfacesIn(view).get(wanting.text) ?? []) : []) {
        const target = view?.symbol(row);
        if (target && !found.has(target) && satisfies(linker, type, target, has)) add(target);
      }
    }
  return found;
}

const inViews = new WeakMap<UnitView, ReadonlyMap<string, readonly number[]>>();

/** The interfaces of a file by what they are found by. */
function interfacesIn(view: UnitView): ReadonlyMap<string, readonly number[]> {
  const known = inViews.get(view);
  if (known) return known;
  const found = new Map<string, number[]>();
  for (let row = 0; row < view.unit.symbols.length; row += 1)
    if (view.symbolKind(row) === 'interface') append(found, wantedNames(view, row).join(','), row);
  inViews.set(view, found);
  return found;
}

/** The interfaces that the file of a type states that it satisfies: `var _ I = (*T)(nil)`. */
function asserted(linker: Linker, { view, row }: Sym): Sym[] {
  const found: Sym[] = [];
  const { type, value } = view.unit.bindings;
  for (const one of assertions(view)) {
    const stated = linker.type(view, type[one] ?? -1);
    if (stated.kind !== 'named' || stated.symbol.view.symbolKind(stated.symbol.row) !== 'interface') continue;
    const given = typeOfThing(linker.thing(view, value[one] ?? -1));
    const pointed = given.kind === 'pointer' ? given.of : given;
    if (pointed.kind === 'named' && pointed.symbol === view.symbol(row)) found.push(stated.symbol);
  }
  return found;
}

/** What a type has without a look at how: the names of its methods, and the full names of what of elsewhere it embeds. */
interface Has {
  readonly names: ReadonlySet<string>;
  readonly embedded: ReadonlySet<string>;
}

function whatItHas(linker: Linker, start: Type): Has {
  const names = new Set<string>();
  const embedded = new Set<string>();
  const visited = new Set<Sym>();
  const queue: Type[] = [start];
  for (let at = 0; at < queue.length && at < LIMITS.ancestors.max; at += 1) {
    const type = queue[at];
    if (type?.kind === 'external' || type?.kind === 'builtin') {
      const full = externalName(type);
      if (embedded.has(full)) continue;
      embedded.add(full);
      for (const [name, members] of libraryType(linker, type)?.members ?? [])
        if (members.some(({ signature }) => signature !== null)) names.add(name);
      queue.push(...linker.supertypes(type));
    }
    if (type?.kind !== 'named' || visited.has(type.symbol)) continue;
    visited.add(type.symbol);
    for (const [name, symbols] of linker.ownMembers(type.symbol))
      if (symbols.some(({ view, row }) => view.symbolKind(row) === 'method')) names.add(name);
    queue.push(...linker.supertypes(type));
  }
  return { names, embedded };
}

type Elsewhere = Type & { kind: 'external' | 'builtin' };

function externalName(type: Elsewhere): string {
  return type.kind === 'builtin' ? type.name : `${type.package}.${type.name}`;
}

function libraryType(linker: Linker, type: Elsewhere) {
  const inPackage = type.kind === 'builtin' ? '' : libraryPackage(linker, type.package);
  return linker.library(linker.own).type(inPackage, type.name);
}

/** Whether a type has all that an interface wants, of what that embeds, too. */
function satisfies(linker: Linker, type: Type, target: Sym, has: Has): boolean {
  const self = selfType(target);
  const by = new Map<string, Type>();
  const visited = new Set<Sym | string>();
  const queue: Type[] = [self];
  let wants = 0;
  for (let at = 0; at < queue.length; at += 1) {
    const one = queue[at];
    if (!one || at > LIMITS.ancestors.max) return false;
    if (one.kind === 'external' || one.kind === 'builtin') {
      const full = externalName(one);
      if (visited.has(full)) continue;
      visited.add(full);
      wants += 1;
      if (!has.embedded.has(full) && !hasLibraryMethods(linker, type, one, by)) return false;
      continue;
    }
    if (one.kind !== 'named') return false;
    if (visited.has(one.symbol)) continue;
    visited.add(one.symbol);
    for (const [name, symbols] of linker.ownMembers(one.symbol)) {
      const method = symbols.find(({ view, row }) => view.symbolKind(row) === 'method');
      if (!method) continue;
      wants += 1;
      const [needed, ...others] = linker.members(linker.own, one, name, 'call');
      const wanted = needed && others.length === 0 ? needed : memberOf(method);
      if (!hasMethod(linker, type, name, wanted, by)) return false;
    }
    queue.push(...linker.supertypes(one));
  }
  return wants > 0;
}

/** Whether a type has the methods of an interface of the library, as far as that is known. */
function hasLibraryMethods(linker: Linker, type: Type, target: Elsewhere, by: Map<string, Type>): boolean {
  const all: Elsewhere[] = [target];
  let wants = 0;
  for (let at = 0; at < all.length && at < LIMITS.ancestors.max; at += 1) {
    const one = all[at];
    if (!one) return false;
    const library = libraryType(linker, one);
    if (!library?.isInterface) return false;
    for (const [name] of library.members) {
      wants += 1;
      const [needed] = linker.members(linker.own, one, name, 'call');
      if (!needed || !hasMethod(linker, type, name, needed, by)) return false;
    }
    for (const base of library.bases)
      if (base.kind === 'external' || base.kind === 'builtin') all.push(base);
      else return false;
  }
  return wants > 0;
}

/** Whether a type has a method that fits: of several that are built for one system each, one of them. */
function hasMethod(linker: Linker, type: Type, name: string, needed: Member, by: Map<string, Type>): boolean {
  for (const member of linker.members(linker.own, type, name, 'call')) {
    if (member.kind === 'symbol' && member.symbol.view.symbolKind(member.symbol.row) !== 'method') continue;
    // Names that are not exported are those of their own package.
    if (!isSeen(needed, member)) continue;
    const tried = new Map(by);
    if (!fits(linker, member, needed, tried)) continue;
    for (const [id, one] of tried) by.set(id, one);
    return true;
  }
  return false;
}

function isSeen(needed: Member, member: Member): boolean {
  if (needed.kind !== 'symbol' || needed.symbol.view.hasFlag(needed.symbol.row, 'exported')) return true;
  if (member.kind !== 'symbol') return false;
  return directoryOf(member.symbol.view.path) === directoryOf(needed.symbol.view.path);
}

/** Whether a method takes and gives just what another one does. */
function fits(linker: Linker, member: Member, needed: Member, by: Map<string, Type>): boolean {
  const [has, needs] = [memberSignature(linker, member), memberSignature(linker, needed)];
  if (!has || !needs) return false;
  if (has.parameters.length !== needs.parameters.length || has.variadic !== needs.variadic) return false;
  const [own, other] = [writtenTypes(member), writtenTypes(needed)];
  const isSame = (a: Type, b: Type, at: number) => {
    const same = unified(a, b, by);
    if (same !== null) return same;
    // What the library leaves open is anything; of two that are not known those are the same that are written so.
    if (!own || !other) return true;
    return sameWritten(own.view, own.rows[at] ?? -1, other.view, other.rows[at] ?? -1);
  };
  const { length } = has.parameters;
  return (
    has.parameters.every((one, at) => isSame(one, needs.parameters[at] ?? UNKNOWN, at)) &&
    isSame(has.result, needs.result, length)
  );
}

/** The types of a method's parameters and result as they are written; null for one of the library. */
function writtenTypes(member: Member): { readonly view: UnitView; readonly rows: readonly number[] } | null {
  if (member.kind !== 'symbol') return null;
  const { view, row } = member.symbol;
  const { bindings, symbols } = view.unit;
  const parameters = view.bindingsOf(row, 'parameter').map((one) => bindings.type[one] ?? -1);
  return { view, rows: [...parameters, symbols.type[row] ?? -1] };
}

/** Of each method of a class or interface the nearest that it overrides: among classes, and in each interface. */
function byBases(linker: Linker): ResolvedOverride[] {
  const { own: view } = linker;
  const found: ResolvedOverride[] = [];
  const { symbols } = view.unit;
  for (let row = 0; row < symbols.length; row += 1) {
    if (!['class', 'interface', 'enum'].includes(view.symbolKind(row))) continue;
    const self = selfType(view.symbol(row));
    const behind = linker
      .ancestors(self)
      .filter((one) => one.kind !== 'named' || one.symbol !== view.symbol(row));
    if (!behind.some(({ kind }) => kind === 'named')) continue;
    for (const [, own] of linker.ownMembers(view.symbol(row)))
      for (const method of own) {
        if (view.symbolKind(method.row) !== 'method') continue;
        if (view.hasFlag(method.row, 'static') || view.hasFlag(method.row, 'private')) continue;
        for (const target of overriddenAmong(linker, method, behind))
          for (const one of linker.definitions(method))
            for (const other of linker.definitions(target))
              if (one.view === view) found.push(override(one, other, 'type'));
      }
  }
  return view.rules.package === 'program' ? [...found, ...ofReceivers(linker)] : found;
}

/** What methods override that are declared in a type of another file. */
function ofReceivers(linker: Linker): ResolvedOverride[] {
  const { own: view } = linker;
  const found: ResolvedOverride[] = [];
  for (const all of view.elsewhere.values())
    for (const method of all) {
      const type = linker.type(view, view.unit.symbols.receiver[method.row] ?? -1);
      if (type.kind !== 'named' || type.symbol.view === view) continue;
      const { view: other } = type.symbol;
      const declared = (linker.ownMembers(type.symbol).get(view.symbolName(method.row)) ?? []).find((one) =>
        linker.definitions(one).includes(method),
      );
      if (!declared || other.symbolKind(declared.row) !== 'method') continue;
      const behind = linker.ancestors(selfType(type.symbol)).slice(1);
      for (const target of overriddenAmong(linker, declared, behind))
        for (const one of linker.definitions(target)) found.push(override(method, one, 'type'));
    }
  return found;
}

function overriddenAmong(linker: Linker, method: Sym, behind: readonly Type[]): Sym[] {
  const name = method.view.symbolName(method.row);
  const found: Sym[] = [];
  const hidden = new Set<Sym>();
  let inClass = false;
  for (const type of behind) {
    if (type.kind !== 'named' || hidden.has(type.symbol)) continue;
    const isClass = !isInterface(linker, type);
    if (isClass && inClass) continue;
    const target = linker.ownNamed(type.symbol, name).find((one) => isOverride(linker, method, one, type));
    if (!target) continue;
    found.push(target);
    if (isClass) inClass = true;
    // What lies behind an interface that has it is overridden by that.
    for (const one of linker.ancestors(type)) if (one.kind === 'named') hidden.add(one.symbol);
  }
  return found;
}

function isOverride(linker: Linker, method: Sym, target: Sym, owner: Type): boolean {
  const { view, row } = target;
  if (view.symbolKind(row) !== 'method' || view.hasFlag(row, 'static') || view.hasFlag(row, 'private'))
    return false;
  if (view.rules.package === 'program' && !view.hasFlag(row, 'virtual')) return false;
  if (!view.rules.overloads) return true;
  const name = view.symbolName(row);
  const member = linker
    .members(linker.own, owner, name, 'call')
    .find((one) => one.kind === 'symbol' && one.symbol === target);
  const [has, needs] = [
    linker.signature(method),
    member ? memberSignature(linker, member) : linker.signature(target),
  ];
  if (!needs || has.parameters.length !== needs.parameters.length || !sameLabels(has, needs)) return false;
  return has.parameters.every((one, at) => sameType(one, needs.parameters[at] ?? UNKNOWN) !== false);
}

function override(method: Sym, target: Sym, via: ResolutionKind): ResolvedOverride {
  const { view, row } = method;
  const { name_line: line = 0, name = '' } = view.facts.definitions[row] ?? {};
  return {
    file: view.path,
    definition: row,
    target: { file: target.view.path, definition: target.row },
    resolution: via,
    confidence: CONFIDENCE[via],
    evidence: { line, column: null, expression: name },
  };
}
