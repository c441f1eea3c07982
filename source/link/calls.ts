import type { LinkContext, Member } from './context.js';
import { libraryPackage, memberSignature } from './members.js';
import {
  type Callable,
  inferred,
  type Signature,
  type Substitution,
  sameType,
  substituted,
  substitutedSignature,
  type Type,
  typeOfThing,
  UNKNOWN,
} from './types.js';
import type { UnitView } from './unit-view.js';

/** Functions of one name that are compared. */
const MOST_OVERLOADS = 64;

/** One argument of a call. */
export interface Argument {
  readonly row: number;
  readonly type: Type;
  /** Of an unnamed function how many parameters it has; {@link ANY} of a function that is named; else -1. */
  readonly takes: number;
}

/** A function that is given by its name: it is not known yet which of several, and what that takes. */
export const ANY = -2;

/** The arguments of a call: what is known of each. */
export function argumentsOf(ctx: LinkContext, view: UnitView, rows: readonly number[]): Argument[] {
  return rows.map((given) => {
    if (view.isNamedArgument(given)) {
      const [inner] = argumentsOf(ctx, view, [view.unit.expressions.base[given] ?? -1]);
      if (inner) return inner;
    }
    const row = given;
    if (row < 0) return { row, type: UNKNOWN, takes: -1 };
    if (view.expressionKind(row) !== 'function')
      return { row, type: typeOfThing(ctx.thing(view, row)), takes: -1 };
    const name = view.unit.expressions.base[row] ?? -1;
    if (name < 0) return { row, type: UNKNOWN, takes: parametersOf(view, row).length };
    // What makes a list takes its length.
    const made = view.expressionKind(name) === 'new' ? typeOfThing(ctx.thing(view, name)) : UNKNOWN;
    return { row, type: UNKNOWN, takes: made.kind === 'list' ? 1 : ANY };
  });
}

/** The bindings that are the parameters of an unnamed function. */
export function parametersOf(view: UnitView, expression: number): readonly number[] {
  const scope = view.unit.expressions.scope[expression] ?? -1;
  return view.bindingsIn(scope).filter((row) => view.bindingKind(row) === 'parameter');
}

/** What a function or what holds one takes and gives: of an interface with a single method that method. */
export function functionShape(ctx: LinkContext, type: Type): Signature | null {
  const stands = ctx.underlying(type);
  if (stands.kind === 'pointer') return null;
  if (stands.kind === 'parameter' && stands.bound?.kind === 'function')
    return functionShape(ctx, stands.bound);
  if (stands.kind === 'function') {
    const { parameters, variadic, result } = stands;
    const required = variadic ? parameters.length - 1 : parameters.length;
    return { typeParameters: [], parameters, required, variadic, result };
  }
  return stands.kind === 'named' || stands.kind === 'external' ? singleMethod(ctx, stands) : null;
}

/** The method of an interface that has a single one without a body. */
function singleMethod(ctx: LinkContext, type: Type): Signature | null {
  const names = new Map<string, Member>();
  for (const one of ctx.ancestors(type)) {
    if (one.kind === 'external') {
      const library = ctx.library(ctx.own).type(libraryPackage(ctx, one.package), one.name);
      if (!library?.isInterface) continue;
      for (const [name, found] of library.members)
        if (found.length === 1)
          for (const member of ctx.members(ctx.own, one, name, 'call'))
            if (!found[0]?.hasBody && !names.has(name)) names.set(name, member);
    } else if (one.kind === 'named') {
      const { view, row } = one.symbol;
      if (view.symbolKind(row) !== 'interface') return null;
      for (const [name, entries] of view.scopeNames(view.unit.symbols.body[row] ?? -1))
        for (const { table, row: member } of entries)
          if (table === 'symbol' && view.symbolKind(member) === 'method' && !names.has(name)) {
            const found = ctx
              .members(view, one, name, 'call')
              .find((each) => each.kind === 'symbol' && each.symbol === view.symbol(member));
            if (found && isOpen(view, member)) names.set(name, found);
          }
    }
  }
  const [only, ...others] = names.values();
  return only && others.length === 0 ? memberSignature(ctx, only) : null;
}

/** Whether a method of an interface has no body. */
function isOpen(view: UnitView, symbol: number): boolean {
  if (view.hasFlag(symbol, 'static') || view.hasFlag(symbol, 'private')) return false;
  return view.hasFlag(symbol, 'abstract') || (view.facts.definitions[symbol]?.declaration_only ?? false);
}

