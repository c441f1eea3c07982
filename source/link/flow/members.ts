import type { Sym, UnitView } from '../unit-view.js';
import { isClassMethod, isProperty, memberOf } from './classes.js';
import { fieldOf, filledField } from './containers.js';
import type { FlowContext } from './context.js';
import { type Flow, isNothing } from './flows.js';
import { moduleMember } from './modules.js';
import { boundScope } from './scopes.js';
import {
  type CallArguments,
  type CallFrame,
  type ClassValue,
  inferred,
  isSame,
  oneOf,
  only,
  UNKNOWN,
  type Value,
  type ValueSet,
  weaker,
} from './value.js';

/** What `.name` of a value can be. */
export function membersOf(ctx: FlowContext, value: Value, name: string): ValueSet {
  switch (value.kind) {
    case 'instance':
      return instanceMember(ctx, value, name);
    case 'class':
      return classMember(ctx, value, name);
    case 'module':
    case 'folder':
    case 'external': {
      const named = moduleMember(ctx, value, name);
      return named ? ctx.namedValues(named, null) : UNKNOWN;
    }
    case 'list':
    case 'dictionary':
      if (ctx.home.rules.flow?.containers[name]) return only({ kind: 'container method', name, self: value });
      return value.type ? ctx.member(value.type, name) : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

/** The symbol that `.name` of a value names, and how it was found; null where it names none of the program. */
export function memberNamed(
  ctx: FlowContext,
  value: Value,
  name: string,
): { symbol: Sym; via: ClassValue['via'] } | null {
  if (value.kind === 'module' || value.kind === 'folder') {
    const named = moduleMember(ctx, value, name);
    return named?.kind === 'symbol' ? named : null;
  }
  if (value.kind !== 'instance' && value.kind !== 'class') return null;
  const found = memberOf(ctx, value.symbol, name);
  return found && { symbol: found.symbol, via: found.isInherited ? weaker(value.via, 'type') : value.via };
}

function instanceMember(ctx: FlowContext, value: Value & { kind: 'instance' }, name: string): ValueSet {
  const rules = ctx.home.rules.flow;
  if (name === rules?.classOf)
    return only({ kind: 'class', symbol: value.symbol, orDerived: true, via: value.via });
  const found = memberOf(ctx, value.symbol, name);
  const form = found && formOf(found.symbol);
  if (found && form !== 'variable') {
    const via = found.isInherited ? weaker(value.via, 'type') : value.via;
    if (form !== 'method') return ctx.namedValues({ kind: 'symbol', symbol: found.symbol, via }, null);
    const method = {
      kind: 'function' as const,
      symbol: found.symbol,
      self: boundTo(found.symbol, value),
      around: null,
      via,
    };
    return isProperty(found.symbol) ? ctx.resultOf(method, noArguments(found.symbol)) : only(method);
  }
  const values = fieldValues(ctx, value, name);
  if (values) return values;
  // What a `with` hands over is nearly always the thing itself.
  return name === rules?.methods.entered && !found
    ? only({ kind: 'container method', name, self: value })
    : UNKNOWN;
}

function classMember(ctx: FlowContext, value: Value & { kind: 'class' }, name: string): ValueSet {
  const found = memberOf(ctx, value.symbol, name);
  if (!found) return UNKNOWN;
  const via = found.isInherited ? weaker(value.via, 'type') : value.via;
  const form = formOf(found.symbol);
  if (form === 'variable') return fieldValues(ctx, value, name) ?? UNKNOWN;
  if (form !== 'method') return ctx.namedValues({ kind: 'symbol', symbol: found.symbol, via }, null);
  const self = isClassMethod(found.symbol) ? value : null;
  return only({ kind: 'function', symbol: found.symbol, self, around: null, via });
}

/** What a method is called on when it is taken from an instance; null for one that is handed nothing. */
function boundTo(method: Sym, value: Value & { kind: 'instance' }): Value | null {
  if (isClassMethod(method)) return { kind: 'class', symbol: value.symbol, orDerived: false, via: value.via };
  return method.view.hasFlag(method.row, 'static') ? null : value;
}

function formOf({ view, row }: Sym) {
  return view.facts.definitions[row]?.form;
}

/** What methods and the class body assign to an attribute, in the nearest class that does; null when none does. */
function fieldValues(ctx: FlowContext, value: ClassValue, name: string): ValueSet | null {
  const found = fieldOf(ctx, value, name);
  if (found === null) return null;
  if (found === 'too many') return UNKNOWN;
  const { view, type, declared, flows, inBody } = found;
  const annotated = declared < 0 ? null : ctx.annotated(view, declared, value);
  if (annotated) return inferred(annotated);
  const parts: { readonly flow: Flow; readonly values: ValueSet }[] = [];
  for (const flow of flows)
    parts.push({ flow, values: ctx.flowing(view, flow, methodFrame(ctx, view, flow.owner, value)) });
  for (const flow of inBody) {
    const values = ctx.flowing(view, flow, null);
    parts.push({ flow, values: value.kind === 'instance' ? overridable(values) : values });
  }
  const sure = agreed(ctx, view, parts);
  if (sure) return inferred(sure);
  const all = oneOf(parts.map(({ values }) => values));
  return inferred(filledField(ctx, all, view, type, name));
}

/**
 * The one class that all assignments to an attribute agree on that say a class: calls, and parameters with a written
 * type. What others assign is most likely one of it, too. Null where they do not agree, or none says one.
 */
function agreed(
  ctx: FlowContext,
  view: UnitView,
  parts: readonly { readonly flow: Flow; readonly values: ValueSet }[],
): ValueSet | null {
  let found: Value | null = null;
  for (const { flow, values } of parts) {
    if (isNothing(view, flow)) continue;
    const written = typeOfParameter(view, flow.value);
    if (written < 0 && !isMade(view, flow.value)) continue;
    const given = written < 0 ? values : ctx.annotated(view, written, null);
    const [first, ...others] = given?.all ?? [];
    if (!given || given.incomplete || others.length > 0) return null;
    if (first?.kind !== 'instance' && first?.kind !== 'external') return null;
    if (found && !isSame(found, first)) return null;
    found ??= first;
  }
  return found && only(found);
}

/** Whether an expression calls something; what is built in makes nothing that has members of the program. */
function isMade(view: UnitView, value: number): boolean {
  if (value < 0) return false;
  const { expressions } = view.unit;
  const kind = view.expressionKind(value);
  if (kind === 'entered') return isMade(view, expressions.base[value] ?? -1);
  if (kind !== 'call') return false;
  const callee = expressions.base[value] ?? -1;
  if (callee < 0 || view.expressionKind(callee) !== 'name') return true;
  return boundScope(view, expressions.scope[callee] ?? -1, view.expressionName(callee)) >= 0;
}

/** The written type of the parameter that an expression names; -1 for any other expression. */
function typeOfParameter(view: UnitView, value: number): number {
  if (value < 0 || view.expressionKind(value) !== 'name') return -1;
  const { expressions, bindings } = view.unit;
  const name = view.expressionName(value);
  const scope = boundScope(view, expressions.scope[value] ?? -1, name);
  for (const { table, row } of view.entries(scope, name)) {
    const isVariadic = view.bindingHas(row, 'variadic');
    if (table === 'binding' && view.bindingKind(row) === 'parameter' && !isVariadic)
      return bindings.type[row] ?? -1;
  }
  return -1;
}

/** What a class body gives: a class that stands there is a default for derived classes to replace. */
function overridable({ all, incomplete }: ValueSet): ValueSet {
  return {
    all: all.map((value) => (value.kind === 'class' ? { ...value, orDerived: true } : value)),
    incomplete,
  };
}

/** A method at work on a value: its first parameter is that; a constructor's others are what was constructed with. */
function methodFrame(ctx: FlowContext, view: UnitView, owner: number, value: ClassValue): CallFrame | null {
  const definition = owner < 0 ? undefined : view.facts.definitions[owner];
  if (definition?.form !== 'method') return null;
  const symbol = view.symbol(owner);
  const isConstructor = definition.name === view.rules.flow?.methods.constructor;
  const made = value.kind === 'instance' && isConstructor ? value.made : null;
  if (made) return ctx.activated({ kind: 'function', symbol, self: value, around: null, via: 'type' }, made);
  const [receiver] = view.bindingsOf(owner, 'receiver');
  return receiver === undefined
    ? null
    : { symbol, bound: new Map([[receiver, () => only(value)]]), isWhole: false, outer: null };
}

/** A call without arguments. */
function noArguments({ view }: Sym): CallArguments {
  return { view, call: -1, frame: null };
}
