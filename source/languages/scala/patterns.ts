import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { namedType, namesIn } from './types.js';

/** Binds a name that a pattern has. @param type The row of a written type; -1 without any. */
export type Bind = (name: NodeId, value: number, type: number) => void;

/** Binds the names of a pattern that a value is matched with; what it names is used. */
export function pattern(to: Lowering, node: NodeId, value: number, bind: Bind): void {
  const { tree } = to;
  switch (tree.kind(node)) {
    case 'identifier':
      if (/^[a-z_]/.test(tree.textOf(node))) bind(node, value, -1);
      else to.expression(node);
      return;
    case 'typed_pattern': {
      const inner = to.part(node, 'pattern');
      const type = to.type(to.part(node, 'type'));
      if (tree.kind(inner) === 'identifier') bind(inner, -1, type);
      return;
    }
    case 'capture_pattern': {
      const inner = to.part(node, 'pattern');
      pattern(to, inner, value, bind);
      const written = to.part(inner, 'type');
      // The captured value is what the pattern inside says that it is.
      const type = written === NONE ? -1 : namedType(to, written);
      bind(to.part(node, 'name'), type < 0 ? value : -1, type);
      return;
    }
    case 'case_class_pattern': {
      const item = extractor(to, to.part(node, 'type'));
      const parts = to.parts(node, 'pattern');
      for (const [index, one] of parts.entries()) {
        const made = { kind: 'matched', name: String(index), base: value, parts: [item] } as const;
        pattern(to, one, to.addExpression({ ...made, at: tree.start(one) }), bind);
      }
      return;
    }
    case 'infix_pattern': {
      const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
      const operator = tree.textOf(to.part(node, 'operator'));
      const at = tree.start(node);
      const element = to.addExpression({ kind: 'element', base: value, at });
      const isFirst = operator === '::' || operator === '+:';
      pattern(to, left, isFirst ? element : operator === ':+' ? value : to.unknown, bind);
      pattern(to, right, isFirst ? value : operator === ':+' ? element : to.unknown, bind);
      return;
    }
    case 'tuple_pattern': {
      const parts = tree.children(node);
      for (const [index, one] of parts.entries())
        pattern(
          to,
          one,
          parts.length === 1 ? value : to.addExpression({ kind: 'part', base: value, at: index }),
          bind,
        );
      return;
    }
    case 'repeat_pattern':
      for (const one of tree.children(node)) pattern(to, one, to.unknown, bind);
      return;
    case 'alternative_pattern':
    case 'interpolated_string':
    case 'interpolation':
    case 'interpolated_string_expression':
      for (const one of tree.children(node))
        if (tree.field(one) !== 'interpolator') pattern(to, one, to.unknown, bind);
      return;
    case 'stable_identifier':
    case 'identifiers': {
      if (tree.kind(node) === 'stable_identifier') extractor(to, node);
      else for (const one of tree.children(node)) pattern(to, one, value, bind);
      return;
    }
    case 'wildcard':
      return;
    default:
      to.visit(node);
  }
}

/** What a pattern names: a class, an object, or what takes a value apart. */
function extractor(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const names = namesIn(to, tree.kind(node) === 'generic_type' ? to.part(node, 'type') : node);
  let row = -1;
  let of: NodeId = NONE;
  for (const [index, name] of names.entries()) {
    const at = tree.start(name);
    const text = tree.textOf(name);
    const base = row;
    row =
      base < 0
        ? to.addExpression({ kind: 'name', name: text, at })
        : to.addExpression({ kind: 'member', name: text, base, at });
    if (index === names.length - 1)
      to.refer({ kind: 'read', name, whole: node, receiver: of, receiverRow: base, expression: row });
    of = name;
  }
  return row;
}