/** Those of the functions of one name that a call with these arguments can mean: one, if it can be told. */
export function selected(
  ctx: LinkContext,
  callables: readonly Callable[],
  given: readonly Argument[],
): readonly Callable[] {
  if (callables.length < 2) return callables;
  const fitting: { readonly one: Callable; readonly phase: number }[] = [];
  for (const one of callables.slice(0, MOST_OVERLOADS)) {
    const phase = phaseOf(ctx, one.signature, given);
    if (phase !== null) fitting.push({ one, phase });
  }
  if (fitting.length === 0) return callables.filter(({ signature }) => takes(signature, given.length));
  const first = Math.min(...fitting.map(({ phase }) => phase));
  const best = fitting.flatMap(({ one, phase }) => (phase === first ? one : []));
  if (best.length === 1) return best;
  // Nothing is nearer than the very types of the arguments.
  const asList = first < 2;
  const exact = best.filter(({ signature }) =>
    given.every(
      ({ type, takes }, at) => takes < 0 && sameType(type, parameterAt(signature, at, asList)) === true,
    ),
  );
  if (exact.length === 1) return exact;
  const most = best.filter((one) =>
    best.every((other) => other === one || isAsSpecific(ctx, one.signature, other.signature, given, asList)),
  );
  return most.length === 1 ? most : most.length > 1 ? nearestOf(most) : best;
}

/** What a function takes at a place; the last one that takes any number takes a list of it, or each by itself. */
function parameterAt({ parameters, variadic }: Signature, at: number, asList: boolean): Type {
  const last = parameters.length - 1;
  const written = parameters[variadic ? Math.min(at, last) : at] ?? UNKNOWN;
  return variadic && asList && at >= last ? { kind: 'list', of: written } : written;
}

/** Of functions that take the same the nearest: it hides the others. */
function nearestOf(most: readonly Callable[]): readonly Callable[] {
  const [first] = most;
  if (!first || most.some(({ isEither }) => isEither)) return most;
  const same = most.every(({ signature }) =>
    signature.parameters.every(
      (one, at) => sameType(one, first.signature.parameters[at] ?? UNKNOWN) === true,
    ),
  );
  return same ? [first] : most;
}

function takes({ parameters, required, variadic }: Signature, count: number): boolean {
  return count >= required && (variadic || count <= parameters.length);
}

/** What a call needs for its arguments to fit: 0 nothing, 1 boxes, 2 a list made of them; null where they do not fit. */
function phaseOf(ctx: LinkContext, signature: Signature, given: readonly Argument[]): number | null {
  if (!takes(signature, given.length)) return null;
  const { parameters, variadic } = signature;
  const direct =
    variadic && given.length !== parameters.length ? null : fits(ctx, parameters, given, variadic);
  if (direct !== null || !variadic) return direct;
  const last = parameters[parameters.length - 1] ?? UNKNOWN;
  const spread = given.map((_, at) => (at < parameters.length - 1 ? (parameters[at] ?? UNKNOWN) : last));
  return fits(ctx, spread, given, false) === null ? null : 2;
}

function fits(
  ctx: LinkContext,
  parameters: readonly Type[],
  given: readonly Argument[],
  asList: boolean,
): number | null {
  let phase = 0;
  for (const [at, argument] of given.entries()) {
    const written = parameters[at] ?? UNKNOWN;
    const parameter =
      asList && at === parameters.length - 1 ? { kind: 'list' as const, of: written } : written;
    if (argument.takes !== -1) {
      const shape = functionShape(ctx, parameter);
      if (shape && argument.takes !== ANY && shape.parameters.length !== argument.takes) return null;
      if (!shape && isKnownOtherwise(ctx, parameter)) return null;
      continue;
    }
    const fit = assignable(ctx, argument.type, parameter);
    if (fit === 'no') return null;
    if (fit === 'boxed') phase = Math.max(phase, 1);
  }
  return phase;
}

/** Whether a type is surely none that an unnamed function can be given for. */
function isKnownOtherwise(ctx: LinkContext, type: Type): boolean {
  if (type.kind === 'builtin' || type.kind === 'list' || type.kind === 'map') return true;
  if (type.kind === 'named') return type.symbol.view.symbolKind(type.symbol.row) !== 'interface';
  if (type.kind !== 'external') return false;
  const library = ctx.library(ctx.own).type(type.package, type.name);
  return library !== undefined && !library.isInterface;
}

/** How a value of one type fits where another one is expected. */
type Fit = 'same' | 'yes' | 'boxed' | 'unknown' | 'no';

