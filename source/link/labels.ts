import { BEHIND } from '../ir/index.js';
import { functionShape } from './calls.js';
import type { Accepts, LinkContext } from './context.js';
import { openAround } from './extensions.js';
import { type Callable, NOTHING, type Signature, type Thing } from './types.js';
import { isSeen, type Slot, type UnitView } from './unit-view.js';

/**
 * What a call with labels can mean: the functions that take its arguments, each as this call sees it: its parameters are
 * those that an argument is given for, in the order of the arguments.
 */
export function labelled(ctx: LinkContext, view: UnitView, call: number, thing: Thing): Thing {
  if (thing.is !== 'function') return thing;
  const count = view.items('expressions', call).length;
  const labels = view.labels('expressions', call);
  const given = Array.from({ length: count }, (_, at) => labels[at] ?? '');
  const callables = thing.callables.flatMap((one): Callable[] => {
    if (one.symbol && !isSeen(view, one.symbol)) return [];
    const { slots, parameters, required, variadic } = one.signature;
    if (!slots) return count >= required && (variadic || count <= parameters.length) ? [one] : [];
    const order = arranged(ctx, one.signature, slots, given);
    if (!order) return [];
    const taken = order.map((at) => parameters[at] ?? UNTYPED);
    return [{ ...one, signature: asCalled(one.signature, taken) }];
  });
  return callables.length > 0 ? { ...thing, callables } : NOTHING;
}

const UNTYPED = { kind: 'unknown' } as const;

function asCalled({ typeParameters, result }: Signature, parameters: Signature['parameters']): Signature {
  return { typeParameters, parameters, required: parameters.length, variadic: false, result };
}

/** For each argument the parameter that it is given for; null where a function does not take them. */
function arranged(
  ctx: LinkContext,
  { parameters }: Signature,
  slots: readonly Slot[],
  given: readonly string[],
): number[] | null {
  const order: number[] = [];
  let next = 0;
  /** The first parameter from `next` on that takes an argument, where none has to be given before it. */
  const find = (isTaking: (slot: Slot, at: number) => boolean): number => {
    for (let at = next; at < slots.length; at += 1) {
      const slot = slots[at];
      if (slot && isTaking(slot, at)) return at;
      if (!slot?.isOptional && !slot?.isVariadic) return -1;
    }
    return -1;
  };
  for (const label of given) {
    const last = order[order.length - 1] ?? -1;
    let at: number;
    if (label === BEHIND) {
      const isFunction = (index: number) => functionShape(ctx, parameters[index] ?? UNTYPED) !== null;
      at = find((_, index) => isFunction(index));
      if (at < 0) at = find((_, index) => index === slots.length - 1);
    } else if (label === '' && last >= 0 && slots[last]?.isVariadic) at = last;
    else at = find((slot) => slot.label === label);
    if (at < 0) return null;
    order.push(at);
    next = at + 1;
  }
  const rest = slots.slice(next);
  return rest.every(({ isOptional, isVariadic }) => isOptional || isVariadic) ? order : null;
}

/**
 * What a call with names of arguments can mean: as {@link labelled}; where no function takes them, what it was. A function of
 * a library, whose names are not known, takes them as they stand.
 */
export function byNames(view: UnitView, call: number, thing: Thing): Thing {
  if (thing.is !== 'function') return thing;
  const rows = view.items('expressions', call);
  if (!rows.some((row) => view.isNamedArgument(row))) return thing;
  const names = namesIn(view, rows);
  const callables = thing.callables.flatMap((one): Callable[] => {
    const { slots, parameters } = one.signature;
    if (!slots) return [one];
    const order = orderByNames(slots, names);
    if (!order) return [];
    // What is given for all of a list is not what is in it.
    const taken = order.map((at, index) =>
      slots[at]?.isVariadic && names[index] !== '' ? UNTYPED : (parameters[at] ?? UNTYPED),
    );
    return [{ ...one, signature: asCalled(one.signature, taken) }];
  });
  return callables.length > 0 ? { ...thing, callables } : thing;
}

/** What a call can mean, where what does not take its arguments is passed over: {@link LinkRules.invokedMethod}. */
export function acceptsCall(ctx: LinkContext, view: UnitView, call: number): Accepts | undefined {
  const { invokedMethod } = view.rules;
  if (invokedMethod === undefined) return undefined;
  return (thing) => {
    if (thing.is === 'function')
      return thing.callables.some(({ signature }) => takesArguments(view, call, signature));
    if (thing.is !== 'value') return true;
    const { type } = thing;
    if (type.kind === 'external' && !ctx.library(view).type(type.package, type.name)) return true;
    if (type.kind !== 'named' && type.kind !== 'external')
      return type.kind !== 'builtin' && type.kind !== 'list';
    return ctx.members(view, type, invokedMethod, 'call').some((one) => one.kind !== 'external');
  };
}

/** Whether a function takes as many arguments as a call gives it, under these names. */
function takesArguments(view: UnitView, call: number, { slots }: Signature): boolean {
  return !slots || orderByNames(slots, namesIn(view, view.items('expressions', call))) !== null;
}

function namesIn(view: UnitView, rows: readonly number[]): string[] {
  return rows.map((row) => (view.isNamedArgument(row) ? view.expressionName(row) : ''));
}

/** For each argument the parameter that it is given for, by its name or else the first that none is given for. */
function orderByNames(slots: readonly Slot[], names: readonly string[]): number[] | null {
  const order: number[] = [];
  let next = 0;
  for (const name of names) {
    let at = name === BEHIND ? slots.length - 1 : slots.findIndex((slot) => slot.name === name);
    if (name === '') {
      at = slots.findIndex((slot, index) => index >= next && !names.includes(slot.name));
      next = slots[at]?.isVariadic ? at : at + 1;
    }
    const slot = slots[at];
    if (!slot || (order.includes(at) && !slot.isVariadic)) return null;
    order.push(at);
  }
  const isLeft = (slot: Slot, at: number) => slot.isOptional || slot.isVariadic || order.includes(at);
  return slots.every(isLeft) ? order : null;
}

/** The functions that make an instance of a type: its own, those of its extensions, and inherited ones. */
export function initializers(ctx: LinkContext, view: UnitView, type: Thing & { is: 'type' }): Thing {
  const name = view.rules.constructorName;
  if (name === undefined) return NOTHING;
  const found = ctx.memberThing(ctx.members(view, type.type, name, 'call'), view, type.via);
  if (found.is !== 'function') return NOTHING;
  // What the type is made of is told by the arguments.
  return {
    ...found,
    callables: found.callables.map((one) => ({
      ...one,
      signature: {
        ...one.signature,
        typeParameters: [...one.signature.typeParameters, ...(one.symbol ? openAround(one.symbol) : [])],
      },
    })),
  };
}
