import { type Lowering, type NewReference, NONE, type NodeId } from '../../lower/index.js';
import { dynamicImport } from './imports.js';
import { dottedPath, stateOf, unwrapped, useOf } from './state.js';
import { namePattern } from './text.js';

/** A callee without a name of its own in short: `handlers[]`, `make()`. */
function spellingOf(to: Lowering, node: NodeId): string {
  const { tree } = to;
  const first = tree.first(node);
  switch (tree.kind(node)) {
    case 'identifier':
      return tree.textOf(node);
    case 'attribute':
      return tree.textOf(to.part(node, 'attribute'));
    case 'parenthesized_expression':
      return spellingOf(to, first);
    case 'call':
      return `${spellingOf(to, first)}()`;
    case 'subscript':
      return `${spellingOf(to, first)}[]`;
    case 'lambda':
      return 'lambda';
    default:
      return 'expression';
  }
}

/** The callee of a call or decorator, and the reference through it: null for a decorator's that has no name. */
export function calleeOf(
  to: Lowering,
  kind: 'call' | 'decorator',
  written: NodeId,
  whole: NodeId,
): { readonly base: number; readonly reference: NewReference | null } {
  const { tree } = to;
  // `{*f(x)}` is to the grammar a call of `*f`.
  const callee = unwrapped(to, tree.kind(written) === 'list_splat' ? tree.first(written) : written);
  const shape = tree.kind(callee);
  if (shape === 'identifier') {
    const reference = useOf(kind, callee, whole, NONE, -1, -1);
    to.refer(reference);
    return { base: to.expression(callee, 'callee'), reference };
  }
  const name = shape === 'attribute' ? to.part(callee, 'attribute') : NONE;
  if (tree.kind(name) === 'identifier') {
    const base = to.expression(callee, 'callee');
    const reference = useOf(kind, name, whole, to.part(callee, 'object'), to.baseOf(base), -1);
    to.refer(reference);
    return { base, reference };
  }
  if (kind === 'decorator') return { base: to.expression(callee), reference: null };
  const reference = useOf(kind, callee, whole, NONE, -1, -1, -1, spellingOf(to, callee));
  to.refer(reference);
  return { base: to.expression(callee), reference };
}

/** The rows of arguments, and how many are given by position; null with a `*spread` that hides how many there are. */
export function argumentsIn(to: Lowering, list: NodeId): { rows: number[]; count: number | null } {
  const { tree } = to;
  const kind = tree.kind(list);
  if (kind === 'generator_expression') return { rows: [to.expression(list, 'pass')], count: 1 };
  if (kind !== 'argument_list') return { rows: list === NONE ? [] : [to.expression(list, 'pass')], count: 0 };
  const rows: number[] = [];
  let count: number | null = 0;
  for (const one of tree.children(list)) {
    const kind = tree.kind(one);
    rows.push(to.expression(one, 'pass'));
    if (kind === 'list_splat') count = null;
    else if (count !== null && kind !== 'keyword_argument' && kind !== 'dictionary_splat' && kind !== 'ERROR')
      count += 1;
  }
  return { rows, count };
}

/** `f(…)` */
export function callAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [written, list] = [to.part(node, 'function'), to.part(node, 'arguments')];
  const at = tree.start(node);
  if (written === NONE) {
    to.visitChildren(node);
    return to.unknown;
  }
  // The receiver form of what is called on it says it.
  if (tree.textOf(written) === 'super')
    return to.addExpression({ kind: 'super', parts: argumentsIn(to, list).rows, at });
  const { base, reference } = calleeOf(to, 'call', written, node);
  stateOf(to).seen?.calls.push({ node, target: NONE, scope: to.scopes.current });
  dynamicImport(to, node);
  const name = tree.textOf(reference && typeof reference.name === 'number' ? reference.name : NONE);
  if (name === 'as_view') asView(to, written);
  else if (name === 'getattr') computed(to, written, list, node);
  const { rows, count } = argumentsIn(to, list);
  const row = to.addExpression({ kind: 'call', base, parts: rows, at });
  if (reference) {
    reference.expression = row;
    reference.arguments = count;
  }
  if (to.kindOf(base) === 'member') fill(to, node, name, to.baseOf(base), rows);
  return row;
}

