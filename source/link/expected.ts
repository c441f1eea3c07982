import type { LinkContext } from './context.js';
import { eitherOf, type Type, typeOfThing, UNKNOWN } from './types.js';
import type { ExpressionUse, UnitView } from './unit-view.js';

/** Values in each other of which the expected type is looked for. */
const DEEPEST = 16;

/** The type that is expected where an expression stands: of what is assigned, given or compared there. */
export function expectedType(ctx: LinkContext, view: UnitView, expression: number, depth = 0): Type {
  const use = depth > DEEPEST ? undefined : view.useOf(expression);
  return use ? ofUse(ctx, view, use, depth) : UNKNOWN;
}

function ofUse(ctx: LinkContext, view: UnitView, use: ExpressionUse, depth: number): Type {
  if ('type' in use) return use.type < 0 ? UNKNOWN : ctx.type(view, use.type);
  if ('like' in use) return typeOfThing(ctx.thing(view, use.like));
  if ('either' in use) {
    const around = expectedType(ctx, view, use.either, depth + 1);
    if (around.kind !== 'unknown') return around;
    // One of several values is of the type of the others.
    const others = view.items('expressions', use.either).filter((one) => !view.isExpecting(one));
    const [first = UNKNOWN] = others.map((one) => typeOfThing(ctx.thing(view, one)));
    return first;
  }
  if ('in' in use) {
    const list = expectedType(ctx, view, use.in, depth + 1);
    if (list.kind === 'list') return list.of;
    return list.kind === 'external' && list.args.length === 1 ? (list.args[0] ?? UNKNOWN) : UNKNOWN;
  }
  if ('called' in use) return expectedType(ctx, view, use.called, depth + 1);
  if ('of' in use) {
    const written = view.unit.expressions.type[use.of] ?? -1;
    if (written >= 0) return ctx.type(view, written);
    const called = view.useOf(use.of);
    if (called && 'called' in called) return ofUse(ctx, view, called, depth);
    return ctx.expected(view, use.of)?.result ?? UNKNOWN;
  }
  return eitherOf(ctx.argumentTypes(view, use.call, use.at).filter(({ kind }) => kind !== 'unknown'));
}
