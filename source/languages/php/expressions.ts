import { argumentsOf, callOf, type Lowering, NONE, type NodeId, type Use } from '../../lower/index.js';
import { anonymousClass, typeAt } from './declarations.js';
import { assign, factsOf, operatorOf } from './locals.js';
import { fileOf, fullTypeName, lastOf, typeNamed } from './names.js';

/** `$name` */
export function variable(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const name = tree.textOf(node);
  const at = tree.start(node);
  if (name === '$this') return narrowed(to, node, to.addExpression({ kind: 'this', at }), use);
  if (!to.scopes.find(name)) return to.unknown;
  return narrowed(to, node, to.addExpression({ kind: 'name', name, at, nameNode: node }), use);
}

/** A place as what conditions around it say that it is. */
export function narrowed(to: Lowering, node: NodeId, row: number, use: Use): number {
  const type = use === 'write' ? undefined : fileOf(to).locals.narrowed(to.tree.textOf(node));
  if (type === undefined) return row;
  const { name, of } = to.writtenAt(row);
  return to.addExpression({
    ...{ kind: 'convert', base: row, type, at: to.tree.start(node) },
    ...{ nameNode: name, ofNode: of },
  });
}

/** An expression where something more is known. */
export function given(to: Lowering, node: NodeId, facts: ReadonlyMap<string, number> | undefined): number {
  return fileOf(to).locals.knowing(facts, () => to.expression(node));
}

interface MemberParts {
  readonly base: number;
  readonly of: NodeId;
  readonly name: NodeId;
  readonly use: Use;
}

/** A member of what is no expression: of a class, of a namespace. */
export function memberOf(to: Lowering, node: NodeId, { base, of, name, use }: MemberParts): number {
  const { tree } = to;
  const place = { at: tree.start(name), nameNode: name, ofNode: of };
  const row = to.addExpression({ kind: 'member', name: tree.textOf(name), base, ...place });
  const kind = use === 'path' ? 'read' : use;
  if (kind !== 'callee')
    to.refer({ kind, name, whole: node, receiver: of, receiverRow: base, expression: row });
  return row;
}

/** The namespace of a qualified name. */
export function packageOf(to: Lowering, node: NodeId): number {
  const at = to.tree.start(node);
  const { namespace } = fullTypeName(fileOf(to), to.tree.textOf(node));
  return to.addExpression({ kind: 'type', type: to.addType({ kind: 'package', name: namespace, at }), at });
}

/** What stands left of `::`. */
export function classOf(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  switch (tree.kind(node)) {
    case 'name':
    case 'qualified_name':
    case 'relative_name':
      return to.addExpression({ kind: 'type', type: typeAt(to, node), at });
    case 'relative_scope': {
      const word = tree.textOf(node).toLowerCase();
      if (word !== 'parent') return to.addExpression({ kind: 'this', at });
      return to.addExpression({ kind: 'super', type: typeNamed(to, fileOf(to), 'parent', at), at });
    }
    default:
      return to.expression(node, 'path');
  }
}

/** `f(...)`, `$x->f(...)`: a function that is given by its name. */
export function isReference(to: Lowering, node: NodeId): boolean {
  return to.part(to.part(node, 'arguments'), ':variadic_placeholder') !== NONE;
}

/** A call of what a row names, or that by its name. */
export function called(to: Lowering, node: NodeId, base: number, name: NodeId, receiver: NodeId): number {
  if (isReference(to, node)) return to.addExpression({ kind: 'function', base, at: to.tree.start(node) });
  return callOf(to, node, { base, name, receiver, given: to.part(node, 'arguments') });
}

/** What is called by a name that is a value. */
export function dynamic(to: Lowering, node: NodeId): number {
  const name = to.part(node, 'name');
  const isCall = to.part(node, 'arguments') !== NONE;
  for (const one of to.tree.children(node)) if (one !== name || !isCall) to.visit(one);
  if (isCall) to.refer({ kind: 'call', name, whole: node, expression: to.unknown });
  return to.unknown;
}

const CONSTRUCTS = new Set(['isset', 'empty', 'unset', 'exit', 'die', 'eval', 'list', 'array']);

