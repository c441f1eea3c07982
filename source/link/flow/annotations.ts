import type { UnitView } from '../unit-view.js';
import { isClass, memberOf } from './classes.js';
import type { FlowContext } from './context.js';
import { moduleMember, type Named } from './modules.js';
import { namedAt } from './names.js';
import {
  type ExternalValue,
  MOST_VALUES,
  NOTHING,
  oneOf,
  only,
  UNKNOWN,
  type Value,
  type ValueSet,
  weaker,
} from './value.js';

/** Types in types that are read, and items of one. */
const DEEPEST = 20;
const MOST_ITEMS = 100;

/**
 * What a written type says of a value: an instance, a class, a container of either; of several types each may be meant.
 * Null when it names nothing of the program.
 */
export function annotatedValues(
  ctx: FlowContext,
  view: UnitView,
  type: number,
  self: Value | null,
  depth = 0,
): ValueSet | null {
  if (depth > DEEPEST || type < 0) return null;
  const { types } = view.unit;
  const inner = (row: number) => annotatedValues(ctx, view, row, self, depth + 1);
  switch (view.typeKind(type)) {
    case 'union':
      return anyOf(view, view.items('types', type), inner);
    case 'optional':
      return inner(types.base[type] ?? -1);
    case 'this':
      return self && only(self);
    case 'name':
      break;
    default:
      return null;
  }
  const name = view.typeName(type);
  const rules = view.rules.flow?.types;
  if (rules?.self.has(name) && self) return only(self);
  if (rules?.unknown.has(name)) return null;
  const libraryType = (): { type?: ExternalValue } => {
    const found = typeNamed(ctx, view, type);
    return found?.kind === 'external' ? { type: { ...found, via: 'type' } } : {};
  };
  const items = view.items('types', type);
  const [first = -1] = items;
  const last = items[items.length - 1] ?? -1;
  if (rules && items.length > 0) {
    const isOpenTuple = rules.tuples.has(name) && items.length === 2 && view.typeKind(last) === 'variadic';
    if (rules.wrappers.has(name)) return inner(first);
    if (rules.sequences.has(name) || isOpenTuple)
      return contained(inner(first), (more) => ({ kind: 'list', items: [], more, ...libraryType() }));
    if (rules.tuples.has(name)) {
      if (items.length > MOST_ITEMS) return null;
      const found = items.map((row) => inner(row) ?? UNKNOWN);
      return found.some(({ all }) => all.length > 0)
        ? only({ kind: 'list', items: found, more: NOTHING })
        : null;
    }
    if (rules.mappings.has(name)) {
      const entries = (values: ValueSet) => [{ key: null, values, isSure: false }];
      return contained(inner(last), (values) => ({
        kind: 'dictionary',
        entries: entries(values),
        ...libraryType(),
      }));
    }
    if (rules.awaitables.has(name)) {
      const result = inner(last);
      return result && only({ kind: 'awaitable', result });
    }
    if (rules.unions.has(name)) return anyOf(view, items, inner);
    if (rules.classes.has(name)) return classesOf(inner(first));
  }
  const named = typeNamed(ctx, view, type);
  if (named?.kind === 'external') return only({ ...named, via: 'type' });
  if (named?.kind !== 'symbol') return null;
  const { symbol } = named;
  if (isClass(symbol)) return only({ kind: 'instance', symbol, made: null, via: 'type' });
  return standsFor(ctx, named);
}

/** Of several types each may be meant; those that say that there is nothing are left out. */
function anyOf(
  view: UnitView,
  rows: readonly number[],
  inner: (row: number) => ValueSet | null,
): ValueSet | null {
  const parts = rows.filter((row) => !isNothing(view, row));
  const [first = -1] = parts;
  if (parts.length > MOST_VALUES) return null;
  if (parts.length < 2) return inner(first);
  const found = parts.map(inner);
  return found.some((one) => one) ? oneOf(found.map((one) => one ?? UNKNOWN)) : null;
}

function isNothing(view: UnitView, row: number): boolean {
  return view.rules.flow?.types.nothing.has(row < 0 ? '' : view.typeName(row)) ?? false;
}

/** A container of which every item is the same to us; of unknown items only where the container itself is something. */
function contained(items: ValueSet | null, make: (items: ValueSet) => Value): ValueSet | null {
  const made = make(items ?? UNKNOWN);
  return items || ('type' in made && made.type) ? only(made) : null;
}

/** The classes of instances: of `type[Base]` it is not known which of those that derive from it is meant. */
function classesOf(values: ValueSet | null): ValueSet | null {
  if (!values) return null;
  const all = values.all.flatMap((value): Value[] =>
    value.kind === 'instance'
      ? [{ kind: 'class', symbol: value.symbol, orDerived: true, via: value.via }]
      : value.kind === 'external'
        ? [value]
        : [],
  );
  return all.length > 0 ? { all, incomplete: values.incomplete } : null;
}

/** What a name that is no class stands for as a type: a class under another name, a type variable's bound. */
function standsFor(ctx: FlowContext, named: Named & { kind: 'symbol' }): ValueSet | null {
  const { all, incomplete } = ctx.once(named.symbol, () => ctx.namedValues(named, null));
  const instances = all.flatMap((value): Value[] =>
    value.kind === 'class' ? [{ kind: 'instance', symbol: value.symbol, made: null, via: 'type' }] : [],
  );
  return instances.length > 0 && instances.length === all.length ? { all: instances, incomplete } : null;
}

/** What the name of a written type leads to; null where that is not known. */
export function typeNamed(ctx: FlowContext, view: UnitView, type: number): Named | null {
  const { types } = view.unit;
  if (type < 0 || view.typeKind(type) !== 'name') return null;
  const base = types.base[type] ?? -1;
  const name = view.typeName(type);
  if (base < 0) {
    const named = namedAt(ctx, view, types.scope[type] ?? -1, name, types.at[type] ?? 0);
    return named === 'local' ? null : named;
  }
  const owner = typeNamed(ctx, view, base);
  if (owner === null) return null;
  if (owner.kind !== 'symbol') return moduleMember(ctx, owner, name);
  const member = isClass(owner.symbol) ? memberOf(ctx, owner.symbol, name) : null;
  const { via } = owner;
  return (
    member && { kind: 'symbol', symbol: member.symbol, via: member.isInherited ? weaker(via, 'type') : via }
  );
}
