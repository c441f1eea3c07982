import type { Type } from './types.js';
import type { UnitView } from './unit-view.js';

/** Types in types that are compared. */
const DEEPEST = 16;

/**
 * Whether two types are the same, their arguments included, once type parameters stand for something: each for one type
 * alone. Null where a part of one is not known.
 *
 * @param by What the type parameters stand for; more is added.
 */
export function unified(a: Type, b: Type, by: Map<string, Type>, depth = 0): boolean | null {
  const [left, right] = [standing(a, by), standing(b, by)];
  if (left.kind === 'unknown' || right.kind === 'unknown' || depth > DEEPEST) return null;
  if (left.kind === 'parameter' || right.kind === 'parameter') {
    if (left.kind === 'parameter' && right.kind === 'parameter' && left.id === right.id) return true;
    if (left.kind === 'parameter') by.set(left.id, right);
    else if (right.kind === 'parameter') by.set(right.id, left);
    return true;
  }
  const all = (ones: readonly Type[], others: readonly Type[]): boolean | null => {
    if (ones.length !== others.length) return false;
    let sure: boolean | null = true;
    for (const [at, one] of ones.entries()) {
      const other = others[at];
      const same = other === undefined ? false : unified(one, other, by, depth + 1);
      if (same === false) return false;
      if (same === null) sure = null;
    }
    return sure;
  };
  switch (left.kind) {
    case 'named':
      return right.kind === 'named' && left.symbol === right.symbol ? all(left.args, right.args) : false;
    case 'external':
      return right.kind === 'external' && left.name === right.name && left.package === right.package
        ? all(left.args, right.args)
        : false;
    case 'builtin':
      return right.kind === 'builtin' && left.name === right.name;
    case 'pointer':
    case 'list':
    case 'optional':
    case 'channel':
      return right.kind === left.kind && 'of' in right ? unified(left.of, right.of, by, depth + 1) : false;
    case 'map':
      return right.kind === 'map' ? all([left.key, left.of], [right.key, right.of]) : false;
    case 'function':
      return right.kind === 'function' && left.variadic === right.variadic
        ? all([...left.parameters, left.result], [...right.parameters, right.result])
        : false;
    case 'tuple':
    case 'union':
    case 'either':
      return right.kind === left.kind && 'parts' in right ? all(left.parts, right.parts) : false;
    default:
      // Of types that are written in place, no more is told here than that both are.
      return right.kind === left.kind ? null : false;
  }
}

function standing(type: Type, by: ReadonlyMap<string, Type>): Type {
  let found = type;
  for (let depth = 0; depth < DEEPEST && found.kind === 'parameter'; depth += 1) {
    const next = by.get(found.id);
    if (next === undefined) break;
    found = next;
  }
  // What the library says of built-in types it says of types of a package without a name.
  return found.kind === 'external' && found.package === '' && found.args.length === 0
    ? { kind: 'builtin', name: found.name }
    : found;
}

/** Whether two types are written the same, names with what qualifies them. -1 is none. */
export function sameWritten(a: UnitView, left: number, b: UnitView, right: number, depth = 0): boolean {
  if (left < 0 || right < 0) return left < 0 && right < 0;
  if (depth > DEEPEST || a.typeKind(left) !== b.typeKind(right)) return false;
  const kind = a.typeKind(left);
  if (kind === 'unknown' || a.typeName(left) !== b.typeName(right)) return false;
  const inner = (one: number, other: number) => sameWritten(a, one, b, other, depth + 1);
  const [ones, others] = [a.items('types', left), b.items('types', right)];
  if (ones.length !== others.length || !ones.every((one, at) => inner(one, others[at] ?? -1))) return false;
  if (kind === 'members') {
    const [own, other] = [membersOf(a, left), membersOf(b, right)];
    return (
      own.size === other.size &&
      [...own].every(([name, type]) => other.has(name) && inner(type, other.get(name) ?? -1))
    );
  }
  return inner(a.unit.types.base[left] ?? -1, b.unit.types.base[right] ?? -1);
}

/** The members of a type that is written in place, with the rows of their types. */
function membersOf(view: UnitView, row: number): ReadonlyMap<string, number> {
  const { types, symbols, bindings } = view.unit;
  const found = new Map<string, number>();
  for (const [name, entries] of view.scopeNames(types.scope[row] ?? -1))
    for (const { table, row: one } of entries)
      found.set(name, (table === 'symbol' ? symbols.type[one] : bindings.type[one]) ?? -1);
  return found;
}
