import { SYMBOL_FLAGS } from '../../ir/index.js';
import {
  argumentNamed,
  type Lowering,
  lowerExpression,
  memberAt,
  NONE,
  type NodeId,
  nameAt,
  type Use,
} from '../../lower/index.js';
import { caseFunction, lambdaAt } from './functions.js';
import { stateOf } from './state.js';
import { testOf } from './tests.js';
import { namedType } from './types.js';
import { bodyValue, placeholderFunction, placeholdersIn } from './values.js';

/** `{ …; value }`; with a function as its first statement that goes on to its end. */
export function blockAt(to: Lowering, node: NodeId): number {
  const children = to.tree.children(node);
  const [first = NONE, ...others] = children;
  if (to.tree.kind(first) === 'lambda_expression' && others.length > 0) return lambdaAt(to, first, others);
  if (children.length === 1) return to.inScope('block', node, () => bodyValue(to, first));
  return to.inScope('block', node, () => {
    let last = to.unknown;
    for (const one of children) last = bodyValue(to, one);
    return last;
  });
}

/** A name; `this` and `super` are names to the grammar. */
export function identifierAt(to: Lowering, node: NodeId, use: Use): number {
  const text = to.tree.textOf(node);
  const at = to.tree.start(node);
  if (text === 'this' || text === 'super') return to.addExpression({ kind: text, at });
  return nameAt(to, node, use);
}

/**
 * Of `a op b.f[T](x).c`, and of `!b.f[T]`, the operation, which the grammar takes for what has the type arguments, so that the rest
 * of the chain would be one of its value; none of any other chain.
 */
function operationIn(to: Lowering, node: NodeId): NodeId {
  const { tree } = to;
  const { straight, turned } = stateOf(to);
  for (let at = node; at !== NONE && !straight.has(at); ) {
    straight.add(at);
    const kind = tree.kind(at);
    const next = to.part(at, kind === 'field_expression' ? 'value' : 'function');
    if (kind === 'generic_function' && /^(?:infix|prefix)_expression$/.test(tree.kind(next))) {
      turned.add(at);
      return next;
    }
    at = next;
  }
  return NONE;
}

/** A chain as the last operand of the operation in it. */
function operatedAt(to: Lowering, operation: NodeId, chain: NodeId): number {
  if (to.tree.kind(operation) === 'infix_expression') return infixAt(to, operation, chain);
  const at = to.tree.start(operation);
  return to.addExpression({ kind: 'unary', name: to.tree.text.charAt(at), base: to.expression(chain), at });
}

/** What type arguments are given to. */
function givenTypes(to: Lowering, node: NodeId): NodeId {
  const of = to.part(node, 'function');
  if (!stateOf(to).turned.has(node)) return of;
  return to.tree.kind(of) === 'prefix_expression' ? to.tree.first(of) : to.part(of, 'right');
}

/** `of.name`, `Outer.this`, `Outer.super` */
export function fieldAt(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const operation = operationIn(to, node);
  if (operation !== NONE) return operatedAt(to, operation, node);
  const [of, name] = [to.part(node, 'value'), to.part(node, 'field')];
  const text = tree.textOf(name);
  if (tree.textOf(of) === '_root_') return identifierAt(to, name, use);
  if (text !== 'this' && text !== 'super') return memberAt(to, node, of, name, use);
  const at = tree.start(node);
  const outer = tree.textOf(of);
  let scope: typeof to.scopes.current | null = to.scopes.current;
  while (scope && (scope.kind !== 'type' || to.definitions[scope.symbol]?.name !== outer))
    scope = scope.parent;
  const around = scope === null ? {} : { scope: scope.row };
  if (text === 'super') return to.addExpression({ kind: 'super', at, ...around });
  return to.addExpression({ kind: 'this', at, ...around });
}

