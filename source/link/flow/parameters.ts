import { directoryOf } from '../../resolution/file-path.js';
import type { Sym, UnitView } from '../unit-view.js';
import { decoratorsOf, isClassMethod } from './classes.js';
import type { Caller, FlowContext } from './context.js';
import { flowsOf } from './flows.js';
import { frameOf, receiverValue } from './frames.js';
import { symbolsNamed } from './modules.js';
import { classOf, ownerOf } from './scopes.js';
import {
  type CallArguments,
  type CallFrame,
  eachOf,
  inferred,
  NOTHING,
  oneOf,
  only,
  together,
  UNKNOWN,
  type Value,
  type ValueSet,
} from './value.js';

/** The arguments of a call as rows of its view: by position up to the first spread, and by name. */
export interface WrittenArguments {
  readonly passed: readonly number[];
  readonly named: ReadonlyMap<string, number>;
}

/** The arguments that are written in a call. */
export function argumentsOf({ view, call }: CallArguments): WrittenArguments {
  const passed: number[] = [];
  const named = new Map<string, number>();
  if (call < 0) return { passed, named };
  let isSpread = false;
  for (const row of view.items('expressions', call)) {
    const kind = row < 0 ? 'unknown' : view.expressionKind(row);
    if (kind === 'named') named.set(view.expressionName(row), view.unit.expressions.base[row] ?? -1);
    else if (kind === 'spread') isSpread ||= view.expressionName(row) !== 'named';
    else if (!isSpread) passed.push(row);
  }
  return { passed, named };
}

/** The parameters of a function, in their order. */
export function parametersOf({ view, row }: Sym): readonly number[] {
  const body = view.unit.symbols.body[row] ?? -1;
  return body < 0
    ? []
    : view.bindingsIn(body).filter((one) => {
        const kind = view.bindingKind(one);
        return kind === 'parameter' || kind === 'receiver';
      });
}

/** What a call hands to the parameter at a place; undefined for nothing. */
function argumentOf(
  ctx: FlowContext,
  symbol: Sym,
  parameters: readonly number[],
  at: number,
  given: CallArguments,
  isBound: boolean,
): (() => ValueSet) | undefined {
  const { view } = symbol;
  const binding = parameters[at] ?? -1;
  const position = isBound ? at - 1 : at;
  const { passed, named } = argumentsOf(given);
  const isVariadic = view.bindingHas(binding, 'variadic');
  if (isVariadic) {
    if (view.bindingHas(binding, 'named') || position < 0 || position >= passed.length) return undefined;
    return () =>
      only({
        kind: 'list',
        items: passed.slice(position).map((row) => ctx.values(given.view, row, given.frame)),
        more: NOTHING,
      });
  }
  const isByName =
    view.bindingHas(binding, 'named') ||
    parameters.slice(0, at).some((one) => view.bindingHas(one, 'variadic'));
  const byName = !view.bindingHas(binding, 'positional') ? named.get(view.bindingName(binding)) : undefined;
  const row = byName ?? (position >= 0 && !isByName ? passed[position] : undefined);
  return row === undefined ? undefined : () => ctx.values(given.view, row, given.frame);
}

/** A call at work on a function: its parameters with what they get. */
export function activated(
  ctx: FlowContext,
  { symbol, self, around }: Value & { kind: 'function' },
  given: CallArguments,
): CallFrame {
  const bound = new Map<number, () => ValueSet>();
  const parameters = parametersOf(symbol);
  for (const [at, binding] of parameters.entries())
    if (at === 0 && self) bound.set(binding, () => only(self));
    else {
      const argument = argumentOf(ctx, symbol, parameters, at, given, self !== null);
      if (argument) bound.set(binding, onceOnly(argument));
    }
  return { symbol, bound, isWhole: true, outer: around };
}

/** Most arguments are never asked for. */
function onceOnly(work: () => ValueSet): () => ValueSet {
  let found: ValueSet | null = null;
  return () => {
    found ??= work();
    return found;
  };
}

/** What a parameter can be: by the call that is looked at, else by its written type, or by every known call. */
export function parameterValues(
  ctx: FlowContext,
  view: UnitView,
  scope: number,
  binding: number,
  frame: CallFrame | null,
): ValueSet {
  const owner = ownerOf(view, scope);
  // The parameter of a function without a name, or a type parameter: nothing is handed to it that is known.
  if (view.bindingKind(binding) === 'type parameter' || owner < 0 || view.unit.symbols.body[owner] !== scope)
    return UNKNOWN;
  const symbol = view.symbol(owner);
  const own = frameOf(frame, view, owner);
  const handed = own?.symbol === symbol ? own : null;
  const given = handed?.bound.get(binding);
  if (given) return given();
  if (handed?.isWhole) return unhanded(ctx, symbol, scope, binding, frame, true);
  const work = () => unhanded(ctx, symbol, scope, binding, frame, false);
  return frame ? work() : ctx.cached(`${view.path}\0${binding}`, work);
}

