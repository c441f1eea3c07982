import type { ResolutionKind } from '../resolution/resolution.js';
import type { LinkContext, Space } from './context.js';
import { eitherOf, NOTHING, sameType, type Thing, valueThing } from './types.js';
import type { Entry, Sym, UnitView } from './unit-view.js';

const TYPES = new Set(['class', 'interface', 'enum', 'type']);
const FUNCTIONS = new Set(['function', 'method', 'constructor']);

/** Whether a symbol is among what a name of that space can mean. */
export function isOf({ view, row }: Sym, space: Space): boolean {
  const kind = view.symbolKind(row);
  if (space === 'type') return TYPES.has(kind) && !view.hasFlag(row, 'singleton');
  if (space === 'term')
    return TYPES.has(kind)
      ? view.hasFlag(row, 'singleton') || view.hasFlag(row, 'called')
      : kind !== 'constructor';
  return space === 'call'
    ? FUNCTIONS.has(kind) && kind !== 'constructor'
    : !TYPES.has(kind) && !FUNCTIONS.has(kind);
}

/** Of symbols of one name those that it can mean: an object before the class that it stands beside. */
export function meant(symbols: readonly Sym[], space: Space): readonly Sym[] {
  const found = symbols.filter((one) => isOf(one, space));
  if (space !== 'term' || found.length < 2) return found;
  const objects = found.filter(({ view, row }) => view.hasFlag(row, 'singleton'));
  return objects.length > 0 ? objects : found;
}

/** Whether a symbol defines a type. */
export function isTypeSymbol({ view, row }: Sym): boolean {
  return TYPES.has(view.symbolKind(row));
}

/** What entries of one scope mean: the last that is visible, functions of one name together. */
export function entryThing(
  ctx: LinkContext,
  view: UnitView,
  all: readonly Entry[],
  at: number,
  space: Space,
): Thing {
  const apart = view.rules.namespaces === 'apart' || view.rules.namespaces === 'terms';
  const entries = view.rules.namespaces === 'tags' ? tagged(view, all, at, space) : all;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (!entry || (entry.from > at && entry.from > 0)) continue;
    if (entry.table === 'binding') {
      const kind = view.bindingKind(entry.row);
      const isType = kind === 'type parameter';
      if (kind === 'import' ? view.bindingHas(entry.row, 'star') : apart && isType !== (space === 'type'))
        continue;
      if (apart && kind !== 'import' && space === 'call' && !view.rules.callsValues) continue;
      const thing = ctx.bindingThing(view, entry.row, space);
      if (thing.is !== 'unknown' && kind === 'import' && view.rules.paths)
        return alternatives(ctx, view, entries, thing, space);
      if (thing.is !== 'unknown' || kind !== 'import') return bound(thing, kind === 'import');
      continue;
    }
    const symbol = view.symbol(entry.row);
    if (apart && !isOf(symbol, space)) continue;
    const same = entries.flatMap((one) => (one.table === 'symbol' ? view.symbol(one.row) : []));
    if (space === 'term' && isTypeSymbol(symbol) && !meant(same, space).includes(symbol)) continue;
    const functions = written(same).filter((one) => isOf(one, 'call'));
    const isFunction = isOf(symbol, 'call') && functions.length > 0;
    return symbolsThing(ctx, isFunction ? functions : [symbol], 'exact');
  }
  return NOTHING;
}

/** What several imports of one name bring, each under a condition of its own: functions or types of which each is possible. */
function alternatives(
  ctx: LinkContext,
  view: UnitView,
  entries: readonly Entry[],
  last: Thing,
  space: Space,
): Thing {
  const things = entries.flatMap(({ table, row }) =>
    table === 'binding' && view.bindingKind(row) === 'import' && !view.bindingHas(row, 'star')
      ? [ctx.bindingThing(view, row, space)]
      : [],
  );
  if (last.is === 'function') {
    const callables = things.flatMap((one) => (one.is === 'function' ? one.callables : []));
    const found = callables.filter(
      (one, at) => callables.findIndex(({ symbol }) => symbol === one.symbol) === at,
    );
    return found.length < 2 ? last : { ...last, callables: found.map((one) => ({ ...one, isEither: true })) };
  }
  if (last.is !== 'type') return last;
  const type = eitherOf(things.flatMap((one) => (one.is === 'type' ? [one.type] : [])));
  return type.kind === 'either' ? { is: 'type', type, via: last.via } : last;
}