/** `f(…)`, `f[T](…)`, `f { … }`: one call for each list of arguments. */
export function callAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  let of = to.part(node, 'function');
  const given = argumentNodes(to, to.part(node, 'arguments'));
  const mixed = mixedIn(to, of);
  if (mixed.length > 0) return newAt(to, mixed[0] ?? NONE, given, mixed.slice(1));
  const operation = operationIn(to, node);
  if (operation !== NONE) return operatedAt(to, operation, node);
  let type = -1;
  if (tree.kind(of) === 'generic_function') {
    [type = -1] = tree.children(to.part(of, 'type_arguments')).map((one) => to.type(one));
    of = givenTypes(to, of);
  }
  const base = to.expression(of, 'callee');
  // A class that is made with several lists of arguments takes them all.
  if (to.kindOf(base) === 'new' && tree.kind(of) === 'call_expression') {
    for (const one of given) argumentAt(to, one);
    return base;
  }
  let { name, of: receiver } = to.writtenAt(base);
  if (tree.textOf(of) === 'this' && to.definitions[to.owner ?? -1]?.name === 'this') name = of;
  testOf(to, node, of, to.part(node, 'arguments'));
  return call(to, { node, base, name, receiver, given, type });
}

/** What a call is made of. */
interface Call {
  readonly node: NodeId;
  readonly base: number;
  readonly name: NodeId;
  readonly receiver: NodeId;
  readonly given: readonly NodeId[];
  readonly type?: number;
  /** Whether something else may be called in its place: see {@link infixAt}. */
  readonly instead?: string;
}

function call(to: Lowering, { node, base, name, receiver, given, type = -1, instead }: Call): number {
  const parts = given.map((one) => argumentAt(to, one));
  const at = to.tree.start(node);
  let row = to.addExpression({ kind: 'call', base, parts, type, at });
  const receiverRow = receiver === NONE ? -1 : to.baseOf(base);
  if (instead !== undefined) {
    const other = to.addExpression({
      kind: 'member',
      name: instead,
      base: receiverRow,
      at: to.tree.start(name),
    });
    const second = to.addExpression({ kind: 'call', base: other, parts, at });
    row = to.addExpression({ kind: 'either', parts: [row, second], at });
  }
  if (name !== NONE) {
    const isSpread = given.some((one) => spreadIn(to, one) !== NONE);
    const count = isSpread ? null : given.length;
    to.refer({ kind: 'call', name, whole: node, receiver, receiverRow, arguments: count, expression: row });
  }
  return row;
}

/** The arguments that stand behind a function: in brackets, or a block that is the only one. */
function argumentNodes(to: Lowering, list: NodeId): NodeId[] {
  if (list === NONE) return [];
  return to.tree.kind(list) === 'arguments' ? to.tree.children(list) : [list];
}

/** What is given several times: `xs: _*`, `xs*`; none where an argument is a single one. */
function spreadIn(to: Lowering, node: NodeId): NodeId {
  const { tree } = to;
  const kind = tree.kind(node);
  const isSpread =
    (kind === 'ascription_expression' && to.part(node, ':repeated_parameter_type') !== NONE) ||
    (kind === 'postfix_expression' && tree.textOf(node).endsWith('*'));
  return isSpread ? tree.first(node) : NONE;
}

/** One argument: `a`, `name = a`, `xs: _*`, a block, cases. */
export function argumentAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const spread = spreadIn(to, node);
  if (spread !== NONE) {
    to.expression(spread, 'pass');
    return to.unknown;
  }
  if (tree.kind(node) === 'assignment_expression') {
    const base = argumentAt(to, to.part(node, 'right'));
    return argumentNamed(to, node, tree.textOf(to.part(node, 'left')), base);
  }
  if (tree.kind(node) === 'case_block') return caseFunction(to, node);
  if (tree.kind(node) === 'colon_argument') return lambdaAt(to, node, []);
  if (placeholdersIn(to, node) > 0) return placeholderFunction(to, node);
  return to.isExpression(node) ? to.expression(node, 'pass') : bodyValue(to, node);
}

