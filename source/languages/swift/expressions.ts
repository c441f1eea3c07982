import { BEHIND } from '../../ir/index.js';
import {
  callOf,
  type ExpressionHook,
  type Lowering,
  lowerExpression,
  memberAt,
  NONE,
  type NodeId,
  type Use,
} from '../../lower/index.js';
import { giveLast } from './statements.js';
import { typeIn, typeNamed, typeOfExpression } from './types.js';

/** `of.name`; `Shape.self` is the type. */
export function member(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const of = to.part(node, 'target');
  const name = tree.first(to.part(node, 'suffix'));
  if (tree.textOf(name) === 'self') return to.expression(of, use);
  // What a path begins with that names no type is not known: `\.name`.
  if (tree.kind(of) === 'key_path_expression' && tree.first(of) === NONE) return to.unknown;
  if (name === NONE) return to.expression(of, use);
  return memberAt(to, node, of, name, use);
}

/** What a file's rules remember: nodes whose first operand is lowered, and chains that were looked through. */
interface Taken {
  readonly sums: Set<NodeId>;
  readonly chains: Set<NodeId>;
}

const takenOf = (to: Lowering): Taken => {
  to.own ??= { sums: new Set(), chains: new Set() } satisfies Taken;
  return to.own as Taken;
};

/**
 * The grammar reads `a + b.c(d)` as if the sum were called: what is lowered of it in a chain is the last operand alone, and the
 * first one before all of the chain.
 */
export function chained(rule: ExpressionHook): ExpressionHook {
  return (to, node, use) => {
    const { tree } = to;
    const { sums, chains } = takenOf(to);
    if (chains.has(node)) return rule(to, node, use);
    let inner = node;
    while (CHAIN.has(tree.kind(inner))) {
      chains.add(inner);
      inner = tree.first(inner);
    }
    if (!SUM.has(tree.kind(inner))) return rule(to, node, use);
    const [left, right] = [to.part(inner, 'lhs'), to.part(inner, 'rhs')];
    const name = tree.text.slice(tree.end(left), tree.start(right)).trim();
    const first = to.expression(left);
    sums.add(inner);
    const parts = [first, rule(to, node, use)];
    return use === 'callee' || use === 'path'
      ? (parts[1] ?? to.unknown)
      : to.addExpression({ kind: 'binary', name, parts, at: tree.start(node) });
  };
}

const CHAIN = new Set(['navigation_expression', 'call_expression', 'postfix_expression']);
const SUM = new Set(['additive_expression', 'multiplicative_expression']);

/** `a + b`; in a chain its last operand: see {@link chained}. */
export function sum(to: Lowering, node: NodeId, use: Use): number {
  return takenOf(to).sums.has(node)
    ? to.expression(to.part(node, 'rhs'), use)
    : lowerExpression(to, node, { is: 'binary', left: 'lhs', right: 'rhs' }, use);
}

/** `\Shape.name` */
export function keyPath(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [name = NONE] = tree.children(node);
  if (tree.kind(name) !== 'type_identifier') return to.unknown;
  return to.addExpression({ kind: 'type', type: typeNamed(to, name), at: tree.start(name) });
}

/** `.name`: of the type that is expected; all other operators in front give what they are in front of. */
export function prefixed(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const [at, name] = [tree.start(node), to.part(node, 'target')];
  const operator = tree.text.slice(at, tree.start(name));
  // What is behind the operator goes on: the grammar reads `!a.b` as if `!a` had the member.
  if (operator.trim() !== '.' && (use === 'path' || use === 'callee')) return to.expression(name, use);
  if (operator.trim() === '!') return lowerExpression(to, node, { is: 'unary', of: 'target' }, use);
  if (operator.trim() !== '.') return to.expression(name, use);
  const base = to.addExpression({ kind: 'expected', at });
  const row = to.addExpression({
    kind: 'member',
    name: tree.textOf(name),
    base,
    at: tree.start(name),
    nameNode: name,
  });
  if (use !== 'callee')
    to.refer({ kind: use === 'path' ? 'read' : use, name, whole: node, receiverRow: base, expression: row });
  return row;
}

/** `f(…)`, `of.f(a, b: c) { … } d: { … }`, and `list[index]`. */
export function call(to: Lowering, node: NodeId): number {
  const { tree } = to;
  let callee = tree.first(node);
  while (to.isInside(callee) && tree.children(callee).length === 1) callee = tree.first(callee);
  const suffix = to.part(node, ':call_suffix');
  const list = to.part(suffix, ':value_arguments');
  if (list !== NONE && tree.text.charAt(tree.start(list)) === '[') return indexed(to, node, callee, list);
  const { labels, given, isName } = argumentsIn(to, suffix);
  // `f(_:by:)` names a function.
  if (isName) return to.expression(callee);
  const kind = tree.kind(callee);
  // A macro is no function of the program; most give what they are given.
  if (kind === 'simple_identifier' && tree.text.charAt(tree.start(callee) - 1) === '#') {
    const rows = given.map((one) => to.expression(one, 'pass'));
    return rows[0] ?? to.unknown;
  }
  if (kind === 'array_literal' || kind === 'dictionary_literal') {
    const type = typeOfExpression(to, callee);
    for (const one of given) to.expression(one);
    return to.addExpression({ kind: 'convert', type, at: tree.start(node) });
  }
  const base = to.expression(callee, 'callee');
  const { name, of } = to.writtenAt(base);
  return callOf(to, node, { base, name, receiver: of, given, labels });
}

