import { SYMBOL_FLAGS } from '../../ir/index.js';
import { type Lowering, NONE, type NodeId, type Use } from '../../lower/index.js';
import { isPath } from './calls.js';
import { useOf } from './state.js';
import { bindTargets, flowTo, lowerTargets } from './targets.js';
import { stringValue } from './text.js';

/** A bare name; of a path that is told by the whole of it. */
export function nameAt(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const name = tree.textOf(node);
  const expression = to.addExpression({ kind: 'name', name, at: tree.start(node), nameNode: node });
  if (use !== 'path' && use !== 'callee' && !to.scopes.isParameter(name))
    to.refer(useOf(use, node, node, NONE, -1, expression));
  return expression;
}

/** `of.name`: one use of the last name of a path; of what is no path each member is one. */
export function attributeAt(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const [object, name] = [to.part(node, 'object'), to.part(node, 'attribute')];
  if (object === NONE || name === NONE) {
    to.visitChildren(node);
    return to.unknown;
  }
  const base = to.expression(object, 'path');
  const expression = to.addExpression({
    kind: 'member',
    name: tree.textOf(name),
    base,
    at: tree.start(name),
    nameNode: name,
    ofNode: object,
  });
  if (use === 'callee' || (use === 'path' && (isPath(to, base) || rootOf(to, base) === 'super')))
    return expression;
  const kind = use === 'path' ? 'read' : use;
  to.refer(useOf(kind, name, node, object, base, expression));
  return expression;
}

function rootOf(to: Lowering, row: number): string {
  let at = row;
  while (to.kindOf(at) === 'member') at = to.baseOf(at);
  return to.kindOf(at);
}

/** `(x)`; it ends a path. */
export function parenthesized(to: Lowering, node: NodeId, use: Use): number {
  const [first = NONE, ...rest] = to.tree.children(node);
  const row = to.expression(first, use === 'path' ? 'read' : use);
  for (const one of rest) to.expression(one, use);
  return row;
}

/** `of[key]`, `of[1:2]` */
export function subscriptAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [of = NONE, ...keys] = tree.children(node);
  const base = to.expression(of);
  const at = tree.start(node);
  const [key = NONE] = keys;
  if (keys.length !== 1 || tree.kind(key) !== 'slice')
    return to.addExpression({ kind: 'index', base, parts: keys.map((one) => to.expression(one)), at });
  const bounds = tree.children(key).map((one) => to.expression(one));
  // Which side of the colon a lone number stands on is not told.
  const parts = bounds.length === 2 ? bounds : [];
  return to.addExpression({ kind: 'slice', base, parts, at });
}

/** `[a, *b]`, `(a, b)`, `{a, b}`, `a, b` */
export function listAt(to: Lowering, node: NodeId): number {
  const parts = to.tree.children(node).map((one) => to.expression(one));
  return to.addExpression({ kind: 'list', parts, at: to.tree.start(node) });
}

/** `{key: value, **more}` */
export function dictionaryAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const parts = tree.children(node).flatMap((one) => {
    if (tree.kind(one) === 'pair')
      return [to.expression(to.part(one, 'key')), to.expression(to.part(one, 'value'))];
    return [-1, to.expression(one)];
  });
  return to.addExpression({ kind: 'map', parts, at: tree.start(node) });
}

/** `*more`, `**more` */
export function spreadAt(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const base = to.expression(tree.first(node), use === 'pass' ? 'pass' : 'read');
  const name = tree.kind(node) === 'dictionary_splat' ? 'named' : '';
  return to.addExpression({ kind: 'spread', name, base, at: tree.start(node) });
}

/** `name=value` */
export function keywordAt(to: Lowering, node: NodeId): number {
  const name = to.tree.textOf(to.part(node, 'name'));
  const base = to.expression(to.part(node, 'value'), 'pass');
  return to.addExpression({ kind: 'named', name, base, at: to.tree.start(node) });
}

/** `a or b and c`: any of the operands. */
export function booleanAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const parts: number[] = [];
  const operands = tree.children(node).map((one) => {
    const row = to.expression(one);
    if (tree.kind(one) === 'boolean_operator') parts.push(...to.itemsOf(row));
    else parts.push(row);
    return one;
  });
  const [first, second] = operands;
  if (first !== undefined && second !== undefined && isAnd(to, first, second))
    narrow(to, first, node, extentOf(to, second));
  return to.addExpression({ kind: 'either', parts, at: tree.start(node) });
}

/** `a if condition else b` */
export function conditionalAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [first = NONE, condition = NONE, last = NONE] = tree.children(node);
  to.expression(condition);
  const parts = [to.expression(first), to.expression(last)];
  narrow(to, condition, node, extentOf(to, first));
  return to.addExpression({ kind: 'either', parts, at: tree.start(node) });
}

function extentOf({ tree }: Lowering, node: NodeId): { start: number; end: number } {
  return { start: tree.start(node), end: tree.end(node) };
}

/** `name := value`: it binds a name outside of comprehensions. */
export function namedAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [name, given] = [to.part(node, 'name'), to.part(node, 'value')];
  let scope = to.scopes.current;
  while (scope.kind === 'comprehension' && scope.parent) scope = scope.parent;
  to.scopes.within(scope, () => bindTargets(to, name, false));
  const rows = lowerTargets(to, name);
  const value = to.expression(given);
  flowTo(to, name, rows, { value, start: tree.start(node), at: tree.end(given) });
  return value;
}

