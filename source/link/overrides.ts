import { LIMITS } from '../../schema/index.js';
import { CONFIDENCE } from '../resolution/found-target.js';
import type { ResolutionKind, ResolvedBase, ResolvedOverride } from '../resolution/resolution.js';
import { representative } from './interface.js';
import type { Linker } from './linker.js';
import { isInterface, memberSignature } from './members.js';
import { selfType } from './names.js';
import { type Signature, sameType, type Type, UNKNOWN } from './types.js';
import type { Sym } from './unit-view.js';

/** Methods of one type that are compared with interfaces. */
const MOST_METHODS = 512;

/** The interfaces of the project that the types of a file satisfy without saying so. */
export function implementedBy(linker: Linker): ResolvedBase[] {
  const { own: view } = linker;
  if (view.rules.satisfaction !== 'implicit') return [];
  const found: ResolvedBase[] = [];
  for (const symbol of typesOf(linker))
    for (const target of satisfied(linker, symbol)) {
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
  return linker.own.rules.satisfaction === 'implicit' ? byMethods(linker) : byBases(linker);
}

/** The types of the file, of which methods may be declared elsewhere. */
function typesOf({ own: view }: Linker): Sym[] {
  const found: Sym[] = [];
  for (let row = 0; row < view.unit.symbols.length; row += 1) {
    const kind = view.symbolKind(row);
    const isAlias = view.hasFlag(row, 'alias');
    if ((kind === 'class' || kind === 'type') && !isAlias) found.push(view.symbol(row));
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
    owners.set(type.symbol, [...(owners.get(type.symbol) ?? []), view.symbol(row)]);
  }
  const found: ResolvedOverride[] = [];
  for (const [owner, methods] of owners) {
    const interfaces = satisfied(linker, owner);
    for (const method of methods)
      for (const one of interfaces) {
        const target = linker.ownMembers(one).get(view.symbolName(method.row))?.[0];
        if (target) found.push(override(method, target, 'type'));
      }
  }
  return found;
}

/** The interfaces of the project whose methods a type has: each is found by one of them. */
function satisfied(linker: Linker, symbol: Sym): Sym[] {
  const { units, own: view } = linker;
  const type = selfType(symbol);
  const names = methodNames(linker, type);
  const found = new Set<Sym>();
  for (const name of [...names].sort().slice(0, MOST_METHODS))
    for (const path of units.withInterface(`${view.rules.modules}#${name}`)) {
      const other = linker.view(path);
      if (!other) continue;
      for (let row = 0; row < other.unit.symbols.length; row += 1) {
        if (other.symbolKind(row) !== 'interface' || found.has(other.symbol(row))) continue;
        if (representative(other, row) !== name) continue;
        if (satisfies(linker, type, other.symbol(row))) found.add(other.symbol(row));
      }
    }
  return [...found];
}

/** The names of all methods of a type, promoted ones included. */
function methodNames(linker: Linker, start: Type): Set<string> {
  const names = new Set<string>();
  const visited = new Set<Sym>();
  const queue: Type[] = [start];
  for (let at = 0; at < queue.length && at < LIMITS.ancestors.max; at += 1) {
    const type = queue[at];
    if (type?.kind !== 'named' || visited.has(type.symbol)) continue;
    visited.add(type.symbol);
    for (const [name, symbols] of linker.ownMembers(type.symbol))
      if (symbols.some(({ view, row }) => view.symbolKind(row) === 'method')) names.add(name);
    queue.push(...linker.supertypes(type));
  }
  return names;
}

/** Whether a type has all methods of an interface, those that it embeds included, with the same parameters. */
function satisfies(linker: Linker, type: Type, target: Sym): boolean {
  const wanted = interfaceMethods(linker, target);
  if (wanted === null || wanted.size === 0) return false;
  for (const [name, method] of wanted) {
    const [member, ...others] = linker.members(linker.own, type, name, 'call');
    if (!member || others.length > 0) return false;
    if (member.kind === 'symbol' && member.symbol.view.symbolKind(member.symbol.row) !== 'method')
      return false;
    const [has, needs] = [memberSignature(linker, member), linker.signature(method)];
    if (has && !fits(has, needs)) return false;
    // Names that are not exported are those of their own package.
    if (!method.view.hasFlag(method.row, 'exported') && !isSamePackage(method, member)) return false;
  }
  return true;
}

function isSamePackage(method: Sym, member: { kind: string; symbol?: Sym }): boolean {
  const other = member.symbol?.view;
  if (!other) return false;
  const folder = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return folder(other.path) === folder(method.view.path);
}

function fits(has: Signature, needs: Signature): boolean {
  const same = (a: Type, b: Type) => sameType(a, b) !== false;
  return (
    has.parameters.length === needs.parameters.length &&
    has.variadic === needs.variadic &&
    has.parameters.every((one, at) => same(one, needs.parameters[at] ?? UNKNOWN)) &&
    same(has.result, needs.result)
  );
}

/** The methods of an interface by name; null where it embeds something that is not known. */
function interfaceMethods(linker: Linker, symbol: Sym): Map<string, Sym> | null {
  const found = new Map<string, Sym>();
  const visited = new Set<Sym>();
  const queue: Type[] = [selfType(symbol)];
  for (let at = 0; at < queue.length && at < LIMITS.ancestors.max; at += 1) {
    const type = queue[at];
    if (type?.kind === 'external' || type?.kind === 'unknown' || type?.kind === 'union') return null;
    if (type?.kind !== 'named' || visited.has(type.symbol)) continue;
    visited.add(type.symbol);
    for (const [name, symbols] of linker.ownMembers(type.symbol)) {
      const method = symbols.find(({ view, row }) => view.symbolKind(row) === 'method');
      if (method && !found.has(name)) found.set(name, method);
    }
    queue.push(...linker.supertypes(type));
  }
  return found;
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
          found.push(override(method, target, 'type'));
      }
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
    const target = (linker.ownMembers(type.symbol).get(name) ?? []).find((one) =>
      isOverride(linker, method, one, type),
    );
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
  const name = view.symbolName(row);
  const member = linker
    .members(linker.own, owner, name, 'call')
    .find((one) => one.kind === 'symbol' && one.symbol === target);
  const [has, needs] = [
    linker.signature(method),
    member ? memberSignature(linker, member) : linker.signature(target),
  ];
  if (!needs || has.parameters.length !== needs.parameters.length) return false;
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
