import { type Lowering, type MadeParameter, NONE, type NodeId, typeOfName } from '../../lower/index.js';

/** `a.b.C<T>`: the grammar has all names of a path as children. @param count How many of them. */
export function userType(to: Lowering, node: NodeId, count = Infinity): number {
  const { tree } = to;
  const children = tree.children(node);
  const names = children.filter((one) => tree.kind(one) === 'identifier').slice(0, count);
  const given = children
    .filter((one) => tree.kind(one) === 'type_arguments')
    .flatMap((one) => tree.children(one));
  let row = -1;
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    row = typeNamed(to, name, row, isLast ? given : [], names[index - 1]);
  }
  return row;
}

/** The type of a label or a name, by the name alone. */
export function typeNamed(
  to: Lowering,
  name: NodeId,
  base = -1,
  given: readonly NodeId[] = [],
  of: NodeId = NONE,
): number {
  const use = /^[A-Z]/.test(to.tree.textOf(name)) ? 'type' : null;
  return typeOfName(to, name, { base, of, parts: given.map((one) => to.type(one)), use });
}

/** The last name in a node. */
export function lastIdentifier(to: Lowering, node: NodeId): NodeId {
  const names = to.tree.children(node).filter((one) => to.tree.kind(one) === 'identifier');
  return names[names.length - 1] ?? node;
}

/** A parameter; what it is without an argument, and `vararg`, stand beside it. */
export function parameter(to: Lowering, node: NodeId): MadeParameter | null {
  const { tree } = to;
  const name = to.part(node, ':identifier');
  if (name === NONE) return null;
  const type = to.part(node, '*type');
  const written = type === NONE ? null : to.text.folded(tree.start(type), tree.end(type), 300);
  const row = to.type(type);
  const last = to.part(node, '#-1');
  const inside = to.isExpression(last) && last !== name ? last : NONE;
  const next = tree.next(node);
  const isBeside = /^\s*=(?!=)\s*$/.test(tree.text.slice(tree.end(node), tree.start(next)).slice(0, 80));
  const variadic = /\bvararg\s+$/.test(tree.text.slice(Math.max(0, tree.start(node) - 40), tree.start(name)));
  const value = inside !== NONE ? inside : isBeside ? next : NONE;
  return { name, type: row, written, variadic, ...(value === NONE ? {} : { default: value }) };
}