/**
 * `a op b`: a call of a member of the left side, or of the right one where the name ends in a colon.
 * @param chain What stands on the right where that is more than the grammar says.
 */
export function infixAt(to: Lowering, node: NodeId, chain: NodeId = NONE): number {
  const { tree } = to;
  const [left, name] = [to.part(node, 'left'), to.part(node, 'operator')];
  const right = chain === NONE ? to.part(node, 'right') : chain;
  const operator = tree.textOf(name);
  if (/^(?:==|!=|&&|\|\||eq|ne)$/.test(operator)) {
    const parts = [to.expression(left), to.expression(right)];
    return to.addExpression({
      kind: 'binary',
      name: operator === 'eq' || operator === 'ne' ? '==' : operator,
      parts,
      at: tree.start(node),
    });
  }
  if (operator === '->') {
    const parts = [argumentAt(to, left), argumentAt(to, right)];
    return to.addExpression({ kind: 'tuple', parts, at: tree.start(node) });
  }
  const mixed = operator === 'with' ? mixedIn(to, node) : [];
  if (mixed.length > 0) return newAt(to, mixed[0] ?? NONE, [], mixed.slice(1));
  testOf(to, node, left, right, name);
  const isRight = operator.endsWith(':') && operator !== ':';
  const of = isRight ? right : left;
  const row = to.expression(of, 'path');
  const nodes = { nameNode: name, ofNode: of };
  const base = to.addExpression({
    kind: 'member',
    name: operator,
    base: row,
    at: tree.start(name),
    ...nodes,
  });
  const given = isRight ? left : right;
  const several = tree.kind(given) === 'tuple_expression' ? tree.children(given) : [given];
  const isAssigning = /^[^\w=<>!][^\w]*=$|^[<>]{2,}=$/.test(operator);
  const instead = isAssigning ? { instead: operator.slice(0, -1) } : {};
  return call(to, {
    node,
    base,
    name,
    receiver: of,
    given: tree.kind(given) === 'unit' ? [] : several,
    ...instead,
  });
}

/** `f[T]` without arguments. */
export function genericAt(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const operation = operationIn(to, node);
  if (operation !== NONE) return operatedAt(to, operation, node);
  const of = givenTypes(to, node);
  const at = tree.start(node);
  const given = tree.children(to.part(node, 'type_arguments'));
  if (tree.textOf(of) === 'super')
    return to.addExpression({ kind: 'super', type: to.type(given[0] ?? NONE), at });
  const name = to.part(of, 'field');
  const cast = /^(?:as|is)InstanceOf$/.exec(tree.textOf(name))?.[0];
  if (cast !== undefined) {
    const base = to.expression(to.part(of, 'value'));
    const type = to.type(given[0] ?? NONE);
    return to.addExpression({ kind: cast === 'asInstanceOf' ? 'convert' : 'is', base, type, at });
  }
  const base = to.expression(of, use === 'callee' ? 'callee' : 'read');
  const [type = -1] = given.map((one) => to.type(one));
  return to.addExpression({ kind: 'call', base, type, at });
}

/** Of `new A(…) with B` the instance and the types, which the grammar takes for operands; nothing of anything else. */
function mixedIn(to: Lowering, node: NodeId): NodeId[] {
  const { tree } = to;
  const kind = tree.kind(node);
  if (kind === 'instance_expression') return [node];
  if (kind === 'generic_function') return mixedIn(to, to.part(node, 'function'));
  if (kind !== 'infix_expression' || tree.textOf(to.part(node, 'operator')) !== 'with') return [];
  const before = mixedIn(to, to.part(node, 'left'));
  return before.length === 0 ? [] : [...before, to.part(node, 'right')];
}

/**
 * `new A(…)(…) with B { … }`
 * @param more Arguments of further lists, of which a block is the body.
 * @param mixed Further types.
 */
