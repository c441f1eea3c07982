import { BINDING_FLAGS } from '../../ir/index.js';
import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { typeNodes, writtenType } from './types.js';

/** Binds the parameters in a list; those in brackets may be left out, those in braces are given by name. */
export function parameters(to: Lowering, list: NodeId, definition: number | null): void {
  const { tree } = to;
  for (const one of tree.children(list)) {
    if (tree.kind(one) === 'formal_parameter') parameter(to, one, definition, 0, NONE);
    if (tree.kind(one) !== 'optional_formal_parameters') continue;
    const isNamed = tree.text.charAt(tree.start(one)) === '{';
    const inside = tree.children(one);
    for (const [at, each] of inside.entries()) {
      if (tree.kind(each) !== 'formal_parameter') continue;
      const isRequired = /(?:^|[\s{,])required\s+$/.test(
        tree.text.slice(Math.max(0, tree.start(each) - 20), tree.start(each)),
      );
      const starts = /^required\s/.test(tree.textOf(each).slice(0, 20));
      const flags = (isNamed ? BINDING_FLAGS.named : 0) + (isRequired || starts ? 0 : BINDING_FLAGS.optional);
      const next = inside[at + 1] ?? NONE;
      parameter(to, each, definition, flags, tree.kind(next) === 'formal_parameter' ? NONE : next);
    }
  }
}

function parameter(
  to: Lowering,
  node: NodeId,
  definition: number | null,
  flags: number,
  given: NodeId,
): void {
  const { tree } = to;
  const inner = tree.first(node);
  const isField = tree.kind(inner) === 'constructor_param';
  const isSuper = tree.kind(inner) === 'super_formal_parameter';
  const holder = isField || isSuper ? inner : node;
  const name = to.part(holder, 'name') === NONE ? to.part(holder, ':identifier') : to.part(holder, 'name');
  if (name === NONE) return;
  const [written = NONE] = typeNodes(to, holder).filter((one) => tree.start(one) < tree.start(name));
  let type = to.type(written);
  const taken = to.part(holder, ':formal_parameter_list');
  if (taken !== NONE) {
    // `void f(int a)`: a function.
    const parts = tree.children(taken).flatMap((one) => {
      const [first] = typeNodes(to, one);
      return first === undefined ? [] : [to.type(first)];
    });
    type = to.addType({ kind: 'function', base: type, parts, at: tree.start(node) });
  }
  let value = to.expression(given);
  if (isField && type < 0) {
    // What has no type of its own has that of the field.
    const base = to.addExpression({ kind: 'this', at: tree.start(name) });
    value = to.addExpression({ kind: 'member', name: tree.textOf(name), base, at: tree.start(name) });
  }
  to.bind('parameter', name, { type, value, flags });
  if (definition === null) return;
  to.definitions[definition]?.parameters.push({
    ...{ name: tree.textOf(name), type: writtenType(to, written) },
    ...{ optional: (flags & BINDING_FLAGS.optional) !== 0, rest: false },
  });
}