/** `[body for target in values if condition]`: a list of what its body gives, in a scope of its own. */
export function comprehensionAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const children = tree.children(node);
  const first = children.find((one) => tree.kind(one) === 'for_in_clause') ?? NONE;
  const outer = to.expression(to.part(first, 'right'));
  return to.inScope('comprehension', node, () => {
    const parts: number[] = [];
    for (const one of children) {
      if (tree.kind(one) !== 'for_in_clause') {
        if (tree.kind(one) === 'pair') for (const each of tree.children(one)) to.expression(each);
        else if (tree.kind(one) === 'if_clause') to.visitChildren(one);
        else parts.push(to.expression(one));
        continue;
      }
      const [target, right] = [to.part(one, 'left'), to.part(one, 'right')];
      bindTargets(to, target, false);
      const rows = lowerTargets(to, target);
      const base = one === first ? outer : to.expression(right);
      const value = to.addExpression({ kind: 'element', base, at: tree.start(target) });
      flowTo(to, target, rows, { value, start: tree.start(one), at: tree.end(right) });
    }
    const at = tree.start(node);
    if (tree.kind(node) === 'dictionary_comprehension')
      return to.addExpression({ kind: 'map', parts: [-1, -1], at });
    return to.addExpression({ kind: 'list', parts, at });
  });
}

/** `yield value` */
export function yieldAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const value = tree.first(node);
  const row = to.expression(value);
  let scope = to.scopes.current;
  while (scope.kind === 'comprehension' && scope.parent) scope = scope.parent;
  const made = scope.symbol < 0 ? undefined : to.definitions[scope.symbol];
  if (made && scope.kind === 'function') {
    made.is_generator = true;
    to.addFlag(scope.symbol, SYMBOL_FLAGS.generator);
  }
  if (value !== NONE && tree.kind(value) !== 'none')
    to.flow({ kind: 'yield', target: -1, value: row, start: tree.start(node), at: tree.end(value) });
  return to.unknown;
}

/** The most characters of a text that may be a key. */
const LONGEST_KEY = 60;

/** `'text'`: one that may be a key says so. */
export function stringAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  const written = tree.textOf(node);
  to.visitChildren(node);
  const literal = to.addExpression({
    kind: 'literal',
    name: /^[a-z]*b/i.test(written) ? 'bytes' : 'str',
    at,
  });
  if (tree.kind(node) !== 'string' || written.length > LONGEST_KEY * 6) return literal;
  const text = stringValue(written);
  if (text === null || text.length > LONGEST_KEY) return literal;
  return to.addExpression({ kind: 'constant', name: text, base: literal, at });
}

/** `12` */
export function integerAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  const literal = to.addExpression({ kind: 'literal', name: 'int', at });
  const written = tree.textOf(node);
  if (!/^\d{1,9}$/.test(written)) return literal;
  return to.addExpression({ kind: 'constant', name: String(Number(written)), base: literal, at });
}

/** A statement or operand of which a condition tells what names are, and where that holds. */
export function narrow(
  to: Lowering,
  condition: NodeId,
  whole: NodeId,
  within: { readonly start: number; readonly end: number } | null,
): void {
  for (const one of conditionsOf(to, condition)) tell(to, one, whole, within);
}

/** `isinstance(name, A)`, `isinstance(name, (A, B))` */
export function tell(
  to: Lowering,
  call: NodeId,
  whole: NodeId,
  within: { readonly start: number; readonly end: number } | null,
): void {
  const { tree } = to;
  if (tree.kind(call) !== 'call' || tree.textOf(to.part(call, 'function')) !== 'isinstance') return;
  const [name = NONE, type] = tree.children(to.part(call, 'arguments'));
  if (tree.kind(name) !== 'identifier' || type === undefined) return;
  const classes = tree.kind(type) === 'tuple' ? tree.children(type) : [type];
  const at = tree.start(type);
  const rows = classes.map((one) => {
    const isName = /^(?:identifier|attribute)$/.test(tree.kind(one));
    return isName ? to.addExpression({ kind: 'instance', base: to.expression(one, 'path'), at }) : to.unknown;
  });
  const [only = -1] = rows;
  const value = rows.length === 1 ? only : to.addExpression({ kind: 'either', parts: rows, at });
  const target = to.addExpression({ kind: 'name', name: tree.textOf(name), at: tree.start(name) });
  to.flow({
    kind: 'narrow',
    target,
    value,
    start: tree.start(whole),
    // The whole statement is over when what was not so has left.
    at: within ? tree.end(name) : tree.end(whole),
    ...(within ? { within: to.extent(within.start, within.end) } : {}),
  });
}

/** The conditions that all hold. */
function conditionsOf(to: Lowering, condition: NodeId): NodeId[] {
  const { tree } = to;
  const children = tree.children(condition);
  const [first, second] = children;
  switch (tree.kind(condition)) {
    case 'parenthesized_expression':
      return children.flatMap((one) => conditionsOf(to, one));
    case 'boolean_operator':
      if (first === undefined || second === undefined || !isAnd(to, first, second)) return [];
      return children.flatMap((one) => conditionsOf(to, one));
    default:
      return [condition];
  }
}

/** Whether `and` stands between the two operands, not `or`. */
function isAnd({ tree }: Lowering, first: NodeId, second: NodeId): boolean {
  return /\band\b/.test(tree.text.slice(tree.end(first), tree.start(second)));
}
