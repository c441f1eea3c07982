import {
  argumentsOf,
  callOf,
  type Lowering,
  lowerExpression,
  memberAt,
  NONE,
  type NodeId,
  type Use,
} from '../../lower/index.js';

/** What a type is found by: its name, and of a generic one how many type parameters it has. */
export function keyOf(to: Lowering, node: NodeId): string {
  if (to.tree.kind(node) !== 'generic_name') return to.tree.textOf(node);
  const written = to.tree.textOf(to.part(node, ':type_argument_list'));
  const given = to.tree.children(to.part(node, ':type_argument_list')).length;
  return keyWith(to.tree.textOf(to.part(node, '#0')), given || written.split(',').length);
}

/** A name with a number of type parameters: as it is where there are none. */
export function keyWith(name: string, count: number): string {
  return count === 0 ? name : `${name}\`${count}`;
}

/** A generic name in an expression: a type, or a function that is called with type arguments. */
export function generic(to: Lowering, node: NodeId, use: Use): number {
  const name = to.part(node, '#0');
  if (use === 'callee') return to.expression(name, use);
  return to.addExpression({ kind: 'type', type: to.type(node), at: to.tree.start(node) });
}

/** The last name of a written type. */
export function lastName(to: Lowering, type: NodeId): NodeId {
  return nameOf(to, to.tree.kind(type) === 'qualified_name' ? to.part(type, 'name') : type);
}

/** The name of a member, without type arguments. */
function nameOf(to: Lowering, node: NodeId): NodeId {
  return to.tree.kind(node) === 'generic_name' ? to.part(node, '#0') : node;
}

/** `of.name` */
export function member(to: Lowering, node: NodeId, use: Use): number {
  const of = to.part(node, 'expression');
  const last = to.part(node, 'name');
  if (use !== 'callee' && to.tree.kind(last) === 'generic_name') {
    // A generic type of a namespace or of a type.
    const base = to.expression(of, 'path');
    const name = nameOf(to, last);
    const nodes = { nameNode: name, ofNode: of };
    const row = to.addExpression({
      kind: 'member',
      name: keyOf(to, last),
      base,
      at: to.tree.start(name),
      ...nodes,
    });
    to.refer({ kind: 'read', name, whole: node, receiver: of, receiverRow: base, expression: row });
    return row;
  }
  return memberAt(to, node, of, nameOf(to, last), use);
}

/** `of?.name`, `of?[index]` */
export function conditional(to: Lowering, node: NodeId, use: Use): number {
  const of = to.part(node, 'condition');
  const [, bound = NONE] = to.tree.children(node);
  if (to.tree.kind(bound) === 'member_binding_expression')
    return memberAt(to, node, of, nameOf(to, to.part(bound, 'name')), use);
  const base = to.expression(of);
  const parts = to.tree.children(bound).map((one) => to.expression(one));
  return to.addExpression({ kind: 'index', base, parts, at: to.tree.start(node) });
}

/** `f(…)`, `of.f<T>(…)` */
export function call(to: Lowering, node: NodeId): number {
  const { tree } = to;
  let callee = to.part(node, 'function');
  while (to.isInside(callee)) callee = tree.first(callee);
  const given = to.part(node, 'arguments');
  if (tree.textOf(callee) === 'nameof') {
    argumentsOf(to, given);
    return to.addExpression({ kind: 'literal', name: 'string', at: tree.start(node) });
  }
  const base = to.expression(callee, 'callee');
  const { name, of } = to.writtenAt(base);
  const last = tree.kind(callee) === 'generic_name' ? callee : to.part(callee, 'name');
  const [type = -1] = tree.children(to.part(last, ':type_argument_list')).map((one) => to.type(one));
  return callOf(to, node, { base, name, receiver: of, given, type });
}

/** `new T(…) { … }`, `new(…)`: a value of the type that is expected. */
export function creation(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  const written = to.part(node, 'type');
  const around = to.expected;
  const declared = to.owner === null || to.inFunction ? -1 : to.symbol(to.owner, 'type');
  const type = written !== NONE ? to.type(written) : around >= 0 ? around : declared;
  to.expected = -1;
  const { rows, count } = argumentsOf(to, to.part(node, ':argument_list'));
  const row = to.addExpression({ kind: 'new', type, parts: rows, at });
  const name = written === NONE ? { start: at, end: at + 3 } : lastName(to, written);
  if (type >= 0) to.refer({ kind: 'new', name, whole: node, arguments: count, expression: row });
  for (const one of tree.children(to.part(node, 'initializer'))) {
    const left = tree.kind(one) === 'assignment_expression' ? to.part(one, 'left') : NONE;
    if (tree.kind(left) !== 'identifier') to.expression(one);
    else {
      const place = { at: tree.start(left), nameNode: left };
      const expression = to.addExpression({ kind: 'member', name: tree.textOf(left), base: row, ...place });
      to.refer({ kind: 'write', name: left, whole: left, receiver: node, receiverRow: row, expression });
      to.expression(to.part(one, 'right'));
    }
  }
  to.expected = around;
  return row;
}

