import type { Lowering, TypeRule } from './rules.js';
import { NONE, type NodeId } from './syntax-tree.js';

/** The row of a written type by its rule; the names in it become references. */
export function lowerType(to: Lowering, node: NodeId, rule: TypeRule): number {
  const { tree } = to;
  const at = tree.start(node);
  if (typeof rule === 'function') return rule(to, node);
  if (typeof rule === 'string') {
    if (rule === 'name') return namedAt(to, node, node, NONE, []);
    if (rule === 'inside') return to.type(tree.first(node));
    if (rule === 'members')
      return to.inScope('type', node, () => {
        to.visitChildren(node);
        return to.addType({ kind: 'members', at });
      });
    if (rule === 'unknown') {
      to.visitChildren(node);
      return to.addType({ kind: 'unknown', at });
    }
    const parts = tree.children(node).map((one) => to.type(one));
    return parts.length === 1 ? (parts[0] ?? -1) : to.addType({ kind: rule, parts, at });
  }
  switch (rule.is) {
    case 'name':
      return namedAt(to, node, to.part(node, rule.name), to.part(node, rule.of), []);
    case 'generic': {
      const type = to.part(node, rule.type);
      const given = to.parts(node, rule.arguments);
      const inner = to.typeRule(type);
      if (typeof inner === 'object' && inner.is === 'name')
        return namedAt(to, type, to.part(type, inner.name), to.part(type, inner.of), given);
      return namedAt(to, type, type, NONE, given);
    }
    case 'map': {
      const parts = [to.type(to.part(node, rule.key)), to.type(to.part(node, rule.value))];
      return to.addType({ kind: 'map', parts, at });
    }
    case 'function':
      return to.functionType(node, rule.parameters, rule.result);
    case 'literal':
      return to.addType({ kind: 'literal', name: rule.name, at });
    case 'list':
      return listOf(
        to,
        to.type(to.part(node, rule.of)),
        tree.textOf(to.part(node, rule.dimensions)) || '[',
        at,
      );
    default:
      return to.addType({ kind: rule.is, base: to.type(to.part(node, rule.of)), at });
  }
}

/** The node of the last name of a written type. */
export function lastName(to: Lowering, node: NodeId): NodeId {
  for (let last = node; ; ) {
    const rule = to.typeRule(last);
    let next = NONE;
    if (rule === 'inside') next = to.tree.first(last);
    else if (typeof rule === 'object' && rule.is === 'name') next = to.part(last, rule.name);
    else if (typeof rule === 'object' && rule.is === 'generic') next = to.part(last, rule.type);
    else if (typeof rule === 'object' && rule.is === 'pointer') next = to.part(last, rule.of);
    if (next === NONE || next === last) return last;
    last = next;
  }
}

/** Lists of a type in lists, as deep as there are `[`. */
export function listOf(to: Lowering, of: number, dimensions: string, at: number): number {
  let type = of;
  for (const mark of dimensions) if (mark === '[') type = to.addType({ kind: 'list', base: type, at });
  return type;
}

/** A named type: `Name`, `of.Name`, with type arguments. */
function namedAt(to: Lowering, whole: NodeId, name: NodeId, of: NodeId, given: readonly NodeId[]): number {
  const { tree } = to;
  const text = tree.textOf(name);
  const at = tree.start(whole);
  if (of === NONE && to.rules.inferredTypes?.has(text)) return -1;
  if (text === to.rules.blank) return to.addType({ kind: 'unknown', at });
  if (of === NONE && to.rules.builtinTypes.has(text) && !to.isBound(text, 'type'))
    return to.addType({ kind: 'literal', name: text, at });
  const base = of === NONE ? -1 : to.type(of);
  return typeOfName(to, name, { whole, base, of, parts: given.map((one) => to.type(one)) });
}

/** What {@link typeOfName} may be told. */
interface NamedType {
  /** The node that is the whole name. Default: the name's. */
  readonly whole?: NodeId;
  /** The row of the type or package that it is of. Default: none. */
  readonly base?: number;
  /** The node of that. */
  readonly of?: NodeId;
  /** The rows of its type arguments. */
  readonly parts?: readonly number[];
  /** What the name becomes a reference as; null: as nothing. Default: a type. */
  readonly use?: 'type' | 'decorator' | null;
}

/** The row of a type by its name; the name becomes a reference, unless a type parameter around it has that name. */
export function typeOfName(
  to: Lowering,
  name: NodeId,
  { whole = name, base = -1, of = NONE, parts = [], use = 'type' }: NamedType = {},
): number {
  const text = to.tree.textOf(name);
  const isBound = base < 0 && to.isBound(text, 'type');
  const scope = to.head === null || isBound ? {} : { scope: to.head };
  const row = to.addType({ kind: 'name', name: text, base, parts, at: to.tree.start(whole), ...scope });
  if (!isBound && use) to.refer({ kind: use, name, whole, receiver: of, type: row });
  return row;
}