/** What a parameter can be that the call which is looked at does not fill, or that no call is looked at for. */
function unhanded(
  ctx: FlowContext,
  symbol: Sym,
  scope: number,
  binding: number,
  frame: CallFrame | null,
  isLeftOut: boolean,
): ValueSet {
  const { view } = symbol;
  const { bindings } = view.unit;
  const written = bindings.type[binding] ?? -1;
  if (written >= 0 && !view.bindingHas(binding, 'variadic')) {
    const annotated = ctx.annotated(view, written, null);
    if (annotated) return inferred(annotated);
  }
  const receiver = view.bindingKind(binding) === 'receiver' ? classOf(view, scope) : -1;
  if (receiver >= 0) return only(receiverValue(view, receiver, isClassMethod(symbol)));
  const initial = byDefault(ctx, symbol, scope, binding, frame);
  if (isLeftOut) return initial ?? UNKNOWN;
  const fixture = initial ? null : fixtureFor(ctx, symbol, view.bindingName(binding));
  if (fixture) return fixtureValues(ctx, fixture);
  const callers: readonly Caller[] = view === ctx.home ? ctx.callersOf(symbol) : [];
  const parameters = parametersOf(symbol);
  const at = parameters.indexOf(binding);
  const parts = callers.map((caller) =>
    ctx.once(
      caller,
      () => argumentOf(ctx, symbol, parameters, at, caller.given, caller.isBound)?.() ?? NOTHING,
    ),
  );
  // That others may call it with something else makes none of these calls less of a fact.
  const known = [...(initial ? [initial] : []), ...parts].filter((part) => part.all.length > 0);
  return known.length > 0 ? together(known) : UNKNOWN;
}

function byDefault(
  ctx: FlowContext,
  { view, row }: Sym,
  scope: number,
  binding: number,
  frame: CallFrame | null,
): ValueSet | null {
  const flow = flowsOf(view).defaultOf(scope, view.bindingName(binding));
  if (!flow) return null;
  const around = frameOf(frame, view, ownerOf(view, view.unit.symbols.scope[row] ?? -1));
  return ctx.once(flow, () => ctx.values(view, flow.value, around));
}

/** Whether a symbol is a fixture. */
export function isFixture({ view, row }: Sym): boolean {
  return decoratorsOf(view, row).some((path) => view.rules.flow?.fixtures?.decorator.test(path));
}

/** Whether the parameters of a function are filled by fixtures, if it stands in a file of tests. */
export function takesFixtures(symbol: Sym): boolean {
  const { view, row } = symbol;
  return isFixture(symbol) || (view.rules.flow?.fixtures?.test.test(view.symbolName(row)) ?? false);
}

/** Whether a decorator lists the values of a parameter itself. */
function listsItself({ view, row }: Sym, name: string): boolean {
  const { listing } = view.rules.flow?.fixtures ?? {};
  return (view.facts.definitions[row]?.decorators ?? []).some(
    (one) => listing?.test(one) === true && one.includes(name),
  );
}

/**
 * The fixture whose value is handed to a parameter of a test or a fixture: looked for in the file and then in the files
 * of fixtures of its folder and of each one around it. Null when there is none, or when a decorator lists the values
 * itself.
 */
export function fixtureFor(ctx: FlowContext, taker: Sym, name: string): Sym | null {
  const { view } = taker;
  const { fixtures } = view.rules.flow ?? {};
  if (!fixtures || !takesFixtures(taker) || listsItself(taker, name)) return null;
  const own = [view.unit.symbols.scope[taker.row] ?? 0, 0];
  for (const path of [view.path, ...filesAround(view.path, fixtures.file)]) {
    const other = path === view.path ? view : ctx.view(path);
    for (const scope of other === view ? own : other ? [0] : []) {
      const rows = other ? symbolsNamed(other, scope, name) : [];
      const row = rows.findLast((one) => {
        const symbol = other?.symbol(one);
        return symbol && symbol !== taker && isFixture(symbol);
      });
      if (row !== undefined && other) return other.symbol(row);
    }
  }
  return null;
}

/** What a fixture gives to those who name it: what it returns, or yields before they run. */
function fixtureValues(ctx: FlowContext, { view, row }: Sym): ValueSet {
  const isGenerator = view.hasFlag(row, 'generator');
  const written = view.unit.symbols.type[row] ?? -1;
  const annotated = written < 0 ? null : ctx.annotated(view, written, null);
  if (annotated)
    return inferred(isGenerator ? eachOf(annotated, (value) => ctx.item(value, null)) : annotated);
  const index = flowsOf(view);
  const flows = isGenerator ? index.yielded(row) : index.returned(row);
  const values = inferred(oneOf(flows.map((flow) => ctx.flowing(view, flow, null))));
  // Which function a fixture hands over is said far away from the call, and other fixtures may take its place.
  return { ...values, incomplete: values.incomplete || values.all.some(({ kind }) => kind === 'function') };
}

/** The files of a name in a folder and in those around it, the nearest first. */
function filesAround(path: string, name: string): string[] {
  const found: string[] = [];
  for (let folder = directoryOf(path); ; folder = directoryOf(folder)) {
    found.push(folder === '' ? name : `${folder}/${name}`);
    if (folder === '') return found;
  }
}
