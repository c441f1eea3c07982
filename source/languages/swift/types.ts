import { type Lowering, NONE, type NodeId, typeOfName } from '../../lower/index.js';

/** Names behind a type that mean the type itself. */
const METATYPES = new Set(['Type', 'Protocol']);

/** `A.B<C>`: the grammar has all names of a path as children. */
export function userType(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const children = tree.children(node);
  let row = -1;
  let of: NodeId = NONE;
  for (const [index, name] of children.entries()) {
    if (tree.kind(name) !== 'type_identifier') continue;
    if (row >= 0 && METATYPES.has(tree.textOf(name))) continue;
    const next = children[index + 1] ?? NONE;
    const given = tree.kind(next) === 'type_arguments' ? tree.children(next) : [];
    row = typeNamed(to, name, row, given, of);
    of = name;
  }
  return row;
}

/** The type of a name, in another one or with type arguments. */
export function typeNamed(
  to: Lowering,
  name: NodeId,
  base = -1,
  given: readonly NodeId[] = [],
  of: NodeId = NONE,
): number {
  if (base < 0 && to.tree.textOf(name) === 'Self')
    return to.addType({ kind: 'self', at: to.tree.start(name) });
  return typeOfName(to, name, { base, of, parts: given.map((one) => to.type(one)) });
}

/** A type of the library, whatever the file calls so. */
export function libraryType(to: Lowering, name: string, parts: readonly number[], at: number): number {
  const base = to.addType({ kind: 'package', name: 'Swift', at });
  return to.addType({ kind: 'name', name, base, parts, at });
}

/** The first child that is a type. @param from The offset that it stands behind. */
export function typeIn(to: Lowering, node: NodeId, from = 0): NodeId {
  const { tree } = to;
  for (const one of tree.children(node))
    if (tree.start(one) >= from && to.typeRule(one) !== undefined) return one;
  return NONE;
}

/** `(A, b: B) -> C` */
export function functionType(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const params = to.part(node, 'params');
  const at = tree.start(node);
  const items = tree.kind(params) === 'tuple_type' ? tree.children(params) : [params];
  const parts = items.map((one) => to.type(to.typeRule(one) === undefined ? typeIn(to, one) : one));
  return to.addType({ kind: 'function', base: to.type(to.part(node, 'name')), parts, at });
}

/** `(A, b: B)`; one in brackets is itself. */
export function tupleType(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const parts = tree
    .children(node)
    .map((one) => to.type(to.typeRule(one) === undefined ? typeIn(to, one) : one));
  const [only = -1] = parts;
  return parts.length === 1 ? only : to.addType({ kind: 'tuple', parts, at: tree.start(node) });
}

/** A type that is written where an expression stands: `[Shape]()`. */
export function typeOfExpression(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const kind = tree.kind(node);
  const at = tree.start(node);
  if (kind === 'simple_identifier') return typeNamed(to, node);
  if (kind === 'navigation_expression') {
    const name = tree.first(to.part(node, 'suffix'));
    return typeNamed(to, name, typeOfExpression(to, to.part(node, 'target')), [], to.part(node, 'target'));
  }
  if (kind === 'array_literal')
    return to.addType({ kind: 'list', base: typeOfExpression(to, tree.first(node)), at });
  if (kind === 'dictionary_literal')
    return libraryType(
      to,
      'Dictionary',
      tree.children(node).map((one) => typeOfExpression(to, one)),
      at,
    );
  return to.type(node);
}
