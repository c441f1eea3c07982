import { callOf, eitherOf, type Lowering, memberAt, NONE, type NodeId } from '../../lower/index.js';

/** One name, or the parts of a value. */
export function bindNames(to: Lowering, node: NodeId, value: number, from: number, type = -1): void {
  const { tree } = to;
  if (tree.kind(node) !== 'multi_variable_declaration') {
    to.bind('local', tree.first(node), { type, value, from });
    return;
  }
  for (const [index, one] of tree.children(node).entries()) {
    const part = to.addExpression({ kind: 'part', base: value, at: index });
    bindNames(to, one, part, from, to.type(to.part(one, '*type')));
  }
}

/** A call; with a lambda behind its arguments that is the last of them. */
export function callAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const parts = (call: NodeId) => {
    const lambda = to.part(call, ':annotated_lambda');
    return [...tree.children(to.part(call, ':value_arguments')), ...(lambda === NONE ? [] : [lambda])];
  };
  let given = parts(node);
  let call = node;
  let callee = tree.first(node);
  // `f(a) { … }` is one call.
  if (tree.kind(callee) === 'call_expression' && to.part(node, ':value_arguments') === NONE) {
    call = callee;
    given = [...parts(callee), ...given];
    callee = tree.first(callee);
  }
  const [type = -1] = tree.children(to.part(call, ':type_arguments')).map((one) => to.type(one));
  const base = to.expression(callee, 'callee');
  const { name, of } = to.writtenAt(base);
  return callOf(to, node, { base, name, receiver: of, given, type });
}

/** `a op b`: a call of what `op` is of `a`. */
export function infixAt(to: Lowering, node: NodeId): number {
  const [left = NONE, name = NONE, right = NONE] = to.tree.children(node);
  const base = memberAt(to, node, left, name, 'callee');
  return callOf(to, node, { base, name, receiver: left, given: [right] });
}

/** `{ a, b -> … }`; without parameters `it` is what it is given. */
export function lambda(to: Lowering, node: NodeId): number {
  const { tree } = to;
  return to.inScope('function', node, () => {
    const scope = to.scope;
    const list = to.part(node, ':lambda_parameters');
    if (list === NONE) to.scopes.bind('parameter', 'it', {});
    else to.parameters(list, null);
    const parts = to.returned((values) => {
      const inside = tree.children(node).filter((one) => one !== list);
      for (const [index, one] of inside.entries())
        if (index < inside.length - 1) to.visit(one);
        else values.push(valueIn(to, one));
    });
    return to.addExpression({
      kind: 'function',
      scope: to.scopes.ownRow() || scope,
      parts,
      at: tree.start(node),
    });
  });
}

/** The value of a branch: of a block that of its last expression. */
export function valueIn(to: Lowering, node: NodeId): number {
  const { tree } = to;
  if (tree.kind(node) !== 'block') {
    if (to.isExpression(node)) return to.expression(node);
    to.visit(node);
    return to.unknown;
  }
  return to.inScope('block', node, () => {
    let last = to.unknown;
    for (const one of tree.children(node)) last = valueIn(to, one);
    return last;
  });
}

/** `when (x) { … }`: its value is that of one of its branches. */
export function whenAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  return to.inScope('block', node, () => {
    const subject = to.part(node, ':when_subject');
    const variable = to.part(subject, ':variable_declaration');
    const given = to.part(subject, '#-1');
    const value = to.expression(given);
    if (variable !== NONE) bindNames(to, variable, value, tree.end(subject));
    const named = variable === NONE ? given : tree.first(variable);
    const parts = tree.children(node).flatMap((entry) => {
      if (tree.kind(entry) !== 'when_entry') return [];
      return to.inScope('block', entry, () => {
        for (const one of tree.children(entry)) {
          if (tree.field(one) !== 'condition') continue;
          if (tree.kind(one) !== 'type_test') to.expression(one);
          else {
            const type = to.type(to.part(one, '*type'));
            if (tree.kind(named) === 'identifier') to.bind('local', named, { type, from: tree.end(one) });
          }
        }
        return valueIn(to, to.part(entry, '#-1'));
      });
    });
    return eitherOf(to, parts, node);
  });
}

/** `a is T && …`: where that holds `a` is one. */
export function castsIn(to: Lowering, node: NodeId, from: number): void {
  const { tree } = to;
  const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
  const between = tree.text.slice(tree.end(left), tree.start(right));
  if (tree.kind(node) === 'binary_expression' && between.includes('&&'))
    for (const one of [left, right]) castsIn(to, one, from);
  if (tree.kind(node) !== 'is_expression' || between.includes('!') || tree.kind(left) !== 'identifier')
    return;
  const names = tree.children(right).filter((one) => tree.kind(one) === 'identifier');
  let base = -1;
  for (const name of names)
    base = to.addType({ kind: 'name', name: tree.textOf(name), base, at: tree.start(name) });
  to.bind('local', left, { type: base, from });
}
