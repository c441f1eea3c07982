import { assignable } from './calls.js';
import type { LinkContext } from './context.js';
import { projectPackages, seenPackages } from './names.js';
import { type Callable, inferred, NOTHING, substitutedSignature, type Thing, type Type } from './types.js';
import type { Sym, UnitView } from './unit-view.js';

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
          const callable = extended(ctx, symbol, type);
          if (callable) callables.push(callable);
        }
    if (callables.length > 0) return { is: 'function', callables };
  }
  return NOTHING;
}

/** A function as a member of a type that it extends; null where it does not surely take it. */
function extended(ctx: LinkContext, symbol: Sym, type: Type): Callable | null {
  const { view, row } = symbol;
  const around = view.extendingType(row);
  let signature = ctx.signature(symbol);
  const slots = around >= 0 ? signature.slots : signature.slots?.slice(1);
  if (around >= 0) {
    const { parameters, typeParameters } = ctx.signature(view.symbol(around));
    signature = {
      ...signature,
      parameters: [...parameters.slice(0, 1), ...signature.parameters],
      required: signature.required + 1,
      typeParameters: [...typeParameters, ...signature.typeParameters],
    };
  }
  const [first, ...parameters] = signature.parameters;
  if (!first || !['same', 'yes', 'boxed'].includes(assignable(ctx, type, first))) return null;
  const by = new Map<string, Type>();
  inferred(first, type, new Set(signature.typeParameters), by);
  const rest = {
    ...{ ...signature, parameters, required: Math.max(0, signature.required - 1) },
    ...(slots && { slots }),
  };
  return { symbol, external: null, signature: substitutedSignature(rest, by), via: 'type' };
}

/** The functions that can be called under a name as if a type had them, where a name is in scope that brings them. */
export function namedExtension(
  ctx: LinkContext,
  view: UnitView,
  type: Type,
  name: string,
  place: { readonly scope: number; readonly at: number },
): Thing {
  if (type.kind === 'unknown') return NOTHING;
  const callables: Callable[] = [];
  for (const module of packagesAround(view, type))
    for (const key of projectPackages(ctx, view, module))
      for (const path of ctx.units.named(`${key}#${name}`))
        for (const symbol of ctx.view(path)?.extensionMethods.get(name) ?? []) {
          if (!isBeside(symbol, type) && !isInScope(ctx, view, symbol, place)) continue;
          const callable = extended(ctx, symbol, type);
          if (callable) callables.push(callable);
        }
  return callables.length > 0 ? { is: 'function', callables } : NOTHING;
}

/** The packages that a file is in or names, with those around them, and that of a type. */
function packagesAround(view: UnitView, type: Type): Set<string> {
  const found = new Set<string>();
  const written = [view.written, ...view.facts.imports.map(({ module }) => module)];
  if (type.kind === 'named') written.push(type.symbol.view.written);
  for (const one of written)
    for (let name = one; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.'))))
      found.add(name);
  return found.add('');
}

/** Whether the name of an extension, or of the type around it, means it at a place. */
function isInScope(
  ctx: LinkContext,
  view: UnitView,
  { view: other, row }: Sym,
  { scope, at }: { readonly scope: number; readonly at: number },
): boolean {
  const around = other.extendingType(row);
  const named = around < 0 ? row : around;
  const thing = ctx.lookUp(view, scope, other.symbolName(named), at, around < 0 ? 'term' : 'type');
  if (thing.is === 'type') return thing.type.kind === 'named' && thing.type.symbol === other.symbol(named);
  return thing.is === 'function' && thing.callables.some(({ symbol }) => symbol === other.symbol(named));
}

/** Whether an extension stands in the object of the type's name. */
function isBeside({ view, row }: Sym, type: Type): boolean {
  if (type.kind !== 'named' || type.symbol.view !== view) return false;
  const around = view.extendingType(row);
  const scope = view.unit.symbols.scope[around < 0 ? row : around] ?? -1;
  const object = view.scopeKind(scope) === 'type' ? (view.unit.scopes.symbol[scope] ?? -1) : -1;
  const { symbols } = view.unit;
  return (
    object >= 0 &&
    view.symbolName(object) === view.symbolName(type.symbol.row) &&
    symbols.scope[object] === symbols.scope[type.symbol.row]
  );
}
