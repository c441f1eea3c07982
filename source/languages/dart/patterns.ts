import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { operands } from './siblings.js';
import { typeNodes } from './types.js';

/**
 * Binds the names in a pattern. @param value The expression that is matched.
 * @param declares Whether a bare name in it is one that it binds, and no constant.
 */
export function bindPattern(to: Lowering, node: NodeId, value: number, declares: boolean): void {
  const { tree } = to;
  const at = tree.start(node);
  switch (tree.kind(node)) {
    case 'variable_pattern': {
      const name = to.part(node, ':identifier');
      const [written = NONE] = typeNodes(to, node);
      to.bind('local', name, { type: to.type(written), value, from: tree.start(name) });
      return;
    }
    case 'constant_pattern': {
      const inner = tree.first(node);
      if (!declares || tree.kind(inner) !== 'identifier') to.visitChildren(node);
      else to.bind('local', inner, { value, from: tree.start(inner) });
      return;
    }
    case 'object_pattern': {
      const [written = NONE] = typeNodes(to, node);
      const type = to.type(written);
      const base = to.addExpression({ kind: 'convert', base: value, type, at });
      fields(to, node, declares, (name) => to.addExpression({ kind: 'member', name, base, at }));
      return;
    }
    case 'record_pattern': {
      let index = 0;
      fields(to, node, declares, (name) =>
        name === ''
          ? to.addExpression({ kind: 'part', base: value, at: index++ })
          : to.addExpression({ kind: 'member', name, base: value, at }),
      );
      return;
    }
    case 'list_pattern': {
      const item = to.addExpression({ kind: 'element', base: value, at });
      for (const one of tree.children(node)) bindPattern(to, one, item, declares);
      return;
    }
    case 'null_check_pattern':
    case 'null_assert_pattern':
    case 'parenthesized_pattern':
    case 'logical_or_pattern':
    case 'logical_and_pattern':
      for (const one of tree.children(node)) bindPattern(to, one, value, declares);
      return;
    case 'cast_pattern': {
      const [written = NONE] = typeNodes(to, node);
      const cast = to.addExpression({ kind: 'convert', base: value, type: to.type(written), at });
      bindPattern(to, tree.first(node), cast, declares);
      return;
    }
    default:
      to.visitChildren(node);
  }
}

/** `(name: pattern, :var name)`: a field's name stands in front of its pattern, or is that of what the pattern binds. */
function fields(to: Lowering, node: NodeId, declares: boolean, of: (name: string) => number): void {
  const { tree } = to;
  let name = '';
  for (const one of tree.children(node)) {
    if (tree.kind(one) === 'identifier') {
      name = tree.textOf(one);
      continue;
    }
    if (!tree.kind(one).endsWith('_pattern')) continue;
    const isShort = /:\s*$/.test(tree.text.slice(Math.max(0, tree.start(one) - 8), tree.start(one)));
    if (name === '' && isShort) name = tree.textOf(to.part(one, ':identifier'));
    bindPattern(to, one, of(name), declares);
    name = '';
  }
}

/**
 * Binds the names of which a condition tells the type: `a is T`, alone or one of several.
 * @param holds Whether it is true there, or false. @param from Where that begins.
 */
export function casts(to: Lowering, node: NodeId, holds: boolean, from: number): void {
  const { tree } = to;
  switch (tree.kind(node)) {
    case 'parenthesized_expression':
      casts(to, tree.first(node), holds, from);
      return;
    case 'unary_expression':
      if (tree.text.charAt(tree.start(node)) === '!')
        for (const one of operands(to, node)) casts(to, one, !holds, from);
      return;
    case 'logical_and_expression':
      if (holds) for (const one of operands(to, node)) casts(to, one, true, from);
      return;
    case 'logical_or_expression':
      if (!holds) for (const one of operands(to, node)) casts(to, one, false, from);
      return;
    case 'type_test_expression': {
      const [name = NONE, ...others] = tree.children(node);
      const test = others[others.length - 1] ?? NONE;
      const isNot = /^is\s*!/.test(tree.textOf(test).slice(0, 8));
      if (tree.kind(name) !== 'identifier' || others.length !== 1 || isNot === holds) return;
      if (!to.isBound(tree.textOf(name))) return;
      const [written = NONE] = typeNodes(to, test);
      to.bind('local', name, { type: plainType(to, written), from });
      return;
    }
  }
}

/** A type that was read already: its names are no references again. */
function plainType(to: Lowering, node: NodeId): number {
  const { tree } = to;
  if (tree.kind(node) !== 'type_identifier') return -1;
  const next = tree.next(node);
  const isPath =
    tree.kind(next) === 'type_identifier' && tree.text.slice(tree.end(node), tree.start(next)) === '.';
  const base = isPath ? to.addType({ kind: 'name', name: tree.textOf(node), at: tree.start(node) }) : -1;
  const name = isPath ? next : node;
  return to.addType({ kind: 'name', name: tree.textOf(name), base, at: tree.start(name) });
}