/** As {@link assignable}, where which of several types of one name is meant is not known. */
function fitsEither(ctx: LinkContext, from: Type, to: Type): Fit {
  const partsOf = (type: Type) => (type.kind === 'either' ? type.parts : [type]);
  const each = partsOf(from).flatMap((one) => partsOf(to).map((other) => assignable(ctx, one, other)));
  return each.every((one) => one === 'no') ? 'no' : 'unknown';
}

/** Whether a value of one type can be given where another one is expected. */
export function assignable(ctx: LinkContext, from: Type, to: Type): Fit {
  const { rules } = ctx.own;
  if (from.kind === 'unknown' || to.kind === 'unknown') return 'unknown';
  if (rules.converts) return convertible(ctx, from, to, true);
  if (from.kind === 'parameter') {
    if (to.kind === 'parameter' && to.id === from.id) return 'same';
    const stands = from.bound ?? rootOf(ctx);
    return stands === null ? 'unknown' : noNearer(assignable(ctx, stands, to));
  }
  if (from.kind === 'union') {
    const each = from.parts.map((one) => assignable(ctx, one, to));
    return each.some((one) => one === 'same' || one === 'yes')
      ? 'yes'
      : each.includes('unknown')
        ? 'unknown'
        : 'no';
  }
  if (from.kind === 'either' || to.kind === 'either') return fitsEither(ctx, from, to);
  if (to.kind === 'parameter') {
    if (to.bound) return assignable(ctx, from, to.bound) === 'no' ? 'no' : 'yes';
    return from.kind === 'builtin' && rules.boxes[from.name] !== undefined ? 'boxed' : 'yes';
  }
  if (to.kind === 'union') return to.parts.some((one) => assignable(ctx, from, one) === 'no') ? 'no' : 'yes';
  if (from.kind === 'builtin' && to.kind === 'external' && rules.literalsFit?.[from.name]?.includes(to.name))
    return 'boxed';
  const [a, b] = [plain(ctx, from), plain(ctx, to)];
  if (a.kind === 'builtin' && b.kind === 'builtin') {
    if (a.name === b.name) return 'same';
    if (rules.widening.length === 0) return 'unknown';
    const [narrow, wide] = [rules.widening.indexOf(a.name), rules.widening.indexOf(b.name)];
    return narrow >= 0 && wide > narrow ? 'yes' : 'no';
  }
  if (a.kind === 'builtin') {
    if (a.name === 'null' || a.name === 'nil') return 'yes';
    const box = ctx.library(ctx.own).named(rules.boxes[a.name] ?? '');
    if (!box) return rules.boxes[a.name] === undefined ? 'unknown' : 'boxed';
    const boxed: Type = { kind: 'external', package: box.package, name: box.name, args: [] };
    return isBehind(ctx, boxed, b) === false ? 'no' : 'boxed';
  }
  if (b.kind === 'builtin') {
    const name = a.kind === 'external' ? `${a.package}.${a.name}` : '';
    const unboxed = Object.entries(rules.boxes).find(([, box]) => box === name)?.[0];
    if (unboxed === undefined)
      return a.kind === 'external' && rules.widening.length > 0
        ? 'no'
        : a.kind === 'named'
          ? 'no'
          : 'unknown';
    const [narrow, wide] = [rules.widening.indexOf(unboxed), rules.widening.indexOf(b.name)];
    return unboxed === b.name || (narrow >= 0 && wide > narrow) ? 'boxed' : 'no';
  }
  if (a.kind === 'list' || b.kind === 'list') {
    if (a.kind === 'list' && b.kind === 'list') {
      const inner = assignable(ctx, a.of, b.of);
      return inner === 'boxed' || (a.of.kind === 'builtin' && inner === 'yes') ? 'no' : inner;
    }
    const other = a.kind === 'list' ? b : a;
    if (a.kind === 'list' && isRoot(ctx, other)) return 'yes';
    return other.kind === 'named' || other.kind === 'external' ? 'no' : 'unknown';
  }
  const behind = isBehind(ctx, a, b);
  if (behind === null) return 'unknown';
  if (!behind) return a.kind === 'function' && functionShape(ctx, b) ? 'yes' : 'no';
  return sameType(a, b) === true ? 'same' : 'yes';
}

