import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { annotation } from './annotations.js';
import { elementsOf, isPath, put } from './calls.js';
import { bindTypeParameters, defineLambda, defineTarget, defineType } from './definitions.js';
import { stateOf, targetsOf, unwrapped } from './state.js';
import { namePattern } from './text.js';

/** The rows of the leaves of a target. */
export type Leaves = ReadonlyMap<NodeId, number>;

/** A value on its way to a target. */
export interface Given {
  readonly value: number;
  /** Where what gives it begins, and where it is given. */
  readonly start: number;
  readonly at: number;
}

/** Binds the names in a target. @param isVariable Whether others see them, in a file or a class. */
export function bindTargets(to: Lowering, target: NodeId, isVariable: boolean): void {
  for (const leaf of targetsOf(to, target))
    if (to.tree.kind(leaf) === 'identifier') to.scopes.assign(to.tree.textOf(leaf), isVariable);
}

/** Lowers the leaves of a target. @param defined Those that are definitions: no uses of names. */
export function lowerTargets(
  to: Lowering,
  target: NodeId,
  defined?: ReadonlySet<NodeId>,
): Map<NodeId, number> {
  const rows = new Map<NodeId, number>();
  for (const leaf of targetsOf(to, target)) {
    const isName = to.tree.kind(leaf) === 'identifier';
    rows.set(leaf, to.expression(leaf, isName && defined?.has(leaf) ? 'path' : 'write'));
  }
  return rows;
}

/** Targets that take a value apart. */
const UNPACKED = /^(?:pattern_list|tuple_pattern|list_pattern|tuple|list|expression_list)$/;
/** What stands around one target. */
const AROUND = /^(?:parenthesized_expression|as_pattern_target|list_splat_pattern)$/;
/** Literals with one item after the other. */
const SEQUENCE = /^(?:expression_list|tuple|list)$/;

/** What flows to a target: a name, an attribute, an item, or several of them that take it apart. */
export function flowTo(to: Lowering, target: NodeId, leaves: Leaves, given: Given): void {
  const { tree } = to;
  const kind = tree.kind(target);
  const children = tree.children(target);
  if (AROUND.test(kind)) for (const one of children) flowTo(to, one, leaves, given);
  else if (UNPACKED.test(kind)) {
    const isStarred = children.some((one) => tree.kind(one) === 'list_splat_pattern');
    for (const [index, one] of children.entries()) {
      const base = given.value;
      if (tree.kind(one) === 'list_splat_pattern') {
        const rest = base < 0 ? -1 : to.addExpression({ kind: 'spread', base, at: given.start });
        const value = rest < 0 ? -1 : to.addExpression({ kind: 'list', parts: [rest], at: given.start });
        flowTo(to, one, leaves, { ...given, value });
        continue;
      }
      const part =
        base < 0
          ? -1
          : isStarred
            ? to.addExpression({ kind: 'element', base, at: given.start })
            : to.addExpression({ kind: 'part', base, at: index });
      flowTo(to, one, leaves, { ...given, value: part });
    }
  } else {
    const row = leaves.get(target) ?? -1;
    if (row >= 0 && isKeyedPath(to, row)) to.flow({ kind: 'assign', target: row, ...given });
  }
}

/** Whether an expression is a path of names, or an item of one under keys. */
function isKeyedPath(to: Lowering, row: number): boolean {
  let at = row;
  while (at >= 0 && (to.kindOf(at) === 'index' || to.kindOf(at) === 'slice')) at = to.baseOf(at);
  return isPath(to, at);
}

/** `a, *b = f, g, h` hands on part by part what stands there as parts. */
function unpack(to: Lowering, target: NodeId, leaves: Leaves, node: NodeId, given: Given): void {
  const { tree } = to;
  const inner = unwrapped(to, node);
  const values = SEQUENCE.test(tree.kind(inner)) ? tree.children(inner) : null;
  if (!UNPACKED.test(tree.kind(target)) || !values || values.some((one) => tree.kind(one) === 'list_splat')) {
    flowTo(to, target, leaves, given);
    return;
  }
  const parts = tree.children(target);
  const rows = to.itemsOf(given.value);
  const star = parts.findIndex((one) => tree.kind(one) === 'list_splat_pattern');
  for (const [at, part] of parts.entries()) {
    const behind = star >= 0 && at > star ? values.length - parts.length : 0;
    const one = values[at + behind];
    if (at === star) {
      const rest = rows.slice(at, values.length - (parts.length - star - 1));
      const value = to.addExpression({ kind: 'list', parts: rest, at: given.start });
      flowTo(to, part, leaves, { ...given, value });
    } else if (one !== undefined) unpack(to, part, leaves, one, { ...given, value: rows[at + behind] ?? -1 });
  }
}