/** Of entries of one name the types where a type is asked for; else these only where there is nothing else. */
function tagged(view: UnitView, entries: readonly Entry[], at: number, space: Space): readonly Entry[] {
  if (entries.length < 2 && space !== 'type') return entries;
  const isType = ({ table, row }: Entry) => {
    if (table === 'symbol') return isTypeSymbol(view.symbol(row));
    const kind = view.bindingKind(row);
    return kind === 'type parameter' || kind === 'import';
  };
  if (space === 'type') return entries.filter(isType);
  const others = entries.filter((one) => one.from <= at && !isType(one));
  return others.length > 0 ? others : entries;
}

/** Of symbols of one name those that are no macros, if there are any. */
export function written(symbols: Sym[]): Sym[] {
  const found = symbols.filter(({ view, row }) => !view.hasFlag(row, 'macro'));
  return found.length > 0 ? found : symbols;
}

/** A local name hides what is around it, also where nothing is known of it. */
function bound(thing: Thing, isImport: boolean): Thing {
  return thing.is === 'unknown' && !isImport ? { is: 'value', type: { kind: 'unknown' }, found: [] } : thing;
}

/** What several symbols of one name are together. */
export function symbolsThing(ctx: LinkContext, symbols: readonly Sym[], via: ResolutionKind): Thing {
  const [first] = symbols;
  if (!first) return NOTHING;
  if (symbols.length === 1) return ctx.symbolThing(first, via);
  const callables = symbols.flatMap((symbol) => {
    const thing = ctx.symbolThing(symbol, via);
    return thing.is === 'function' ? thing.callables : [];
  });
  if (callables.length > 0) {
    // Where a language has no overloads they are of one package for different systems.
    const isEither = !first.view.rules.overloads;
    return { is: 'function', callables: callables.map((one) => ({ ...one, isEither })) };
  }
  return isTypeSymbol(first) && symbols.every(isTypeSymbol)
    ? (sameThing(ctx, symbols, via) ?? eitherThing(symbols, via))
    : symbols.every(({ view }) => view === first.view)
      ? ctx.symbolThing(first, via)
      : NOTHING;
}

/** What several types of one name stand for, where that is one: a type that two headers give the same name. */
function sameThing(ctx: LinkContext, symbols: readonly Sym[], via: ResolutionKind): Thing | null {
  if (!symbols.every(({ view, row }) => view.hasFlag(row, 'alias'))) return null;
  const [first, ...others] = symbols.map((symbol) => ctx.symbolThing(symbol, via));
  const isSame = (one: Thing) =>
    one.is === 'type' && first?.is === 'type' && sameType(one.type, first.type) === true;
  return first !== undefined && others.every(isSame) ? first : null;
}

/** Several types of one name, of which none is nearer than the others. */
function eitherThing(symbols: readonly Sym[], via: ResolutionKind): Thing {
  const parts = symbols.map((symbol) => ({ kind: 'named' as const, symbol, args: [] }));
  return { is: 'type', type: { kind: 'either', parts }, via };
}

/** What a library has under a name at the top of a package; '' is what is built in. */
export function libraryThing(
  ctx: LinkContext,
  view: UnitView,
  inPackage: string,
  name: string,
  space: Space,
): Thing {
  const library = ctx.library(view);
  const package_ = inPackage === '' ? view.rules.builtinPackage : inPackage;
  // Beside a type of the library stands what its name is as a value.
  const beside = space === 'term' ? library.type(inPackage, `${name}$`) : undefined;
  if (beside)
    return {
      is: 'type',
      type: { kind: 'external', package: package_, name: beside.name, args: [] },
      via: 'import',
    };
  if (space === 'type' || (space === 'value' && view.rules.namespaces !== 'apart')) {
    const type = library.type(inPackage, name);
    if (type)
      return { is: 'type', type: { kind: 'external', package: package_, name, args: [] }, via: 'import' };
  }
  if (space === 'type') return NOTHING;
  const values = library.values(inPackage, name);
  const callables = values.flatMap(({ signature }) =>
    signature
      ? [{ symbol: null, external: { package: package_, name }, signature, via: 'import' as const }]
      : [],
  );
  if (callables.length > 0) return { is: 'function', callables };
  const [value] = values;
  return value ? valueThing(value.type) : NOTHING;
}