/** As {@link assignable}, where values are converted by constructors. @param also Whether one may be converted so. */
function convertible(ctx: LinkContext, from: Type, to: Type, also: boolean): Fit {
  const [a, b] = [ctx.underlying(from), ctx.underlying(to)];
  if (a.kind === 'unknown' || b.kind === 'unknown' || a.kind === 'parameter') return 'unknown';
  if (b.kind === 'parameter') return 'boxed';
  if (sameType(a, b) === true) return 'same';
  if (a.kind === 'builtin' && b.kind === 'builtin') return 'yes';
  const isNull = a.kind === 'builtin' && a.name === 'null';
  const points = (type: Type): type is Type & { of: Type } => type.kind === 'pointer' || type.kind === 'list';
  if (points(b)) {
    if (isNull) return 'yes';
    if (!points(a)) return a.kind === 'function' || a.kind === 'external' ? 'unknown' : 'no';
    const [inner, outer] = [ctx.underlying(a.of), ctx.underlying(b.of)];
    if (outer.kind === 'builtin' && outer.name === 'void') return 'boxed';
    if (inner.kind === 'unknown' || outer.kind === 'unknown') return 'unknown';
    if (sameType(inner, outer) === true) return 'same';
    if (sameType(inner, outer) === null || outer.kind === 'parameter') return 'unknown';
    return isBehind(ctx, inner, outer) === false || inner.kind === 'builtin' ? 'no' : 'yes';
  }
  if (b.kind === 'builtin')
    return points(a) ? (b.name === 'bool' ? 'boxed' : 'no') : a.kind === 'named' ? 'no' : 'unknown';
  if (b.kind === 'external') return points(a) || a.kind === 'external' ? 'unknown' : 'no';
  if (b.kind !== 'named') return 'unknown';
  if (a.kind === 'named' && isBehind(ctx, a, b)) return 'yes';
  if (!also) return 'no';
  const { view, row } = b.symbol;
  if (view.symbolKind(row) !== 'class') return 'no';
  for (const entries of view.scopeNames(view.unit.symbols.body[row] ?? -1).values())
    for (const { table, row: member } of entries) {
      if (table !== 'symbol' || view.symbolKind(member) !== 'constructor') continue;
      const { parameters, required } = ctx.signature(view.symbol(member));
      const [first] = parameters;
      if (first && required < 2 && convertible(ctx, a, first, false) !== 'no') return 'boxed';
    }
  return 'no';
}

/** What a type parameter is given for is not its very type. */
function noNearer(fit: Fit): Fit {
  return fit === 'same' ? 'yes' : fit;
}

/** What every type derives from. */
function rootOf(ctx: LinkContext): Type | null {
  const found = ctx.library(ctx.own).named(ctx.own.rules.rootType);
  return found ? { kind: 'external', package: found.package, name: found.name, args: [] } : null;
}

function isRoot(ctx: LinkContext, type: Type): boolean {
  return type.kind === 'external' && `${type.package}.${type.name}` === ctx.own.rules.rootType;
}

/** A literal's type as the type of the library that it is. */
function plain(ctx: LinkContext, type: Type): Type {
  if (type.kind !== 'builtin') return type;
  const found = ctx.library(ctx.own).named(ctx.own.rules.literals[type.name] ?? '');
  return found ? { kind: 'external', package: found.package, name: found.name, args: [] } : type;
}

/** Whether a type is another one or derives from it; null where not all that it derives from is known. */
function isBehind(ctx: LinkContext, type: Type, base: Type): boolean | null {
  if (isRoot(ctx, base)) return true;
  if (type.kind === 'function') return false;
  if (
    (type.kind !== 'named' && type.kind !== 'external') ||
    (base.kind !== 'named' && base.kind !== 'external')
  )
    return sameType(type, base);
  let isWhole = true;
  for (const one of ctx.ancestors(type)) {
    if (sameType(one, base) === true) return true;
    if (one.kind === 'external' && !ctx.library(ctx.own).type(libraryPackage(ctx, one.package), one.name))
      isWhole = false;
  }
  return isWhole ? false : base.kind === 'named' && type.kind === 'external' ? false : null;
}

/** Whether what one function takes can all be given to another. */
function isAsSpecific(
  ctx: LinkContext,
  one: Signature,
  other: Signature,
  given: readonly Argument[],
  asList: boolean,
): boolean {
  for (const [index, argument] of given.entries()) {
    const [left, right] = [parameterAt(one, index, asList), parameterAt(other, index, asList)];
    if (argument.takes !== -1) {
      // A function is nearer to what is made to hold one.
      const [isLeft, isRight] = [left, right].map((each) => functionShape(ctx, each) !== null);
      if (isLeft === isRight ? sameType(left, right) === false : !isLeft) return false;
      continue;
    }
    const fit = assignable(ctx, left, right);
    if (fit === 'no' || fit === 'boxed') return false;
    // Which of two is meant is not known where the argument's type is not.
    if (argument.type.kind === 'unknown' && sameType(left, right) !== true) return false;
  }
  return true;
}