/** `f(…)` */
export function functionCall(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const file = fileOf(to);
  const callee = to.part(node, 'function');
  const list = to.part(node, 'arguments');
  const kind = tree.kind(callee);
  const text = kind === 'name' ? tree.textOf(callee).toLowerCase() : '';
  if (CONSTRUCTS.has(text)) {
    argumentsOf(to, list);
    return to.unknown;
  }
  const use = isReference(to, node) ? 'read' : 'callee';
  const row = called(
    to,
    node,
    to.expression(callee, use),
    /name$/.test(kind) ? lastOf(to, callee) : callee,
    NONE,
  );
  const [first = NONE] = tree.children(list);
  if (text === 'assert') file.locals.narrow(factsOf(to, file, to.part(first, '#-1'), true));
  // `preg_match($pattern, $text, $found)` gives names that are nothing yet a value.
  for (const one of tree.children(list)) {
    const passed = to.part(one, '#-1');
    if (tree.kind(passed) === 'variable_name' && !to.scopes.find(tree.textOf(passed)))
      file.locals.assign(tree.textOf(passed), tree.end(node), { value: to.unknown });
  }
  if (text === 'define' && !to.inFunction) {
    const name = to.part(to.part(first, ':string'), ':string_content');
    if (name !== NONE)
      to.define({ kind: 'constant', name, start: tree.start(node), end: tree.end(node), isConstant: true });
  }
  return row;
}

/** `new A(…)`, `new class(…) extends A { … }`, `new $name` */
export function creation(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  const made = to.part(node, '#0');
  const anonymous = tree.kind(made) === 'anonymous_class';
  const { rows, count } = argumentsOf(to, to.part(anonymous ? made : node, ':arguments'));
  if (anonymous) return anonymousClass(to, made);
  if (!/^(?:name|qualified_name|relative_name)$/.test(tree.kind(made))) {
    to.expression(made);
    return to.unknown;
  }
  const type = typeNamed(to, fileOf(to), tree.textOf(made), at, [], false);
  const row = to.addExpression({ kind: 'new', type, parts: rows, at });
  to.refer({ kind: 'new', name: lastOf(to, made), whole: node, arguments: count, expression: row });
  return row;
}

/** `left = right` */
export function assignment(to: Lowering, node: NodeId, vars?: ReadonlyMap<string, string>): number {
  const value = to.expression(to.part(node, 'right'));
  assign(to, fileOf(to), to.part(node, 'left'), value, to.tree.end(node), vars);
  return value;
}

const TRUTHS = /^(?:&&|\|\||and|or|xor|[=!]==?|<>|[<>]=?)$/;

/** An operation on two operands. What the second is given holds where the first one says so. */
export function binary(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const file = fileOf(to);
  const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
  const operator = operatorOf(to, node);
  const at = tree.start(node);
  const first = to.expression(left);
  if (operator === 'instanceof') {
    const isName = /name$/.test(tree.kind(right)) && tree.kind(right) !== 'variable_name';
    const type = isName ? typeAt(to, right) : -1;
    if (!isName) to.expression(right);
    return to.addExpression({ kind: 'is', base: first, type, at });
  }
  const isAnd = operator === '&&' || operator === 'and';
  const isOr = operator === '||' || operator === 'or';
  const second = given(to, right, isAnd || isOr ? factsOf(to, file, left, isAnd) : undefined);
  if (operator === '??') return to.addExpression({ kind: 'either', parts: [first, second], at });
  const name = TRUTHS.test(operator) ? 'bool' : operator === '.' ? 'string' : 'int';
  return to.addExpression({ kind: 'literal', name, at });
}

/** `[a, 'key' => b]`; `[$object, 'method']` and `[Type::class, 'method']` are functions that are given by their names. */
export function array(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  const elements = tree.children(node).map((one) => tree.children(one));
  const [[of = NONE] = [], [text = NONE] = []] = elements;
  const name = tree.kind(text) === 'string' ? to.part(text, ':string_content') : NONE;
  const isClass = /::class$/i.test(tree.textOf(of));
  const rows = elements.map((one) => {
    for (const key of one.slice(0, -1)) to.expression(key);
    return one.length === 0 ? to.unknown : to.expression(one.at(-1) ?? NONE, 'pass');
  });
  if (elements.length === 2 && name !== NONE && (isClass || /^\$\w+$/.test(tree.textOf(of)))) {
    const owner = isClass ? to.part(of, '#0') : of;
    const typed = () => typeNamed(to, fileOf(to), tree.textOf(owner), at, [], false);
    const base = isClass ? to.addExpression({ kind: 'type', type: typed(), at }) : (rows[0] ?? to.unknown);
    if (/^\w+$/.test(tree.textOf(name)) && to.kindOf(base) !== 'unknown')
      memberOf(to, node, { base, of: owner, name, use: 'pass' });
  }
  const [only = -1] = rows;
  const part = rows.length < 2 ? only : to.addExpression({ kind: 'either', parts: rows.slice(0, 32), at });
  return to.addExpression({ kind: 'list', parts: part < 0 ? [] : [part], at });
}
