import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { libraryType } from './types.js';

/** What the names of a pattern are bound with. */
interface Binding {
  readonly type?: number;
  /** From which offset on they are seen. */
  readonly from: number;
  /** Whether bare names are bound: behind `let`. */
  readonly isBinding: boolean;
}

/** Binds the names of a pattern to what they take out of a value. */
export function bindPattern(to: Lowering, node: NodeId, value: number, binding: Binding): void {
  bindParts(to, node, to.tree.children(node), value, binding);
}

/** Of a pattern whose children may stand in a condition, one by one. */
function bindParts(
  to: Lowering,
  node: NodeId,
  all: readonly NodeId[],
  value: number,
  binding: Binding,
): void {
  const { tree } = to;
  const [first = NONE] = all;
  if (tree.kind(first) === 'value_binding_pattern') {
    bindParts(to, node, all.slice(1), value, { ...binding, isBinding: true });
    return;
  }
  const { type = -1, from } = binding;
  const cast = all.find((one) => to.typeRule(one) !== undefined) ?? NONE;
  const inner = all.filter((one) => tree.kind(one) === 'pattern');
  const name = all.find((one) => tree.kind(one) === 'simple_identifier') ?? NONE;
  if (tree.field(first) === 'bound_identifier') {
    bindName(to, first, { type, value, from });
  } else if (
    name !== NONE &&
    /\.\s*$/.test(tree.text.slice(Math.max(0, tree.start(name) - 8), tree.start(name)))
  ) {
    caseAt(to, node, cast, name, inner, value, binding);
  } else if (cast !== NONE) {
    const converted = to.addExpression({
      kind: 'convert',
      base: value,
      type: to.type(cast),
      at: tree.start(cast),
    });
    for (const one of inner) bindPattern(to, one, converted, { from, isBinding: binding.isBinding });
  } else if (inner.length === 1 && inner[0] !== undefined) bindPattern(to, inner[0], value, binding);
  else if (inner.length > 1)
    for (const [at, one] of inner.entries()) {
      const part = to.addExpression({ kind: 'part', base: value, at });
      bindPattern(to, one, part, { from, isBinding: binding.isBinding });
    }
  else if (binding.isBinding && name !== NONE && all.length === 1) bindName(to, name, { type, value, from });
  else for (const one of all) if (tree.kind(one) !== 'wildcard_pattern') to.expression(one);
}

/** `self` stays what it is. */
function bindName(
  to: Lowering,
  name: NodeId,
  binding: { readonly type: number; readonly value: number; readonly from: number },
): void {
  if (to.tree.textOf(name) !== 'self') to.bind('local', name, binding);
}

/** `.circle(let radius)`, `Shape.circle`: a constant of the value's type, and what it holds. */
function caseAt(
  to: Lowering,
  node: NodeId,
  of: NodeId,
  name: NodeId,
  inner: readonly NodeId[],
  value: number,
  { from, isBinding }: Binding,
): void {
  const { tree } = to;
  const at = tree.start(name);
  const text = tree.textOf(name);
  const base =
    of === NONE ? value : to.addExpression({ kind: 'type', type: to.type(of), at: tree.start(of) });
  const path = to.addExpression({ kind: 'member', name: text, base, at, nameNode: name, ofNode: of });
  // That there is a value is no constant of it.
  const isValue = text === 'some' && of === NONE;
  if (!isValue)
    to.refer({ kind: 'read', name, whole: node, receiver: of, receiverRow: base, expression: path });
  for (const [index, one] of inner.entries()) {
    const held = isValue
      ? value
      : to.addExpression({
          kind: 'matched',
          name: String(index),
          base: value,
          parts: [path],
          at: tree.start(one),
        });
    bindPattern(to, one, held, { from, isBinding });
  }
}

/** What stands between `if` and its block: conditions, and names that are bound by them for what comes behind. */
function conditionsAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const all = tree.children(node);
  const end = all.findIndex((one) => tree.kind(one) === 'statements');
  const parts = (end < 0 ? all : all.slice(0, end)).filter((one) => tree.kind(one) !== 'else');
  for (let at = 0; at < parts.length; at += 1) {
    const one = parts[at] ?? NONE;
    const kind = tree.kind(one);
    if (kind !== 'value_binding_pattern' && kind !== 'case') {
      if (kind !== '=') to.expression(one);
      continue;
    }
    // Up to the value, which stands behind `=`; without one the name itself has it.
    const equals = equalsBehind(to, parts, at);
    const last = equals < 0 ? nameBehind(to, parts, at) : equals;
    const pattern = parts.slice(at + 1, equals < 0 ? last + 1 : equals);
    const given = equals < 0 ? NONE : (parts[equals + 1] ?? NONE);
    const name = pattern.find((each) => tree.field(each) === 'bound_identifier') ?? NONE;
    const annotation = pattern.find((each) => tree.kind(each) === 'type_annotation') ?? NONE;
    const value =
      given !== NONE
        ? to.expression(given)
        : to.addExpression({ kind: 'name', name: tree.textOf(name), at: tree.start(name), nameNode: name });
    const type = annotation === NONE ? -1 : to.type(to.part(annotation, '*type'));
    const from = tree.end(given === NONE ? name : given);
    const bound = pattern.filter((each) => each !== annotation);
    bindParts(to, node, bound, value, { type, from, isBinding: kind === 'value_binding_pattern' });
    at = given === NONE ? last : equals + 1;
  }
}