/** What a call of a function gives: its result with what its type parameters stand for. */
export function resultOf(callable: Callable, given: readonly Argument[], explicit: readonly Type[]): Type {
  const { signature } = callable;
  const by = new Map(argumentsFor(signature, given, explicit));
  // What nothing tells stays open: it is no parameter of the function around the call.
  const { result } = signature;
  for (const id of signature.typeParameters)
    if (!by.has(id))
      by.set(id, result.kind === 'parameter' && result.id === id ? (result.bound ?? UNKNOWN) : UNKNOWN);
  return substituted(signature.result, by);
}

/** What the type parameters of a function stand for in one call. */
function argumentsFor(
  signature: Signature,
  given: readonly Argument[],
  explicit: readonly Type[],
): Substitution {
  const { typeParameters, parameters, variadic } = signature;
  const by = new Map<string, Type>();
  if (typeParameters.length === 0) return by;
  for (const [at, id] of typeParameters.entries()) {
    const written = explicit[at];
    if (written) by.set(id, written);
  }
  const open = new Set(typeParameters);
  for (const [at, { type }] of given.entries()) {
    const last = parameters.length - 1;
    const parameter = parameters[variadic ? Math.min(at, last) : at];
    if (!parameter) continue;
    // A list is taken for all that come last, but for one of what can stand for no type parameter.
    const isAll = variadic && at === last && given.length === parameters.length && type.kind === 'list';
    const all = isAll && type.of.kind !== 'builtin' && parameter.kind !== 'list';
    inferred(parameter, all ? type.of : type, open, by);
  }
  return by;
}

/** Of functions of one name those that fit what is expected where one is given by its name. */
export function fittingShape(
  ctx: LinkContext,
  callables: readonly Callable[],
  shape: Signature,
): readonly Callable[] {
  const given = shape.parameters.map((type): Argument => ({ row: -1, type, takes: -1 }));
  const direct = selected(ctx, callables, given);
  if (direct.length === 1) return direct;
  // Of a method that is given by its type the first is what it is called on.
  const bound = selected(ctx, callables, given.slice(1));
  return bound.length === 1 ? bound : callables;
}

function isFunctionGiven(view: UnitView, row: number): boolean {
  const inner = view.isNamedArgument(row) ? (view.unit.expressions.base[row] ?? -1) : row;
  return view.expressionKind(inner) === 'function';
}

/** A function that is given a tuple, as one of so many parameters: it may take the parts. */
function inParts(shape: Signature, count: number): Signature {
  const [only, ...others] = shape.parameters;
  const isSplit = only?.kind === 'tuple' && others.length === 0 && count > 1 && only.parts.length === count;
  return isSplit ? { ...shape, parameters: only.parts, required: count } : shape;
}

/** What is expected of an unnamed function: what it takes and gives, by where it stands. */
export function expectedShape(
  ctx: LinkContext,
  view: UnitView,
  expression: number,
  callablesOf: (call: number) => readonly Callable[] | Type,
): Signature | null {
  const use = view.useOf(expression);
  if (!use) return null;
  if ('type' in use) return use.type < 0 ? null : functionShape(ctx, ctx.type(view, use.type));
  if ('like' in use) return functionShape(ctx, typeOfThing(ctx.thing(view, use.like)));
  if (!('call' in use)) return null;
  const callables = callablesOf(use.call);
  if ('kind' in callables) return functionShape(ctx, callables);
  const rows = view.items('expressions', use.call);
  const count = parametersOf(view, expression).length;
  const isNamed = (view.unit.expressions.base[expression] ?? -1) >= 0;
  const shapes: Signature[] = [];
  for (const { signature } of callables.slice(0, MOST_OVERLOADS)) {
    if (!takes(signature, rows.length)) continue;
    const { parameters, variadic } = signature;
    const parameter = parameters[variadic ? Math.min(use.at, parameters.length - 1) : use.at];
    const whole = parameter && functionShape(ctx, parameter);
    const shape = whole && ctx.own.rules.labels ? inParts(whole, count) : whole;
    if (!shape || (!isNamed && shape.parameters.length !== count)) continue;
    if (signature.typeParameters.length === 0) shapes.push(shape);
    else {
      const given = argumentsOf(
        ctx,
        view,
        rows.map((row) => (isFunctionGiven(view, row) ? -1 : row)),
      );
      shapes.push(substitutedSignature(shape, argumentsFor(signature, given, [])));
    }
  }
  const [first, ...others] = shapes;
  if (!first) return null;
  const isSame = others.every((one) =>
    one.parameters.every((type, at) => sameType(type, first.parameters[at] ?? UNKNOWN) === true),
  );
  return isSame ? first : null;
}