export function newAt(
  to: Lowering,
  node: NodeId,
  more: readonly NodeId[] = [],
  mixed: readonly NodeId[] = [],
): number {
  const { tree } = to;
  const at = tree.start(node);
  const block = more.find((one) => tree.kind(one) === 'block') ?? NONE;
  const own = to.part(node, ':template_body');
  const body = own === NONE ? block : own;
  const lists = tree.children(node).filter((one) => tree.kind(one) === 'arguments');
  const types = tree
    .children(node)
    .filter((one) => to.typeRule(one) !== undefined)
    .flatMap((one) => (tree.kind(one) === 'compound_type' ? tree.children(one) : [one]))
    .filter((one) => to.typeRule(one) !== undefined);
  const [written = NONE] = types;
  const rows = types.map((one) => to.type(one));
  for (const one of mixed) {
    types.push(one);
    rows.push(namedType(to, one));
  }
  const [type = -1] = rows;
  const given = [...lists.flatMap((one) => tree.children(one)), ...more.filter((one) => one !== body)];
  const parts = given.map((one) => argumentAt(to, one));
  const row = to.addExpression({ kind: 'new', type, parts, at });
  if (written !== NONE) {
    const name = lastNameOf(to, written);
    to.refer({ kind: 'new', name, whole: node, arguments: parts.length, expression: row });
    if (body !== NONE) anonymousAt(to, node, name, types, rows, body);
  } else to.visit(body);
  return row;
}

/** A class without a name, with all that it derives from. */
function anonymousAt(
  to: Lowering,
  node: NodeId,
  name: NodeId,
  types: readonly NodeId[],
  rows: readonly number[],
  body: NodeId,
): void {
  const { tree } = to;
  const definition = to.define({
    ...{ kind: 'class', name, called: `anonymous-${tree.textOf(name)}` },
    ...{ start: tree.start(node), end: tree.end(node), headEnd: tree.start(body) },
    access: { exported: false, visibility: 'private' },
    flags: SYMBOL_FLAGS.singleton,
  });
  to.inside(definition, 'type', body, () => {
    for (const [index, one] of types.entries())
      to.addBase(definition, rows[index] ?? -1, one, index === 0 ? 'extends' : 'implements');
    to.visitChildren(body);
  });
}

/** The node of the last name of a type. */
export function lastNameOf(to: Lowering, node: NodeId): NodeId {
  const { tree } = to;
  if (tree.kind(node) === 'generic_type') return lastNameOf(to, to.part(node, 'type'));
  const children = tree.children(node);
  return children.length === 0 ? node : lastNameOf(to, children[children.length - 1] ?? node);
}

/** `a = b`, `a(i) = b` */
export function assignAt(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const left = to.part(node, 'left');
  if (tree.kind(left) !== 'call_expression')
    return lowerExpression(to, node, { is: 'assign', target: 'left', value: 'right' }, use);
  // The element is written by a method of its own, `update`.
  to.expression(to.part(left, 'function'));
  for (const one of argumentNodes(to, to.part(left, 'arguments'))) argumentAt(to, one);
  bodyValue(to, to.part(node, 'right'));
  return to.unknown;
}

/** `(x: T)`; `x: @annotation` is no more than `x`. */
export function ascriptionAt(to: Lowering, node: NodeId): number {
  const [of = NONE, written = NONE] = to.tree.children(node);
  const base = bodyValue(to, of);
  if (to.typeRule(written) === undefined) return base;
  return to.addExpression({ kind: 'convert', base, type: to.type(written), at: to.tree.start(node) });
}

/** `@name(…)` */
export function decoratorAt(to: Lowering, node: NodeId): void {
  namedType(to, to.part(node, 'name'), [], 'decorator');
  for (const list of to.parts(node, 'arguments'))
    for (const one of to.tree.children(list)) argumentAt(to, one);
}
