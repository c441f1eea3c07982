import { startOf } from './late-references.js';
import type {
  CallRule,
  ChoiceRule,
  CompositeRule,
  ExpressionRule,
  Lowering,
  Piece,
  UnnamedFunctionRule,
  Use,
} from './rules.js';
import { NONE, type NodeId } from './syntax-tree.js';
import { lastName, listOf } from './types.js';

/** The row of an expression by its rule: what it is made of is lowered, and uses of names become references. */
export function lowerExpression(to: Lowering, node: NodeId, rule: ExpressionRule, use: Use): number {
  const { tree } = to;
  const at = tree.start(node);
  if (typeof rule === 'function') return rule(to, node, use);
  if (typeof rule === 'string') {
    if (rule === 'name') return nameAt(to, node, use);
    if (rule === 'inside') return to.expression(tree.first(node), use);
    return to.addExpression({ kind: rule, at });
  }
  switch (rule.is) {
    case 'member':
      return memberAt(to, node, to.part(node, rule.of), to.part(node, rule.name), use);
    case 'call':
      return callAt(to, node, rule);
    case 'new': {
      const written = to.part(node, rule.type);
      const type = to.type(written);
      const body = to.part(node, rule.body);
      const list = to.part(node, rule.arguments);
      let base = -1;
      for (const one of tree.children(node))
        if (one !== written && one !== list && one !== body) base = to.expression(one, 'path');
      const { rows, count } = argumentsOf(to, list);
      const row = to.addExpression({ kind: 'new', base, type, parts: rows, at });
      if (written !== NONE)
        to.refer({
          kind: 'new',
          name: lastName(to, written),
          whole: node,
          arguments: count,
          expression: row,
        });
      if (body !== NONE) to.anonymous(type, lastName(to, written), node, body);
      return row;
    }
    case 'index': {
      const base = to.expression(to.part(node, rule.of), 'read');
      const parts = to.parts(node, rule.index).map((one) => to.expression(one));
      return to.addExpression({ kind: 'index', base, parts, at });
    }
    case 'slice': {
      const of = to.part(node, rule.of);
      const base = to.expression(of);
      for (const one of tree.children(node)) if (one !== of) to.expression(one);
      return to.addExpression({ kind: 'slice', base, at });
    }
    case 'literal': {
      to.visitChildren(node);
      const last = tree.text.charAt(tree.end(node) - 1).toLowerCase();
      return to.addExpression({ kind: 'literal', name: rule.suffixes?.[last] ?? rule.type, at });
    }
    case 'list':
    case 'tuple':
      return to.addExpression({
        kind: rule.is,
        parts: tree.children(node).map((one) => to.expression(one)),
        at,
      });
    case 'unknown':
      to.visitChildren(node);
      return to.unknown;
    case 'convert': {
      const base = to.expression(to.part(node, rule.of));
      const type = to.type(to.part(node, rule.type));
      return to.addExpression({ kind: 'convert', base, type, at });
    }
    case 'is': {
      const base = to.expression(to.part(node, rule.of));
      const type = to.type(to.part(node, rule.type));
      const name = to.part(node, rule.name);
      if (name !== NONE) to.bind('local', name, { type, from: tree.start(name) });
      const pattern = to.part(node, rule.pattern);
      if (pattern !== NONE) to.visit(pattern);
      return to.addExpression({ kind: 'is', base, type, at });
    }
    case 'assign': {
      const target = to.expression(to.part(node, rule.target), 'write');
      const parts = [target, to.expression(to.part(node, rule.value))];
      return to.addExpression({ kind: 'binary', name: '=', parts, at });
    }
    case 'choice':
      return choiceAt(to, node, rule);
    case 'await':
    case 'received':
      return to.addExpression({ kind: rule.is, base: to.expression(to.part(node, rule.of)), at });
    case 'unary': {
      const name =
        rule.operator === undefined ? tree.text.charAt(at) : tree.textOf(to.part(node, rule.operator));
      const base = to.expression(to.part(node, rule.of), rule.writes ? 'write' : 'read');
      if (name !== '' && name === rule.received) return to.addExpression({ kind: 'received', base, at });
      return to.addExpression({ kind: 'unary', name, base, at });
    }
    case 'binary': {
      const [left, right] = [to.part(node, rule.left), to.part(node, rule.right)];
      const parts = [to.expression(left), to.expression(right)];
      const name =
        rule.operator === undefined
          ? operatorIn(tree.text.slice(tree.end(left), tree.start(right)))
          : tree.textOf(to.part(node, rule.operator));
      return to.addExpression({ kind: 'binary', name, parts, at });
    }
    case 'either': {
      const chosen = rule.parts.map((part) => to.part(node, part));
      for (const one of tree.children(node)) if (!chosen.includes(one)) to.expression(one);
      return to.addExpression({ kind: 'either', parts: chosen.map((one) => to.expression(one)), at });
    }
    case 'composite':
      return compositeAt(to, node, rule);
    case 'function':
      return functionAt(to, node, rule);
  }
}