/** `Shape<Int>(…)`: what is called is surely a type. */
export function creation(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const written = to.part(node, 'constructed_type');
  const type = to.type(written);
  const { labels, given } = argumentsIn(to, to.part(node, ':constructor_suffix'));
  const base = to.addExpression({ kind: 'type', type, at: tree.start(written) });
  const names = tree.children(written).filter((one) => tree.kind(one) === 'type_identifier');
  const name = names[names.length - 1] ?? NONE;
  return callOf(to, node, { base, name, receiver: NONE, given, labels });
}

/** The arguments of a call, those behind the brackets last, and their labels as units write them. */
function argumentsIn(to: Lowering, suffix: NodeId) {
  const { tree } = to;
  const given: NodeId[] = [];
  const labels: string[] = [];
  let isName = false;
  for (const one of tree.children(to.part(suffix, ':value_arguments'))) {
    if (tree.kind(one) !== 'value_argument') continue;
    isName ||= to.part(one, 'reference_specifier') !== NONE;
    const value = to.part(one, 'value');
    if (value === NONE) continue;
    given.push(value);
    labels.push(tree.textOf(to.part(one, 'name')) || '_');
  }
  let label = BEHIND;
  for (const one of tree.children(suffix))
    if (tree.kind(one) === 'simple_identifier') label = tree.textOf(one);
    else if (tree.kind(one) === 'lambda_literal') {
      given.push(one);
      labels.push(label);
    }
  return { given, labels: labels.map((one) => `${one}:`).join(''), isName };
}

function indexed(to: Lowering, node: NodeId, of: NodeId, list: NodeId): number {
  const { tree } = to;
  const base = to.expression(of);
  const { given, labels } = argumentsIn(to, to.part(node, ':call_suffix'));
  void list;
  const parts = given.map((one) => to.expression(one));
  const isSlice = given.some((one) => /range_expression/.test(tree.kind(one)));
  return to.addExpression({
    kind: isSlice ? 'slice' : 'index',
    name: labels,
    base,
    parts,
    at: tree.start(node),
  });
}

/** `{ [weak self] a, b in … }`; without parameters `$0` and those behind it are what it is given. */
export function closure(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  const captured = to.parts(to.part(node, 'captures'), ':capture_list_item');
  const values = captured.map((one) => [to.part(one, 'name'), to.expression(to.part(one, 'value'))] as const);
  return to.inScope('function', node, () => {
    for (const [name, value] of values) if (value >= 0) to.bind('local', name, { value, from: at });
    const head = to.part(node, 'type');
    const list = to.part(head, ':lambda_function_type_parameters');
    const scope = to.scopes.ownRow();
    if (list !== NONE) to.parameters(list, null);
    else
      for (let count = implied(to, node), one = 0; one < count; one += 1)
        to.scopes.bind('parameter', `$${one}`, {});
    const type = to.type(to.part(head, 'name'));
    const parts = to.returned(() => giveLast(to, to.part(node, ':statements')));
    return to.addExpression({ kind: 'function', scope, parts, at, ...(type >= 0 && { type }) });
  });
}

/** How many parameters a closure uses that says none; those that another one in it uses are its own. */
function implied(to: Lowering, node: NodeId): number {
  const { tree } = to;
  let count = 0;
  for (let one = node + 1, end = tree.next(node); one < end; ) {
    const kind = tree.kind(one);
    if (kind === 'simple_identifier') {
      const number = /^\$(\d{1,2})$/.exec(tree.textOf(one))?.[1];
      if (number !== undefined) count = Math.max(count, Number(number) + 1);
    }
    one = kind === 'lambda_literal' ? tree.next(one) : one + 1;
  }
  return count;
}

/** A parameter of a closure. */
export function closureParameter(to: Lowering, node: NodeId) {
  const { tree } = to;
  const names = tree.children(node).filter((one) => tree.kind(one) === 'simple_identifier');
  const name = names[names.length - 1] ?? NONE;
  if (name === NONE) return null;
  const type = typeIn(to, node);
  const written = type === NONE ? null : to.text.folded(tree.start(type), tree.end(type), 300);
  return { name, type: to.type(type), written };
}

/** `a + b`; an operator of the program is a function that is called. */
export function infix(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [left, right] = [to.part(node, 'lhs'), to.part(node, 'rhs')];
  const name = to.part(node, ':custom_operator');
  const base = to.addExpression({
    kind: 'name',
    name: tree.textOf(name),
    at: tree.start(name),
    nameNode: name,
  });
  return callOf(to, node, { base, name, receiver: NONE, given: [left, right], labels: '_:_:' });
}

/** One expression in brackets is itself; several are a tuple. */
export function tuple(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const given = tree.children(node).filter((one) => tree.field(one) !== 'name');
  const [only = NONE] = given;
  if (given.length === 1) return to.expression(only, use);
  const parts = given.map((one) => to.expression(one, use === 'write' ? 'write' : 'read'));
  return to.addExpression({ kind: 'tuple', parts, at: tree.start(node) });
}

/** What several branches give. */
export function either(to: Lowering, parts: readonly number[], node: NodeId): number {
  return to.addExpression({ kind: 'either', parts, at: to.tree.start(node) });
}
