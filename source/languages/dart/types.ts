import { type Lowering, NONE, type NodeId, typeOfName } from '../../lower/index.js';
import { isNext } from './siblings.js';

/** Types of nodes that a written type is made of: they stand beside each other. */
const PIECES: ReadonlySet<string> = new Set([
  'type_identifier',
  'type_arguments',
  'nullable_type',
  'function_type',
  'record_type',
  'void_type',
]);

/** What a type says that says nothing. */
const ANYTHING: ReadonlySet<string> = new Set(['dynamic', 'Never']);

/** `Name`, `prefix.Name`, with type arguments: the grammar has all of it as siblings. */
export function namedType(to: Lowering, node: NodeId): number {
  const { tree } = to;
  let [name, of, base] = [node, NONE as NodeId, -1];
  let next = tree.next(node);
  if (tree.kind(next) === 'type_identifier' && isNext(to, node, next, '.')) {
    base = to.addType({ kind: 'name', name: tree.textOf(node), at: tree.start(node) });
    of = node;
    name = next;
    next = tree.next(name);
  }
  if (base < 0 && ANYTHING.has(tree.textOf(name)))
    return to.addType({ kind: 'unknown', at: tree.start(name) });
  const hasArguments = tree.kind(next) === 'type_arguments' && isNext(to, name, next);
  const parts = hasArguments ? typesIn(to, next) : [];
  return typeOfName(to, name, { base, of, parts });
}

/** The nodes that types in a node begin with. */
export function typeNodes(to: Lowering, node: NodeId): NodeId[] {
  const { tree } = to;
  let last: NodeId = NONE;
  return tree.children(node).filter((one) => {
    const isType = to.typeRule(one) !== undefined && tree.kind(one) !== 'type_bound';
    const isBehind = last !== NONE && isNext(to, last, one, '.');
    last = tree.kind(one) === 'type_identifier' ? one : NONE;
    return isType && !isBehind;
  });
}

/** The rows of the types in a node. */
export function typesIn(to: Lowering, node: NodeId): number[] {
  return typeNodes(to, node).map((one) => to.type(one));
}

/** Where a type ends that begins with a node. */
export function typeEnd(to: Lowering, node: NodeId): number {
  const { tree } = to;
  let last = node;
  for (let next = tree.next(node); PIECES.has(tree.kind(next)); next = tree.next(next)) {
    const isName = tree.kind(next) === 'type_identifier';
    if (!isNext(to, last, next, isName ? '.' : '')) break;
    last = next;
  }
  return tree.end(last);
}

/** A type as it is written; null for none. */
export function writtenType(to: Lowering, node: NodeId): string | null {
  return node === NONE ? null : to.text.folded(to.tree.start(node), typeEnd(to, node), 300);
}

/** `R Function(A, {B b})` */
export function functionType(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const lists = tree.children(node).filter((one) => tree.kind(one) === 'parameter_type_list');
  const [result = NONE] = typeNodes(to, node).filter((one) => tree.start(one) === tree.start(node));
  let base = to.type(result);
  for (const list of lists) {
    const parts = tree.children(list).flatMap((one) => {
      const inner = tree.kind(tree.first(one)) === 'typed_identifier' ? tree.first(one) : one;
      return typesIn(to, inner).slice(0, 1);
    });
    base = to.addType({ kind: 'function', base, parts, at: tree.start(list) });
  }
  return base;
}

/** `(A, B)`; fields with names are not followed. */
export function recordType(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const parts = tree.children(node).flatMap((field) => {
    const inner = tree.kind(tree.first(field)) === 'typed_identifier' ? tree.first(field) : field;
    const [type = -1] = typesIn(to, inner);
    return tree.kind(field) === 'record_type_field' ? [type] : [];
  });
  return to.addType({ kind: 'tuple', parts, at: tree.start(node) });
}