/** The operator between two operands, comments left out. */
function operatorIn(between: string): string {
  return between.replace(/\/\*.*?(?:\*\/|$)|\/\/[^\n]*/gs, '').trim();
}

function choiceAt(to: Lowering, node: NodeId, rule: ChoiceRule): number {
  const { tree } = to;
  const of = to.expression(to.part(node, rule.of));
  const body = to.part(node, rule.body);
  const parts: number[] = [];
  const inside = (branch: NodeId) => {
    for (const one of tree.children(branch)) {
      const kind = tree.kind(one);
      if (kind === rule.label) for (const label of tree.children(one)) labelAt(to, label, of);
      else if (kind === rule.value) parts.push(to.expression(tree.first(one)));
      else to.visit(one);
    }
  };
  to.inScope('block', body, () => {
    for (const one of tree.children(body))
      if (tree.kind(one) === rule.branch) to.inScope('block', one, () => inside(one));
      else inside(one);
  });
  return to.addExpression({ kind: 'either', parts, at: tree.start(node) });
}

/** A bare name in a label: a constant of the value's type, where that has one, else what the name is here. */
function labelAt(to: Lowering, node: NodeId, of: number): void {
  if (!to.isName(node)) {
    to.visit(node);
    return;
  }
  const at = to.tree.start(node);
  const name = to.tree.textOf(node);
  if (name === 'default') return;
  const parts = [
    to.addExpression({ kind: 'member', name, base: of, at, nameNode: node }),
    to.addExpression({ kind: 'name', name, at, nameNode: node }),
  ];
  const expression = to.addExpression({ kind: 'either', parts, at });
  to.refer({ kind: 'read', name: node, whole: node, expression });
}

/** A bare name. Locals and imports are no references of their own. */
export function nameAt(to: Lowering, node: NodeId, use: Use): number {
  const name = to.tree.textOf(node);
  if (name === to.rules.ownType) {
    const at = to.tree.start(node);
    return to.addExpression({ kind: 'type', type: to.ownType(at), at, nameNode: node });
  }
  const row = to.addExpression({ kind: 'name', name, at: to.tree.start(node), nameNode: node });
  const isNothing = name === to.rules.blank || to.rules.builtinTypes.has(name);
  if (use !== 'callee' && !isNothing && !to.isBound(name))
    to.refer({ kind: use === 'path' ? 'read' : use, name: node, whole: node, expression: row });
  return row;
}

/** `of.name` */
export function memberAt(to: Lowering, node: NodeId, of: NodeId, name: NodeId, use: Use): number {
  const base = to.expression(of, 'path');
  const row = to.addExpression({
    kind: 'member',
    name: to.tree.textOf(name),
    base,
    at: to.tree.start(name),
    nameNode: name,
    ofNode: of,
  });
  if (use !== 'callee')
    to.refer({
      kind: use === 'path' ? 'read' : use,
      name,
      whole: node,
      receiver: of,
      receiverRow: base,
      expression: row,
    });
  return row;
}

function callAt(to: Lowering, node: NodeId, rule: CallRule): number {
  const { tree } = to;
  let callee = to.part(node, rule.callee);
  let base: number;
  if (rule.name !== undefined) {
    const name = to.part(node, rule.name);
    base = callee === NONE ? to.expression(name, 'callee') : memberAt(to, node, callee, name, 'callee');
    return calledAt(to, node, base, name, callee, rule);
  }
  // `(f)(x)` calls f.
  while (to.isInside(callee)) callee = tree.first(callee);
  base = to.expression(callee, 'callee');
  const { name, of } = to.writtenAt(base);
  return calledAt(to, node, base, name, of, rule);
}

function calledAt(
  to: Lowering,
  node: NodeId,
  base: number,
  name: NodeId,
  receiver: NodeId,
  rule: CallRule,
): number {
  const types = rule.types === undefined ? [] : to.parts(node, rule.types).map((one) => to.type(one));
  return callOf(to, node, {
    base,
    name,
    receiver,
    given: to.part(node, rule.arguments),
    type: types[0] ?? -1,
  });
}

/** What a call is made of: the row and the name of what it calls, its receiver, its arguments. */
export interface CallParts {
  readonly base: number;
  readonly name: NodeId;
  readonly receiver: Piece;
  /** The row of the receiver, where that is not what the row of the callee is about. */
  readonly receiverRow?: number;
  /** The node that holds the arguments, or the arguments themselves. */
  readonly given: NodeId | readonly NodeId[];
  readonly type?: number;
  /** See the unit's table. */
  readonly labels?: string;
}

