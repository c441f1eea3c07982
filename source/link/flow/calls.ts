import type { Sym, UnitView } from '../unit-view.js';
import { decoratorsOf, memberOf } from './classes.js';
import { containerResult } from './containers.js';
import type { FlowContext } from './context.js';
import { flowsOf, MOST_FLOWS } from './flows.js';
import { argumentsOf } from './parameters.js';
import { boundScope } from './scopes.js';
import {
  type CallArguments,
  type CallFrame,
  type ExternalValue,
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

/** What calling each of some values gives. */
export function callOf(ctx: FlowContext, callee: ValueSet, given: CallArguments): ValueSet {
  return eachOf(callee, (value) => called(ctx, value, given));
}

function called(ctx: FlowContext, value: Value, given: CallArguments): ValueSet {
  switch (value.kind) {
    case 'class':
      return only({ kind: 'instance', symbol: value.symbol, made: given, via: value.via });
    case 'function':
      return ctx.resultOf(value, given);
    case 'instance': {
      const method = memberOf(ctx, value.symbol, ctx.home.rules.flow?.methods.called ?? '');
      if (!method) return UNKNOWN;
      return ctx.resultOf(
        { kind: 'function', symbol: method.symbol, self: value, around: null, via: 'type' },
        given,
      );
    }
    case 'container method': {
      const { passed } = argumentsOf(given);
      return containerResult(
        ctx,
        value,
        passed.map((row) => ctx.values(given.view, row, given.frame)),
      );
    }
    case 'external':
      return ofLibrary(ctx, value, given);
    default:
      return UNKNOWN;
  }
}

/** What a class of a library gives, and the few functions that hand on what they are given. */
function ofLibrary(ctx: FlowContext, value: ExternalValue, given: CallArguments): ValueSet {
  const rules = ctx.home.rules.flow;
  const gives = rules?.libraries[`${value.package}.${value.name}`];
  if (gives === undefined) {
    // An instance is no class to be constructed.
    const isClass = value.via !== 'type' && rules?.className.test(value.name);
    return isClass ? only({ ...value, via: 'type' }) : UNKNOWN;
  }
  const { passed, named } = argumentsOf(given);
  const [first = -1] = passed;
  const row = typeof gives === 'object' ? (named.get(gives.named) ?? -1) : first;
  const values = ctx.values(given.view, row, given.frame);
  return gives === 'type' ? instancesOf(values) : values;
}

/** What classes are as types: their instances. */
export function instancesOf(values: ValueSet): ValueSet {
  return eachOf(values, (value) =>
    value.kind === 'class'
      ? only({ kind: 'instance', symbol: value.symbol, made: null, via: 'type' })
      : value.kind === 'external'
        ? only({ ...value, via: 'type' })
        : UNKNOWN,
  );
}

/** What a built-in function gives; null for a name that is none, or that the file binds. */
export function builtinResult(
  ctx: FlowContext,
  view: UnitView,
  call: number,
  frame: CallFrame | null,
): ValueSet | null {
  const { expressions } = view.unit;
  const callee = expressions.base[call] ?? -1;
  if (callee < 0 || view.expressionKind(callee) !== 'name') return null;
  const name = view.expressionName(callee);
  const gives = view.rules.flow?.builtins[name];
  if (gives === undefined || boundScope(view, expressions.scope[callee] ?? -1, name) >= 0) return null;
  const { passed, named } = argumentsOf({ view, call, frame });
  const [first, second] = passed;
  if (first === undefined) {
    if (gives === 'map') {
      const entries = [...named].map(([key, row]) => ({
        key,
        values: ctx.values(view, row, frame),
        isSure: true,
      }));
      return only({ kind: 'dictionary', entries });
    }
    return gives === 'list' ? only({ kind: 'list', items: [], more: NOTHING }) : UNKNOWN;
  }
  const values = ctx.values(view, first, frame);
  if (gives === 'item') return eachOf(values, (value) => ctx.item(value, null));
  if (gives === 'class') {
    const { classOf } = view.rules.flow ?? {};
    return passed.length > 1 || !classOf ? UNKNOWN : eachOf(values, (value) => ctx.member(value, classOf));
  }
  if (gives !== 'member') return values;
  const isWritten = second !== undefined && second >= 0 && view.expressionKind(second) === 'constant';
  return isWritten ? eachOf(values, (value) => ctx.member(value, view.expressionName(second))) : UNKNOWN;
}

/** What a function gives: what its written type says, else what it returns; of a generator a list of what it yields. */
export function resultOf(
  ctx: FlowContext,
  callee: Value & { kind: 'function' },
  given: CallArguments,
): ValueSet {
  const { symbol, self } = callee;
  const { view, row } = symbol;
  if (!isPlain(symbol)) return UNKNOWN;
  const isGenerator = view.hasFlag(row, 'generator');
  const result = ctx.once(symbol, () => {
    const written = view.unit.symbols.type[row] ?? -1;
    const annotated = written < 0 ? null : ctx.annotated(view, written, self);
    return annotated ?? returned(ctx, callee, given, isGenerator);
  });
  const isAwaited = view.hasFlag(row, 'async') && !isGenerator;
  return isAwaited ? only({ kind: 'awaitable', result }) : inferred(result);
}

/** Whether all that decorates a function leaves what it gives as it is. */
function isPlain({ view, row }: Sym): boolean {
  return decoratorsOf(view, row).every((path) => view.rules.flow?.decorators.plain.test(path));
}

function returned(
  ctx: FlowContext,
  callee: Value & { kind: 'function' },
  given: CallArguments,
  isGenerator: boolean,
): ValueSet {
  const { view, row } = callee.symbol;
  const index = flowsOf(view);
  const flows = (isGenerator ? index.yielded(row) : index.returned(row)).filter(({ value }) =>
    isFollowed(view, value),
  );
  if (flows.length === 0 || flows.length > MOST_FLOWS) return UNKNOWN;
  const frame = ctx.activated(callee, given);
  const parts = flows.map((flow) => ctx.flowing(view, flow, frame));
  return isGenerator ? only({ kind: 'list', items: [], more: together(parts) }) : oneOf(parts);
}

/** Whether something may be known of an expression: what is written out or computed has no members of the program. */
function isFollowed(view: UnitView, row: number): boolean {
  return row >= 0 && !COMPUTED.has(view.expressionKind(row));
}

const COMPUTED = new Set<string>(['literal', 'constant', 'nothing', 'unary', 'binary', 'is', 'unknown']);
