import type { LinkContext } from './context.js';
import { ofBuild, parameterId } from './names.js';
import { extendingKey } from './places.js';
import { isSameType, type Substitution, sameType, substituted, type Type, UNKNOWN } from './types.js';
import type { Sym, UnitView } from './unit-view.js';

/** The bindings of a scope that are type parameters. */
export function typeParametersIn(view: UnitView, scope: number): readonly number[] {
  return view.bindingsIn(scope).filter((row) => view.bindingKind(row) === 'type parameter');
}

/** The type parameters that a member of a type is written with: those of the type, or of the extension that it is in. */
export function openAround({ view, row }: Sym): string[] {
  const scope = view.unit.extensions.scope[view.extensionOf(row)] ?? view.unit.symbols.scope[row] ?? -1;
  return typeParametersIn(view, scope).map((binding) => parameterId(view, binding));
}

/** A type whose arguments are not written as an extension of it says that they are: `extension List where T == Shape`. */
export function constrained(ctx: LinkContext, view: UnitView, extension: number, type: Type): Type {
  const said = typeParametersIn(view, view.unit.extensions.scope[extension] ?? -1);
  if (said.length === 0 || type.kind !== 'named' || type.args.length > 0) return type;
  const { view: other, row } = type.symbol;
  const args = other.bindingsOf(row, 'type parameter').map((binding): Type => {
    const name = other.bindingName(binding);
    const own = said.find((one) => view.bindingName(one) === name);
    const bound = own === undefined ? -1 : (view.unit.bindings.type[own] ?? -1);
    return bound < 0
      ? { kind: 'parameter', id: parameterId(other, binding), bound: null }
      : ctx.type(view, bound);
  });
  return { ...type, args };
}

/** `func (l *List[T])`, `impl<T> List<T>`: T is the first argument of the type, whatever that calls it. */
export function ofReceiver(
  view: UnitView,
  receiver: number,
  bindings: readonly number[],
  args: readonly Type[],
): Map<string, Type> {
  const by = new Map<string, Type>();
  let written = receiver;
  while (view.typeKind(written) === 'pointer') written = view.unit.types.base[written] ?? -1;
  const names = view.items('types', written).map((item) => view.typeName(item));
  for (const binding of bindings) {
    const at = names.indexOf(view.bindingName(binding));
    if (at >= 0) by.set(parameterId(view, binding), args[at] ?? UNKNOWN);
  }
  return by;
}

/** The extensions of a type anywhere in the project, by the files and rows. @param names What they are found by. */
function* extensionsOf(
  ctx: LinkContext,
  type: Type,
  also: readonly string[] = [],
): Generator<{ readonly view: UnitView; readonly row: number }> {
  const { rules } = ctx.own;
  if (!rules.extensions) return;
  const names =
    type.kind === 'named'
      ? [type.symbol.view.symbolName(type.symbol.row)]
      : type.kind === 'external'
        ? [type.name.slice(type.name.lastIndexOf('.') + 1), ...(isListType(ctx, type) ? ['[]'] : [])]
        : [];
  for (const name of [...names, ...also])
    for (const path of ctx.units.named(`${extendingKey(rules.modules)}#${name}`)) {
      const view = ctx.view(path);
      for (const row of view?.extensions.get(name) ?? [])
        if (view && isExtended(ctx, ctx.extended(view, row), type)) yield { view, row };
    }
}

function isListType(ctx: LinkContext, type: Type & { kind: 'external' }): boolean {
  return `${type.package}.${type.name}` === ctx.own.rules.listType;
}

/** Whether what an extension says that it extends is a type. */
function isExtended(ctx: LinkContext, extended: Type, type: Type): boolean {
  if (extended.kind === 'parameter') {
    const { bound } = extended;
    return bound === null || [type, ...ctx.ancestors(type)].some((one) => sameType(one, bound) === true);
  }
  if (type.kind === 'named') return extended.kind === 'named' && isSameType(extended.symbol, type.symbol);
  if (type.kind !== 'external') return false;
  if (extended.kind === 'builtin') return extended.name === type.name;
  if (extended.kind === 'list') return isListType(ctx, type);
  return extended.kind === 'external' && extended.name === type.name && extended.package === type.package;
}

/** The members under a name that extensions give a type: its own before those of what it derives from by them. */
export function extending(ctx: LinkContext, type: Type, name: string): readonly Sym[] {
  const own: Sym[] = [];
  const others: Sym[] = [];
  // Whatever has overloads may have functions of any value: of what stands for a type parameter.
  for (const { view, row } of extensionsOf(ctx, type, ctx.own.rules.overloads ? ['*'] : [])) {
    const { scope, base } = view.unit.extensions;
    for (const symbol of view.membersOfExtension(scope[row] ?? -1))
      if (view.symbolName(symbol) === name) ((base[row] ?? -1) < 0 ? own : others).push(view.symbol(symbol));
  }
  return ofBuild(ctx.own, own.length > 0 ? own : others);
}

/** What a type parameter stands for that a function is declared a member of: the type that has it so; null where it is of no such. */
export function extendedBy(ctx: LinkContext, { view, row }: Sym, type: Type): Substitution | null {
  const extension = view.extensionOf(row);
  const extended = extension < 0 ? UNKNOWN : ctx.extended(view, extension);
  return extended.kind === 'parameter' ? new Map([[extended.id, type]]) : null;
}

/** What a type derives from by its extensions: what these say that they are made of stands for its parameters. */
export function extensionBases(ctx: LinkContext, type: Type): Type[] {
  const found: Type[] = [];
  for (const { view, row } of extensionsOf(ctx, type)) {
    const { scope, type: extended, base } = view.unit.extensions;
    const written = base[row] ?? -1;
    if (written < 0) continue;
    const around = scope[row] ?? -1;
    const made = ctx.type(view, written);
    const aliases = view
      .membersOfExtension(around)
      .filter((symbol) => view.symbolKind(symbol) === 'type')
      .map((symbol) => ctx.type(view, view.unit.symbols.type[symbol] ?? -1));
    const whole = made.kind === 'external' && made.args.length === 0 ? { ...made, args: aliases } : made;
    const args = type.kind === 'named' || type.kind === 'external' ? type.args : [];
    const by = ofReceiver(view, extended[row] ?? -1, typeParametersIn(view, around), args);
    found.push(substituted(whole, by, ctx));
  }
  return found;
}
