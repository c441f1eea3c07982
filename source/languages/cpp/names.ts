import { type Lowering, NONE, type NodeId, nameAt, type Use } from '../../lower/index.js';

/** The parts of a path, `a::B<T>::c`, the first of all empty where it begins with `::`. */
export function partsOf(to: Lowering, node: NodeId): NodeId[] {
  if (to.tree.kind(node) !== 'qualified_identifier') return [node];
  return [to.part(node, 'scope'), ...partsOf(to, to.part(node, 'name'))];
}

/** The node of a part's name, what it is made for left out. */
export function bareName(to: Lowering, node: NodeId): NodeId {
  return /^(?:template_|dependent_)/.test(to.tree.kind(node)) ? to.part(node, 'name') : node;
}

/** A path as an expression: members of namespaces and classes. */
export function pathExpression(to: Lowering, node: NodeId, use: Use = 'path'): number {
  const { tree } = to;
  const parts = partsOf(to, node);
  const last = bareName(to, parts[parts.length - 1] ?? node);
  if (parts.length === 1) return nameAt(to, last, use);
  let base = -1;
  let of = NONE;
  for (const [index, part] of parts.entries()) {
    if (part === NONE) continue;
    const name = bareName(to, part);
    const at = tree.start(name);
    const called = { name: tree.textOf(name), at, nameNode: name };
    const isLast = index === parts.length - 1;
    if (tree.kind(part) === 'template_type' && !isLast && base < 0)
      base = to.addExpression({ kind: 'type', type: to.type(part), at });
    // A path that begins with `::` is one of the file's names.
    else if (base < 0)
      base = to.addExpression({ kind: 'name', ...called, ...(parts[0] === NONE ? { scope: 0 } : {}) });
    else base = to.addExpression({ kind: 'member', base, ...called, ofNode: of });
    of = part;
  }
  const receiver = parts[parts.length - 2] ?? NONE;
  if (use !== 'callee' && use !== 'path')
    to.refer({
      ...{ kind: use, name: last, whole: node, expression: base },
      ...(receiver === NONE ? {} : { receiver, receiverRow: to.baseOf(base) }),
    });
  return base;
}

/** A path as a type. */
export function pathType(to: Lowering, node: NodeId): number {
  const { tree } = to;
  let base = -1;
  let of = NONE;
  const parts = partsOf(to, node);
  const head = to.head === null ? {} : { scope: to.head };
  for (const [index, part] of parts.entries()) {
    if (part === NONE) continue;
    const name = bareName(to, part);
    const given = part === name ? [] : to.parts(part, 'arguments').map((one) => to.type(one));
    const text = tree.textOf(name);
    const scope = parts[0] === NONE && base < 0 ? { scope: 0 } : head;
    base = to.addType({ kind: 'name', name: text, base, parts: given, at: tree.start(name), ...scope });
    if (index === parts.length - 1) to.refer({ kind: 'type', name, whole: node, receiver: of, type: base });
    of = part;
  }
  return base;
}
