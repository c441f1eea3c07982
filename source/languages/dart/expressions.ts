import {
  argumentNamed,
  callOf,
  type ExpressionRule,
  type Lowering,
  lowerExpression,
  NONE,
  type NodeId,
  type Piece,
  type Use,
} from '../../lower/index.js';
import { parameters } from './parameters.js';
import { bindPattern, casts } from './patterns.js';
import { isNext, LINKS, operands } from './siblings.js';
import { typesIn } from './types.js';

/** A value that selectors may follow. @param rule What it is without them. */
export function primary(rule: ExpressionRule) {
  return (to: Lowering, node: NodeId, use: Use): number => {
    const links = linksBehind(to, node);
    if (links.length === 0) return lowerExpression(to, node, rule, use);
    const isCalled = isCall(to, links[0]);
    const row = lowerExpression(to, node, rule, isCalled ? 'callee' : 'path');
    const name = isCalled ? to.writtenAt(row).name : NONE;
    return followed(to, { row, name, from: to.tree.start(node), until: to.tree.end(node) }, links, use);
  };
}

function linksBehind(to: Lowering, node: NodeId): NodeId[] {
  const { tree } = to;
  const links: NodeId[] = [];
  let last = node;
  for (let next = tree.next(node); LINKS.has(tree.kind(next)); next = tree.next(next)) {
    if (!isNext(to, last, next)) break;
    links.push(next);
    last = next;
  }
  return links;
}

/** What a link is made of; none for `!`. */
function partOf(to: Lowering, link: NodeId): NodeId {
  return to.tree.kind(link) === 'selector' ? to.tree.first(link) : link;
}

function isCall(to: Lowering, link: NodeId | undefined): boolean {
  return link !== undefined && to.tree.kind(partOf(to, link)) === 'argument_part';
}

/** The beginning of a chain: its row, the name that is called where that comes next, and its place. */
interface Head {
  readonly row: number;
  readonly name: NodeId;
  readonly from: number;
  readonly until: number;
}

/** The value at the end of a chain of members, calls and indices. */
function followed(to: Lowering, head: Head, links: readonly NodeId[], use: Use): number {
  const { tree } = to;
  let { row, name, until } = head;
  let [receiver, receiverRow]: [Piece, number] = [NONE, -1];
  for (const [at, link] of links.entries()) {
    const part = partOf(to, link);
    const whole = { start: head.from, end: tree.end(link) };
    const inner = tree.first(part);
    if (tree.kind(part) === 'argument_part') {
      const base = withTypes(to, row, to.part(part, ':type_arguments'));
      const given = to.part(part, ':arguments');
      row = callOf(to, whole, { base, name, receiver, receiverRow, given });
      name = NONE;
    } else if (tree.kind(part) === 'type_arguments') row = withTypes(to, row, part);
    else if (tree.kind(inner) === 'identifier') {
      const isCalled = isCall(to, links[at + 1]);
      name = inner;
      receiver = { start: head.from, end: until };
      receiverRow = row;
      row = memberOf(to, row, inner);
      const used = at === links.length - 1 ? use : 'path';
      if (!isCalled && used !== 'callee')
        to.refer({
          kind: used === 'path' ? 'read' : used,
          ...{ name, whole, receiver, receiverRow, expression: row },
        });
    } else if (part !== NONE) {
      const index = tree.kind(inner) === 'index_selector' ? tree.first(inner) : inner;
      const parts = [valueAt(to, index)];
      row = to.addExpression({ kind: 'index', base: row, parts, at: tree.start(part) });
    }
    until = tree.end(link);
  }
  return row;
}

/** The row of a member of a value; `$1` is a part of a record. */
function memberOf(to: Lowering, base: number, name: NodeId): number {
  const text = to.tree.textOf(name);
  const part = /^\$(\d+)$/.exec(text)?.[1];
  return part === undefined
    ? to.addExpression({ kind: 'member', name: text, base, at: to.tree.start(name), nameNode: name })
    : to.addExpression({ kind: 'part', base, at: Number(part) - 1, nameNode: name });
}

/** A function or type with type arguments. */
function withTypes(to: Lowering, row: number, list: NodeId): number {
  if (list === NONE) return row;
  const at = to.tree.start(list);
  const parts = typesIn(to, list).map((type) => to.addExpression({ kind: 'type', type, at }));
  return to.addExpression({ kind: 'index', base: row, parts, at });
}

/** A value with what cascades do to it, which leave it as it is. */
export function valueAt(to: Lowering, node: NodeId, use: Use = 'read'): number {
  if (node === NONE) return -1;
  const { tree } = to;
  const row = to.expression(node, use);
  const head = { row, name: NONE as NodeId, from: tree.start(node), until: endOfChain(to, node) };
  let last = linksBehind(to, node).at(-1) ?? node;
  for (let next = tree.next(last); tree.kind(next) === 'cascade_section'; next = tree.next(next)) {
    if (!isNext(to, last, next)) break;
    cascade(to, head, next);
    last = next;
  }
  return row;
}