/** `View.as_view()`: what it makes stands for the class wherever it is handed to. */
function asView(to: Lowering, callee: NodeId): void {
  const object = to.part(callee, 'object');
  if (object !== NONE && dottedPath(to, object) !== null) to.expression(object, 'pass');
}

/** `getattr(self, f"visit_{name}")`: a read of whatever `self.visit_*` may be. */
function computed(to: Lowering, callee: NodeId, list: NodeId, whole: NodeId): void {
  const { tree } = to;
  if (tree.kind(callee) !== 'identifier') return;
  const [object, name] = tree.children(list);
  if (object === undefined || name === undefined || to.scopes.find('getattr')) return;
  const held = tree.kind(name) === 'identifier' ? tree.textOf(name) : '';
  const bound = held === '' ? undefined : to.scopes.find(held)?.scope;
  const called = bound ? stateOf(to).patterns.get(bound)?.get(held) : namePattern(to, name);
  if (!called) return;
  const receiverRow = to.expression(object, 'path');
  const expression = to.addExpression({
    kind: 'member',
    name: called,
    base: receiverRow,
    at: tree.start(name),
  });
  to.refer({ kind: 'read', name, whole, called, receiver: object, receiverRow, expression, always: true });
}

/** Methods that put arguments into a container: which one is the item, and which one the key. */
const FILLING: ReadonlyMap<string, { readonly item: number; readonly key?: number }> = new Map([
  ['append', { item: 0 }],
  ['appendleft', { item: 0 }],
  ['add', { item: 0 }],
  ['insert', { item: 1 }],
  ['setdefault', { item: 1, key: 0 }],
]);

/** `xs.append(f)`, `xs.extend([f])`, `d.update({'a': f})`: what is put into a container flows to its items. */
function fill(to: Lowering, node: NodeId, called: string, base: number, rows: readonly number[]): void {
  const { tree } = to;
  const rule = FILLING.get(called);
  if (!rule && called !== 'extend' && called !== 'update') return;
  const given = tree.children(to.part(node, 'arguments'));
  const [first = -1] = rows;
  if (rule)
    put(
      to,
      node,
      base,
      rule.key === undefined ? null : (rows[rule.key] ?? -1),
      rows[rule.item] ?? -1,
      given[rule.item],
    );
  else if (called === 'extend')
    for (const [at, one] of elementsOf(to, first).entries())
      put(to, node, base, null, one, tree.children(given[0] ?? NONE)[at]);
  else if (called === 'update' && tree.kind(given[0] ?? NONE) === 'dictionary') {
    const items = to.itemsOf(first);
    for (const [at, pair] of tree.children(given[0] ?? NONE).entries())
      if ((items[at * 2] ?? -1) >= 0)
        put(to, node, base, items[at * 2] ?? -1, items[at * 2 + 1] ?? -1, to.part(pair, 'value'));
  }
}

/** What a list holds that is written as one. */
export function elementsOf(to: Lowering, list: number): number[] {
  return to.kindOf(list) === 'list' ? to.itemsOf(list) : [];
}

/** Values of which something may be known. */
const FOLLOWED: ReadonlySet<string> = new Set(
  'name member call index slice await list map either symbol part element'.split(' '),
);

/** A flow to an item of a container that is a path of names. @param key Null where it says nothing of where. */
export function put(
  to: Lowering,
  node: NodeId,
  container: number,
  key: number | null,
  value: number,
  at: NodeId = node,
): void {
  if (!isPath(to, container) || !FOLLOWED.has(to.kindOf(value))) return;
  const start = to.tree.start(node);
  const target =
    key === null
      ? to.addExpression({ kind: 'element', base: container, at: start })
      : to.addExpression({ kind: 'index', base: container, parts: [key], at: start });
  to.flow({ kind: 'assign', target, value, start, at: to.tree.end(at) });
}

/** Whether an expression is a path of names. */
export function isPath(to: Lowering, row: number): boolean {
  let at = row;
  while (at >= 0 && to.kindOf(at) === 'member') at = to.baseOf(at);
  return at >= 0 && to.kindOf(at) === 'name';
}