/** What a pattern declares, of what it is compared with. @param of The value; -1 where it is not known. */
export function pattern(to: Lowering, node: NodeId, of: number): void {
  const { tree } = to;
  switch (tree.kind(node)) {
    case 'declaration_pattern':
    case 'recursive_pattern':
    case 'var_pattern': {
      const type = to.type(to.part(node, 'type'));
      const name = to.part(node, 'name');
      if (name !== NONE) to.bind('local', name, { type, value: type < 0 ? of : -1, from: tree.start(name) });
      for (const one of tree.children(node))
        if (tree.field(one) === '') for (const each of tree.children(one)) pattern(to, each, -1);
      return;
    }
    case 'constant_pattern':
    case 'type_pattern': {
      // `x is Name` may be of a type or of a constant.
      const one = tree.first(node);
      if (tree.kind(one) === 'identifier' || to.typeRule(one) === undefined) to.expression(one);
      else to.type(one);
      return;
    }
    case 'subpattern':
      for (const one of tree.children(node).slice(-1)) pattern(to, one, -1);
      return;
    case 'negated_pattern':
    case 'and_pattern':
    case 'or_pattern':
    case 'parenthesized_pattern':
    case 'list_pattern':
      for (const one of tree.children(node)) pattern(to, one, of);
      return;
    default:
      if (node !== NONE) to.visitChildren(node);
  }
}

/** `of switch { pattern => value, … }` */
export function switchExpression(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [of = NONE, ...arms] = tree.children(node);
  const value = to.expression(of);
  const parts = arms.map((arm) =>
    to.inScope('block', arm, () => {
      const [first = NONE, ...rest] = tree.children(arm);
      pattern(to, first, value);
      for (const one of rest.slice(0, -1)) to.visit(one);
      return to.expression(rest.at(-1) ?? NONE);
    }),
  );
  return to.addExpression({ kind: 'either', parts, at: tree.start(node) });
}

/** `x => …`, `delegate (T x) { … }` */
export function lambda(to: Lowering, node: NodeId, use: Use): number {
  const body = to.part(node, 'body') === NONE ? ':block' : 'body';
  return lowerExpression(to, node, { is: 'function', parameters: 'parameters', body }, use);
}

/** `from x in xs where … select …` */
export function query(to: Lowering, node: NodeId): number {
  const { tree } = to;
  return to.inScope('function', node, () => {
    let value = to.unknown;
    for (const one of tree.children(node)) {
      const name = to.part(one, 'name');
      const kind = tree.kind(one);
      const children = tree.children(one).filter((each) => each !== name);
      const rows = children.map((each) => to.expression(each));
      const at = tree.start(one);
      const [first = to.unknown] = rows;
      if (kind === 'from_clause' || kind === 'join_clause')
        to.bind('local', name, {
          value: to.addExpression({
            kind: 'element',
            base: rows.at(kind === 'from_clause' ? -1 : 0) ?? to.unknown,
            at,
          }),
          from: at,
        });
      else if (kind === 'let_clause') to.bind('local', name, { value: first, from: at });
      else if (kind === 'select_clause') value = to.addExpression({ kind: 'list', parts: [first], at });
    }
    return value;
  });
}

/** `left = right`, also of several: `(a, b) = right`, `var (a, b) = right` */
export function assignment(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const left = to.part(node, 'left');
  const value = to.expression(to.part(node, 'right'));
  const at = tree.start(node);
  if (tree.kind(left) === 'tuple_expression') {
    for (const [index, one] of tree.children(left).entries()) {
      const inner = to.part(one, '#-1');
      const name = tree.kind(inner) === 'declaration_expression' ? to.part(inner, 'name') : NONE;
      if (name === NONE) to.expression(inner, 'write');
      else {
        const part = to.addExpression({ kind: 'part', base: value, at: index });
        to.bind('local', name, { type: to.type(to.part(inner, 'type')), value: part, from: tree.end(node) });
      }
    }
    return value;
  }
  const parts = [to.expression(left, 'write'), value];
  return to.addExpression({ kind: 'binary', name: '=', parts, at });
}

/** Binds the names of `(a, b)` to the parts of a value. */
export function tuple(to: Lowering, node: NodeId, base: number): void {
  for (const [index, name] of to.tree.children(node).entries()) {
    if (to.tree.kind(name) !== 'identifier') continue;
    const value = to.addExpression({ kind: 'part', base, at: index });
    to.bind('local', name, { value, from: to.tree.end(node) });
  }
}