/** `a = b = value`, `a: type = value`: in a chain all have the last value. */
export function assignment(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const chain: { readonly target: NodeId; readonly type: NodeId }[] = [];
  let value = node;
  while (tree.kind(value) === 'assignment') {
    chain.push({ target: to.part(value, 'left'), type: to.part(value, 'type') });
    value = to.part(value, 'right');
  }
  const isLambda = value !== NONE && tree.kind(unwrapped(to, value)) === 'lambda';
  const defined = new Set<NodeId>();
  for (const { target, type } of chain) {
    const assigned = { whole: node, type, value };
    if (isLambda && tree.kind(target) === 'identifier') {
      defineLambda(to, target, { ...assigned, isSingle: true });
      defined.add(target);
      continue;
    }
    for (const leaf of targetsOf(to, target))
      if (defineTarget(to, leaf, { ...assigned, isSingle: leaf === target })) defined.add(leaf);
    bindTargets(to, target, true);
  }
  const start = tree.start(node);
  const lowered = chain.map(({ target, type }) => {
    const leaves = lowerTargets(to, target, defined);
    if (type !== NONE) declare(to, target, type, leaves, start);
    return { target, leaves };
  });
  if (value === NONE) return;
  const isAlias = chain.some(({ type }) => type !== NONE && /(^|\.)TypeAlias$/.test(tree.textOf(type)));
  hold(
    to,
    chain.map(({ target }) => target),
    value,
  );
  const { seen } = stateOf(to);
  const scope = to.scopes.current;
  for (const { target, type } of seen ? chain : []) {
    if (type !== NONE) seen?.typed.push({ node: type, target, scope });
    seen?.assigned.push({ node: value, target, scope });
  }
  const last = chain.at(-1);
  if (tree.kind(value) === 'call' && last && last.type === NONE)
    stateOf(to).assigned = { call: value, target: last.target };
  const row = isAlias
    ? to.addExpression({ kind: 'type', type: annotation(to, value), at: start })
    : to.expression(value);
  for (const { target, leaves } of lowered)
    unpack(to, target, leaves, value, { value: row, start, at: tree.end(value) });
}

/** Says of what type a target is. */
function declare(to: Lowering, target: NodeId, type: NodeId, leaves: Leaves, start: number): void {
  const { tree } = to;
  const row = to.type(type);
  const leaf = leaves.get(target) ?? -1;
  if (leaf < 0 || !isPath(to, leaf)) return;
  const value = to.addExpression({ kind: 'type', name: tree.textOf(type), type: row, at: tree.start(type) });
  to.flow({ kind: 'declare', target: leaf, value, start, at: tree.end(type) });
}

/** Says what was assigned to variables last, where that is a name that is put together. */
function hold(to: Lowering, targets: readonly NodeId[], value: NodeId): void {
  const { tree } = to;
  const { patterns } = stateOf(to);
  const pattern = namePattern(to, value);
  for (const target of targets) {
    if (tree.kind(target) !== 'identifier') continue;
    const name = tree.textOf(target);
    const bound = to.scopes.find(name)?.scope;
    const held = bound && patterns.get(bound);
    if (held) held.set(name, pattern);
    else if (bound && pattern !== null) patterns.set(bound, new Map([[name, pattern]]));
  }
}

/** `a += value`: of a list of values each goes into it; any other makes of it what cannot be followed. */
export function augmented(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [target, value] = [to.part(node, 'left'), to.part(node, 'right')];
  bindTargets(to, target, true);
  const rows = lowerTargets(to, target);
  const given = to.expression(value);
  const object = rows.get(target) ?? -1;
  if (SEQUENCE.test(tree.kind(value)))
    for (const [at, one] of elementsOf(to, given).entries())
      put(to, node, object, null, one, tree.children(value)[at]);
  else lose(to, target, rows);
}

/** Names that hold from there on what cannot be followed, or nothing at all. */
export function lose(to: Lowering, target: NodeId, rows: Leaves): void {
  for (const leaf of targetsOf(to, target))
    if (to.tree.kind(leaf) === 'identifier')
      flowTo(to, leaf, rows, { value: -1, start: to.tree.start(leaf), at: to.tree.end(leaf) });
}

/** `type X = …`; the grammar takes a statement that begins with a call of `type` for one, too: `type(mock).attribute = 1`. */
export function typeAlias(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [left, value] = [to.part(node, 'left'), to.part(node, 'right')];
  const inner = tree.first(left);
  const isGeneric = tree.kind(inner) === 'generic_type';
  const name = isGeneric ? tree.first(inner) : inner;
  if (tree.kind(name) === 'identifier') {
    if (to.scopes.current.kind === 'function') to.scopes.assign(tree.textOf(name), false);
    else defineType(to, name, node);
    const parameters = isGeneric ? to.part(inner, ':type_parameter') : NONE;
    to.inScope('block', node, () => {
      bindTypeParameters(to, parameters);
      to.type(value);
    });
    return;
  }
  let list = left;
  while (list !== NONE && !/^(?:parenthesized_expression|tuple)$/.test(tree.kind(list)))
    list = tree.first(list);
  const start = list === NONE ? -1 : tree.text.lastIndexOf('type', tree.start(list));
  if (start >= 0) {
    const at = { start, end: start + 'type'.length };
    const base = to.addExpression({ kind: 'name', name: 'type', at: start });
    const children = tree.children(list);
    const parts = children.map((one) => to.expression(one, 'pass'));
    const expression = to.addExpression({ kind: 'call', base, parts, at: start });
    const whole = { start, end: tree.end(list) };
    to.refer({ kind: 'call', name: at, whole, arguments: children.length, expression });
  }
  for (const one of tree.children(value)) to.expression(one);
}
