import { assignable } from './calls.js';
import type { LinkContext } from './context.js';
import { projectPackages, seenPackages } from './names.js';
import { type Callable, inferred, NOTHING, substitutedSignature, type Thing, type Type } from './types.js';
import type { UnitView } from './unit-view.js';

/**
 * The functions that can be called under a name as if a type had them: of the packages that a file sees, those whose first
 * parameter surely takes it. The nearest package that has any counts.
 */
export function extensionMethod(ctx: LinkContext, view: UnitView, type: Type, name: string): Thing {
  if (type.kind === 'unknown') return NOTHING;
  for (const module of seenPackages(view)) {
    const callables: Callable[] = [];
    for (const key of projectPackages(ctx, view, module))
      for (const path of ctx.units.named(`${key}#${name}`))
        for (const symbol of ctx.view(path)?.extensionMethods.get(name) ?? []) {
          const signature = ctx.signature(symbol);
          const [first, ...parameters] = signature.parameters;
          if (!first || !['same', 'yes', 'boxed'].includes(assignable(ctx, type, first))) continue;
          const by = new Map<string, Type>();
          inferred(first, type, new Set(signature.typeParameters), by);
          const rest = { ...signature, parameters, required: Math.max(0, signature.required - 1) };
          callables.push({ symbol, external: null, signature: substitutedSignature(rest, by), via: 'type' });
        }
    if (callables.length > 0) return { is: 'function', callables };
  }
  return NOTHING;
}
