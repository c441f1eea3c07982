import { LIMITS } from '../../schema/index.js';
import { isTestPath } from '../languages/test-path.js';
import { chosenInclude, moduleSystem } from '../modules/index.js';
import { directoryOf, sharedFolders } from '../resolution/file-path.js';
import type { LinkContext, Space } from './context.js';
import { isOf, isTypeSymbol, written } from './entries.js';
import { fileKey, includerKey } from './places.js';
import { sameWritten } from './unified.js';
import type { Sym, UnitView } from './unit-view.js';

/*
 * Programs whose files include each other: what a file sees of the others, and where what it declares is defined.
 */

/**
 * The symbols that a file sees under a name: of the files that it includes. A type that these only declare is the one
 * of that name; of a variable that several declare one is enough.
 */
export function programSymbols(
  ctx: LinkContext,
  from: UnitView,
  key: string,
  name: string,
  space: Space,
): Sym[] {
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
    if (view && ctx.includes(view).includes(path)) found.push(view);
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

/** The files that a file includes itself. */
export function includesOf(ctx: LinkContext, { path, facts }: UnitView): readonly string[] {
  return facts.imports.flatMap(({ module }) => includedFile(ctx, path, module) ?? []);
}

/** The file and all that it includes, and what these include. */
export function includedBy(ctx: LinkContext, view: UnitView): ReadonlySet<string> {
  const found = new Set([view.path]);
  for (const path of found) {
    const one = found.size > MOST_INCLUDED ? null : ctx.view(path);
    for (const file of one ? ctx.includes(one) : []) found.add(file);
  }
  return found;
}

/** The file of the project that an include names; null for one of elsewhere. */
export function includedFile(ctx: LinkContext, from: string, module: string): string | null {
  const { rules } = ctx.own;
  const { loads } = moduleSystem(rules.modules);
  if (loads) return loads.chosen(from, module, ctx.units.files(fileKey(rules.modules, loads.fileOf(module))));
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
  const files = ctx.units.named(`${view.packageKey}#${name}`);
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
  // Where several include what declares it each program has its own: the nearest is no more likely than the others.
  const found = (including.length > 0 ? including : nearest(view.path, defining)).flatMap(
    (path) => ctx.view(path)?.top(name).filter(isDefinition) ?? [],
  );
  return found.length > 0 ? fittingDefinitions(symbol, found) : [symbol];
}

/** The types of a name that a file only declares. */
export function completeTypes(ctx: LinkContext, { view, row }: Sym): readonly Sym[] {
  const name = view.topName(row) ?? '';
  const isComplete = (one: Sym) => isTypeSymbol(one) && !one.view.isDeclaration(one.row);
  const files = ctx.units.named(`${view.packageKey}#${name}`).slice(0, LIMITS.ancestors.max);
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
  for (const path of ctx.units.named(`${view.packageKey}#${type}`).slice(0, LIMITS.ancestors.max)) {
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

/** Of files that define one name: those that are as near as any, tests only where there is no other or a test asks. */
export function nearest(from: string, files: readonly string[]): readonly string[] {
  if (files.length < 2) return files;
  const code = files.filter((path) => !isTestPath(path));
  const seen = isTestPath(from) || code.length === 0 ? files : code;
  const shared = (path: string) => sharedFolders(directoryOf(path), directoryOf(from));
  const near = Math.max(...seen.map(shared));
  return seen.filter((path) => shared(path) === near);
}
