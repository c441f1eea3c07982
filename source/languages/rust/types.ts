import { type Lowering, NONE, type NodeId } from '../../lower/index.js';

/**
 * The type, module or trait that a path names: `Foo`, `a::b::Foo<T>`, `<T as Trait>`. Of what qualifies it only types are
 * references: modules are no symbols.
 *
 * @param isLast Whether it is all of what is written, and not what something else is looked up in.
 */
export function pathType(to: Lowering, node: NodeId, isLast = true, given: readonly NodeId[] = []): number {
  const { tree } = to;
  const at = tree.start(node);
  const kind = tree.kind(node);
  if (kind.startsWith('generic_type'))
    return pathType(to, to.part(node, 'type'), isLast, tree.children(to.part(node, 'type_arguments')));
  if (kind === 'bracketed_type') return pathType(to, tree.first(node), isLast);
  if (kind === 'qualified_type') {
    to.type(to.part(node, 'type'));
    return pathType(to, to.part(node, 'alias'), isLast);
  }
  const isPath = kind.startsWith('scoped_');
  if (!isPath && !NAMES.has(kind)) return to.type(node);
  const name = isPath ? to.part(node, 'name') : node;
  const of = isPath ? to.part(node, 'path') : NONE;
  const text = tree.textOf(name);
  if (of === NONE && text === to.rules.ownType) return to.ownType(at);
  if (of === NONE && to.rules.builtinTypes.has(text) && !to.isBound(text, 'type'))
    return to.addType({ kind: 'literal', name: text, at });
  if (of === NONE && text === '_') return to.addType({ kind: 'unknown', at });
  const base = of === NONE ? -1 : pathType(to, of, false);
  const parts = given.map((one) => to.type(one));
  const type = to.addType({ kind: 'name', name: text, base, parts, at });
  const isBound = of === NONE && to.isBound(text, 'type');
  if (!isBound && (isLast || /^[A-Z]/.test(text)))
    to.refer({ kind: 'type', name, whole: node, receiver: of, type });
  return type;
}

/** Nodes that are a name of a type or of a module. */
const NAMES = new Set('identifier type_identifier primitive_type self super crate metavariable'.split(' '));

/** `Fn(A) -> B`, `fn(A) -> B` */
export function functionType(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const parts = tree.children(to.part(node, 'parameters')).flatMap((one) => {
    const written = tree.kind(one) === 'parameter' ? to.part(one, 'type') : one;
    return to.typeRule(written) === undefined ? [] : to.type(written);
  });
  const base = to.type(to.part(node, 'return_type'));
  return to.addType({ kind: 'function', base, parts, at: tree.start(node) });
}

/** The last name of a type, of what it refers to or is made of: `Foo` of `&'a mut a::Foo<T>`. */
export function nameOf(to: Lowering, node: NodeId): string {
  const { tree } = to;
  for (let one = node, depth = 0; depth < 16; depth += 1) {
    if (tree.kind(one) === 'array_type') return '[]';
    const fields = tree.kind(one).startsWith('scoped_') ? ['name'] : ['type', 'trait'];
    const [inner = NONE] = fields.map((field) => to.part(one, field)).filter((part) => part !== NONE);
    if (inner === NONE) return tree.textOf(one).replace(/\W+/g, '_');
    one = inner;
  }
  return '';
}