/** The `=` of a binding; -1 where the next one comes first. */
function equalsBehind(to: Lowering, parts: readonly NodeId[], from: number): number {
  const isCase = to.tree.kind(parts[from] ?? NONE) === 'case';
  for (let at = from + 1; at < parts.length; at += 1) {
    const kind = to.tree.kind(parts[at] ?? NONE);
    if (kind === '=') return at;
    if (kind === 'case' || (kind === 'value_binding_pattern' && !isCase)) return -1;
  }
  return -1;
}

function nameBehind(to: Lowering, parts: readonly NodeId[], from: number): number {
  for (let at = from + 1; at < parts.length; at += 1)
    if (to.tree.field(parts[at] ?? NONE) === 'bound_identifier') return at;
  return parts.length - 1;
}

/** The value of a block: that of its last expression. */
function lastOf(to: Lowering, statements: NodeId): number {
  let last = to.unknown;
  for (const one of to.tree.children(statements)) {
    last = to.unknown;
    if (to.isExpression(one)) last = to.expression(one);
    else to.visit(one);
  }
  return last;
}

/** `if`, whose names are seen in its first block alone; as a value one of its branches. */
export function ifAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const parts: number[] = [];
  const children = tree.children(node);
  const first = children.findIndex((one) => tree.kind(one) === 'statements');
  to.inScope('block', node, () => {
    conditionsAt(to, node);
    if (first >= 0) parts.push(lastOf(to, children[first] ?? NONE));
  });
  for (const one of first < 0 ? [] : children.slice(first + 1))
    if (tree.kind(one) === 'if_statement') parts.push(ifAt(to, one));
    else if (tree.kind(one) === 'statements') parts.push(to.inScope('block', one, () => lastOf(to, one)));
  return to.addExpression({ kind: 'either', parts, at: tree.start(node) });
}

/** `guard`, whose names are seen behind it. */
export function guardAt(to: Lowering, node: NodeId): void {
  conditionsAt(to, node);
  to.visit(to.part(node, ':statements'));
}

/** `while`, `repeat … while` */
export function whileAt(to: Lowering, node: NodeId): void {
  to.inScope('block', node, () => {
    conditionsAt(to, node);
    const body = to.part(node, ':statements');
    to.visitChildren(body);
    for (const one of to.tree.children(node)) if (body !== NONE && one > body) to.visit(one);
  });
}

/** `for pattern in values where …` */
export function forAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  to.inScope('block', node, () => {
    const [item, collection] = [to.part(node, 'item'), to.part(node, 'collection')];
    const base = to.expression(collection);
    const at = tree.start(item);
    const value = to.addExpression({ kind: 'element', base, at });
    const isCase = /\bcase\s+$/.test(tree.text.slice(tree.start(node), at));
    const annotation = to.part(node, ':type_annotation');
    const type = annotation === NONE ? -1 : to.type(to.part(annotation, '*type'));
    bindPattern(to, item, value, { type, from: at, isBinding: !isCase });
    for (const one of tree.children(node))
      if (one > collection && tree.start(one) >= tree.end(collection)) to.visit(one);
  });
}

/** `switch value { case pattern where …: … }`; as a value one of its branches. */
export function switchAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const parts: number[] = [];
  const value = to.expression(to.part(node, 'expr'));
  for (const entry of to.parts(node, ':switch_entry'))
    to.inScope('block', entry, () => {
      for (const one of tree.children(entry)) {
        if (tree.kind(one) === 'switch_pattern')
          bindPattern(to, tree.first(one), value, { from: tree.start(one), isBinding: false });
        else if (tree.kind(one) === 'statements') parts.push(lastOf(to, one));
        else if (tree.kind(one) !== 'modifiers') to.visit(one);
      }
    });
  for (const one of tree.children(node))
    if (tree.field(one) !== 'expr' && tree.kind(one) !== 'switch_entry') to.visit(one);
  return to.addExpression({ kind: 'either', parts, at: tree.start(node) });
}

/** `catch let error as Failure { … }`: without a pattern it is called `error`. */
export function catchAt(to: Lowering, node: NodeId): void {
  to.inScope('block', node, () => {
    const pattern = to.part(node, 'error');
    const from = to.tree.start(node);
    to.scopes.bind('local', 'error', { from, type: libraryType(to, 'Error', [], from) });
    const value = to.addExpression({ kind: 'name', name: 'error', at: from + 1 });
    if (pattern !== NONE) bindPattern(to, pattern, value, { from, isBinding: false });
    for (const one of to.tree.children(node)) if (one !== pattern) to.visit(one);
  });
}

/** `return value`, `throw error`, `break label` */
export function transferAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const word = /^\w+/.exec(tree.text.slice(tree.start(node), tree.start(node) + 12))?.[0];
  if (word === 'break' || word === 'continue') return;
  if (word === 'return') give(to, to.expression(to.part(node, 'result')));
  else to.visitChildren(node);
}

/** Says that the function around gives a value. */
function give(to: Lowering, value: number): void {
  if (value < 0) return;
  if (to.values) to.values.push(value);
  else if (to.owner !== null) to.addReturn(value);
}

/** What is in a body: a single expression in it is what it gives. */
export function giveLast(to: Lowering, statements: NodeId): void {
  const { tree } = to;
  const [only = NONE, ...others] = tree.children(statements);
  if (others.length > 0 || !to.isExpression(only)) to.visitChildren(statements);
  else give(to, to.expression(only));
}

/** All that is in a body. */
export function blockIn(to: Lowering, body: NodeId): void {
  to.visitChildren(to.tree.first(body));
}