/** `..b()`, `..c.d = 1` */
function cascade(to: Lowering, head: Head, section: NodeId): void {
  const { tree } = to;
  const links: NodeId[] = [];
  let value: NodeId = NONE;
  for (const one of tree.children(section)) {
    const kind = tree.kind(one);
    if (value !== NONE) continue;
    if (kind === 'cascade_selector' || kind === 'argument_part' || LINKS.has(kind)) links.push(one);
    else value = one;
  }
  const target = followed(to, head, links, value === NONE ? 'read' : 'write');
  if (value !== NONE) assigned(to, target, to.expression(value), tree.start(section));
}

function assigned(to: Lowering, target: number, value: number, at: number): number {
  return to.addExpression({ kind: 'binary', name: '=', parts: [target, value], at });
}

/** `a = b`, `a ??= b` */
export function assignment(to: Lowering, node: NodeId): number {
  const target = to.expression(to.part(node, 'left'), 'write');
  const value = valueAt(to, to.part(node, 'right'));
  return assigned(to, target, value, to.tree.start(node));
}

/** Operators that compare, or combine what is true or false. */
const TRUTH = /^(?:equality|relational|logical_and|logical_or)_expression$/;

/** Two operands; an operator of a class is its method. */
export function binary(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [left = NONE, right = NONE, ...more] = operands(to, node);
  const kind = tree.kind(node);
  const generic = kind === 'relational_expression' ? genericCall(to, left, right) : null;
  if (generic !== null) return generic;
  const base = to.expression(left);
  const operand = to.inScope('block', node, () => {
    if (kind === 'logical_and_expression') casts(to, left, true, tree.start(right));
    if (kind === 'logical_or_expression') casts(to, left, false, tree.start(right));
    return to.expression(right);
  });
  for (const one of more) to.expression(one);
  const at = tree.start(node);
  if (kind === 'if_null_expression') return to.addExpression({ kind: 'either', parts: [base, operand], at });
  if (TRUTH.test(kind)) return to.addExpression({ kind: 'literal', name: 'bool', at });
  const operator = /^[^\s\w'"(]*/.exec(tree.text.slice(endOfChain(to, left)).trimStart())?.[0] ?? '';
  const method = to.addExpression({ kind: 'member', name: `operator${operator}`, base, at });
  return to.addExpression({ kind: 'call', base: method, parts: [operand], at });
}

function endOfChain(to: Lowering, node: NodeId): number {
  return to.tree.end(linksBehind(to, node).at(-1) ?? node);
}

/** `f<T>(x)`, where the grammar takes it for two comparisons, and arguments by name for a record. */
function genericCall(to: Lowering, left: NodeId, right: NodeId): number | null {
  const { tree } = to;
  if (tree.kind(left) !== 'relational_expression' || !BRACKETS.has(tree.kind(right))) return null;
  const [callee = NONE, type = NONE, ...others] = operands(to, left);
  const between = tree.text.slice(endOfChain(to, callee), tree.start(type));
  const behind = tree.text.slice(tree.end(left), tree.start(right));
  if (between !== '<' || behind !== '>' || tree.kind(type) !== 'identifier' || others.length > 0) return null;
  const base = to.expression(callee, 'callee');
  const { name } = to.writtenAt(base);
  const isMember = linksBehind(to, callee).length > 0;
  const from = tree.start(callee);
  const written = to.addType({ kind: 'name', name: tree.textOf(type), at: tree.start(type) });
  if (!to.isBound(tree.textOf(type), 'type'))
    to.refer({ kind: 'type', name: type, whole: type, type: written });
  const typed = to.addExpression({ kind: 'type', type: written, at: tree.start(type) });
  const made = to.addExpression({ kind: 'index', base, parts: [typed], at: from });
  const receiver = isMember ? { start: from, end: tree.start(name) - 1 } : NONE;
  const call = callOf(
    to,
    { start: from, end: tree.end(right) },
    {
      ...{ base: made, name, receiver, receiverRow: isMember ? to.baseOf(base) : -1 },
      given: givenIn(to, right),
    },
  );
  const head = { row: call, name: NONE as NodeId, from, until: tree.end(right) };
  return followed(to, head, linksBehind(to, right), 'read');
}

const BRACKETS: ReadonlySet<string> = new Set(['parenthesized_expression', 'record_literal']);

/** The arguments in what the grammar takes for brackets around a value, or for a record. */
function givenIn(to: Lowering, node: NodeId): NodeId[] {
  const { tree } = to;
  const fields = tree.children(node);
  if (tree.kind(node) === 'record_literal') return tree.kind(fields[0] ?? NONE) === 'label' ? [node] : fields;
  return fields.slice(0, 1);
}

/** `!a`, `-a`, `++a`, `await a` */
export function unary(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const [operand = NONE] = operands(to, node);
  if (tree.text.charAt(tree.start(node)) !== '!') return to.expression(operand, use);
  to.expression(operand);
  return to.addExpression({ kind: 'literal', name: 'bool', at: tree.start(node) });
}

/** `a ? b : c` */
export function conditional(to: Lowering, node: NodeId): number {
  const condition = to.part(node, '#0');
  to.expression(condition);
  const parts = ['consequence', 'alternative'].map((field, index) => {
    const branch = to.part(node, field);
    return to.inScope('block', branch, () => {
      casts(to, condition, index === 0, to.tree.start(branch));
      return to.expression(branch);
    });
  });
  return to.addExpression({ kind: 'either', parts, at: to.tree.start(node) });
}

/** `const Foo.named(…)`, `new p.Foo<T>(…)` */
export function construction(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const from = tree.start(node);
  let [row, name]: [number, NodeId] = [-1, NONE];
  let [receiver, receiverRow]: [Piece, number] = [NONE, -1];
  for (const one of tree.children(node)) {
    const kind = tree.kind(one);
    if (kind === 'type_arguments') row = withTypes(to, row, one);
    if (kind !== 'type_identifier' && kind !== 'identifier') continue;
    if (row >= 0) {
      receiver = { start: tree.start(name), end: tree.end(name) };
      receiverRow = row;
      row = memberOf(to, row, one);
    } else
      row = to.addExpression({ kind: 'name', name: tree.textOf(one), at: tree.start(one), nameNode: one });
    name = one;
  }
  const given = to.part(node, ':arguments');
  return callOf(to, { start: from, end: tree.end(node) }, { base: row, name, receiver, receiverRow, given });
}

/** `name: value` */
export function namedArgument(to: Lowering, node: NodeId): number {
  const [label = NONE, value = NONE] = to.tree.children(node);
  const name = to.tree.textOf(to.tree.first(label));
  return argumentNamed(to, node, name, valueAt(to, value, 'pass'));
}

/** `(a, b) => …` */
export function lambda(to: Lowering, node: NodeId): number {
  const { tree } = to;
  return to.inScope('function', node, () => {
    const scope = to.scopes.ownRow();
    parameters(to, to.part(node, 'parameters'), null);
    const inner = tree.first(to.part(node, 'body'));
    const parts = to.returned((values) => {
      if (tree.kind(inner) === 'block') to.visitChildren(inner);
      else values.push(valueAt(to, inner));
    });
    return to.addExpression({ kind: 'function', scope, parts, at: tree.start(node) });
  });
}

/** `[a, b]`, `<T>{a}`, `<K, V>{k: v}` */
export function collection(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  const written = typesIn(to, to.part(node, ':type_arguments'));
  const isMap = tree.children(node).some((one) => tree.kind(one) === 'pair');
  const parts = operands(to, node).map((one) => valueAt(to, one));
  const isList = tree.kind(node) === 'list_literal';
  if (isList && written.length === 0) return to.addExpression({ kind: 'list', parts, at });
  const isSet = written.length === 1 || (written.length === 0 && !isMap && parts.length > 0);
  const name = isList ? 'List' : isSet ? 'Set' : 'Map';
  const type = to.addType({ kind: 'name', name, parts: written, at });
  return to.addExpression({ kind: 'composite', type, parts, at });
}

/** `for (…) value` and `if (…) value else value` in a collection. */
export function element(to: Lowering, node: NodeId): number {
  const { tree } = to;
  return to.inScope('block', node, () => {
    const parts = to.part(node, ':for_loop_parts');
    const condition = parts === NONE ? to.part(node, '#0') : NONE;
    if (parts === NONE) to.expression(condition);
    else loopParts(to, parts);
    const values = ['body', 'consequence', 'alternative'].flatMap((field) => {
      const branch = to.part(node, field);
      if (branch === NONE) return [];
      return to.inScope('block', branch, () => {
        if (condition !== NONE && field !== 'body')
          casts(to, condition, field === 'consequence', tree.start(branch));
        return [to.expression(branch)];
      });
    });
    return values[0] ?? to.unknown;
  });
}

/** What a loop goes through, and the names that it gives. */
export function loopParts(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const over = to.part(node, 'value');
  if (over === NONE) {
    to.visitChildren(node);
    return;
  }
  const isAwaited = /\bawait\s*\($/.test(
    tree.text.slice(Math.max(0, tree.start(node) - 20), tree.start(node)),
  );
  const at = tree.start(node);
  let base = valueAt(to, over);
  if (isAwaited) base = to.addExpression({ kind: 'member', name: 'first', base, at });
  const value = to.addExpression({ kind: isAwaited ? 'await' : 'element', base, at });
  const name = to.part(node, 'name');
  if (name !== NONE) {
    to.bind('local', name, { type: to.type(to.part(node, '*type')), value, from: tree.start(name) });
    return;
  }
  for (const one of tree.children(node))
    if (tree.kind(one).endsWith('_pattern')) bindPattern(to, one, value, true);
}