/** A call, and its reference where what it calls has a name. */
export function callOf(
  to: Lowering,
  node: Piece,
  { base, name, receiver, given, type = -1, labels = '', ...parts }: CallParts,
): number {
  const { rows, count } = argumentsOf(to, given);
  const at = startOf(to.tree, node);
  const row = to.addExpression({ kind: 'call', name: labels, base, parts: rows, type, at });
  if (name !== NONE) {
    const receiverRow = receiver === NONE ? -1 : (parts.receiverRow ?? to.baseOf(base));
    to.refer({ kind: 'call', name, whole: node, receiver, receiverRow, arguments: count, expression: row });
    if (to.isWatched(to.tree.textOf(name)))
      to.called({
        node,
        name,
        receiver: receiverRow,
        row,
        arguments: rows,
        given: typeof given === 'number' ? to.tree.children(given) : given,
      });
  }
  return row;
}

/** The rows of arguments, and how many they are; null with one that stands for several. */
export function argumentsOf(
  to: Lowering,
  given: NodeId | readonly NodeId[],
): { rows: number[]; count: number | null } {
  const rows: number[] = [];
  let count: number | null = 0;
  const { tree } = to;
  for (const one of typeof given === 'number' ? tree.children(given) : given) {
    const kind = tree.kind(one);
    if (to.rules.spreads?.includes(kind)) {
      rows.push(to.expression(tree.first(one), 'pass'));
      count = null;
    } else {
      rows.push(to.expression(one, 'pass'));
      if (count !== null) count += 1;
    }
  }
  return { rows, count };
}

/** The call of a constructor of what a type derives from, where its head gives that something. @param type The row of that. */
export function constructionAbove(
  to: Lowering,
  whole: NodeId,
  name: NodeId,
  type: number,
  list: NodeId,
): void {
  const { rows, count } = argumentsOf(to, list);
  const row = to.addExpression({ kind: 'new', type, parts: rows, at: to.tree.start(whole) });
  to.refer({ kind: 'new', name, whole, arguments: count, expression: row });
}

/** A call of another constructor by a word that is no node, where `whole` has it first. @param of Whose constructor. */
export function delegation(
  to: Lowering,
  whole: NodeId,
  of: 'this' | 'super',
  word: string,
  list: NodeId,
): void {
  const start = to.tree.text.indexOf(word, to.tree.start(whole));
  const base = to.addExpression({ kind: of, at: start });
  const { rows, count } = argumentsOf(to, list);
  const expression = to.addExpression({ kind: 'call', base, parts: rows, at: start });
  const name = { start, end: start + word.length };
  to.refer({ kind: 'call', name, whole, arguments: count, expression });
}

/** An argument that says the name of its parameter. */
export function argumentNamed(to: Lowering, node: NodeId, name: string, base: number): number {
  return to.addExpression({ kind: 'named', name, base, at: to.tree.start(node) });
}

/** Types whose elements' keys are no members. */
const KEYED: ReadonlySet<string> = new Set(['list', 'map']);

function compositeAt(to: Lowering, node: NodeId, rule: CompositeRule): number {
  const { tree } = to;
  const written = to.part(node, rule.type);
  const around = to.expected;
  const dimensions = to.parts(node, rule.dimensions);
  const marks = dimensions.map((one) => tree.textOf(one).replace(/\w.*\w|\w/s, '')).join('');
  const type = written === NONE ? around : listOf(to, to.type(written), marks, tree.start(node));
  for (const one of dimensions) to.visitChildren(one);
  const { kind, element } = to.typeAt(type);
  const members: NodeId[] = [];
  to.expected = element;
  const parts = tree.children(to.part(node, rule.elements)).map((one) => {
    if (tree.kind(one) !== rule.pair) return to.expression(one, 'pass');
    let key = to.part(one, rule.key);
    while (to.isInside(key)) key = tree.first(key);
    if (KEYED.has(kind) || !to.isName(key)) to.expression(key);
    else if (type >= 0) members.push(key);
    return to.expression(to.part(one, rule.value), 'pass');
  });
  to.expected = around;
  const row = to.addExpression({ kind: 'composite', type, parts, at: tree.start(node) });
  for (const key of members) {
    const expression = to.addExpression({
      kind: 'member',
      name: tree.textOf(key),
      base: row,
      at: tree.start(key),
    });
    to.refer({ kind: 'write', name: key, whole: key, receiver: written, receiverRow: row, expression });
  }
  return row;
}

function functionAt(to: Lowering, node: NodeId, rule: UnnamedFunctionRule): number {
  const { tree } = to;
  return to.inScope('function', node, () => {
    const scope = to.scope;
    to.parameters(to.part(node, rule.parameters), null);
    const type = to.results(to.part(node, rule.result));
    const body = to.part(node, rule.body);
    const parts = to.returned((given) => {
      if (to.isExpression(body)) given.push(to.expression(body));
      else to.body(body);
    });
    return to.addExpression({ kind: 'function', type, scope, parts, at: tree.start(node) });
  });
}

/** The row of one of several values, of which those are left out that nothing is known of. */
export function eitherOf(to: Lowering, parts: readonly number[], node: NodeId): number {
  const known = parts.filter((one) => one >= 0 && one !== to.unknown);
  const [first = to.unknown] = known;
  return known.length < 2
    ? first
    : to.addExpression({ kind: 'either', parts: known, at: to.tree.start(node) });
}
