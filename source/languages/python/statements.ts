import { BINDING_FLAGS } from '../../ir/index.js';
import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { narrow, tell } from './expressions.js';
import { dottedPath, stateOf } from './state.js';
import { bindTargets, flowTo, lose, lowerTargets } from './targets.js';

/** A statement whose blocks may be passed over. @param isLoop Whether they may be run again. */
function branching(to: Lowering, node: NodeId, isLoop = false, passed: readonly NodeId[] = []): void {
  const { tree } = to;
  for (const one of tree.children(node)) {
    if (passed.includes(one)) continue;
    if (tree.kind(one) !== 'block') to.visit(one);
    else if (isLoop) to.inLoop(node, () => to.inBranch(one, () => to.visit(one)));
    else to.inBranch(one, () => to.visit(one));
  }
}

/** `else:`, `try:`, `except:` */
export function branch(to: Lowering, node: NodeId): void {
  branching(to, node);
}

/** `while condition:` */
export function whileAt(to: Lowering, node: NodeId): void {
  branching(to, node, true);
}

/** `if isinstance(x, A):`, `if not isinstance(x, A): return`, `if TYPE_CHECKING:` */
export function ifAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const state = stateOf(to);
  const condition = to.part(node, 'condition');
  const block = to.part(node, 'consequence');
  const around = state.isTypeOnly;
  to.visit(condition);
  narrowed(to, node, condition, block);
  state.isTypeOnly ||=
    tree.kind(node) === 'if_statement' && /^(\w+\.)?TYPE_CHECKING$/.test(tree.textOf(condition));
  if (block !== NONE) to.inBranch(block, () => to.visit(block));
  state.isTypeOnly = around;
  branching(to, node, false, [condition, block]);
}

function narrowed(to: Lowering, node: NodeId, condition: NodeId, block: NodeId): void {
  const { tree } = to;
  if (tree.kind(block) !== 'block') return;
  if (tree.kind(condition) !== 'not_operator') {
    narrow(to, condition, node, { start: tree.start(block), end: to.codeEnd(block) });
    return;
  }
  const last = tree.children(block).at(-1) ?? NONE;
  const isLeft = /^(?:return|raise)_statement$/.test(tree.kind(last));
  if (isLeft && tree.children(node).length === 2) tell(to, tree.first(condition), node, null);
}

/** `assert isinstance(x, A)` */
export function assertAt(to: Lowering, node: NodeId): void {
  to.visitChildren(node);
  narrow(to, to.tree.first(node), node, null);
}

/** `for target in values:` */
export function forAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [target, values] = [to.part(node, 'left'), to.part(node, 'right')];
  bindTargets(to, target, false);
  const rows = lowerTargets(to, target);
  const base = to.expression(values);
  const start = tree.start(node);
  const value = to.addExpression({ kind: 'element', base, at: tree.start(target) });
  to.inLoop(node, () => flowTo(to, target, rows, { value, start, at: tree.end(values) }));
  branching(to, node, true, [target, values]);
}

/** `with value as target` */
export function withItem(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const pattern = to.part(node, 'value');
  if (tree.kind(pattern) !== 'as_pattern') {
    to.expression(pattern);
    return;
  }
  const [given, target] = [tree.first(pattern), to.part(pattern, 'alias')];
  const base = to.expression(given);
  bindTargets(to, target, false);
  const rows = lowerTargets(to, target);
  const value = to.addExpression({ kind: 'entered', base, at: tree.start(given) });
  flowTo(to, target, rows, { value, start: tree.start(node), at: tree.end(given) });
}

/** `except Failure as failure:`: it holds an instance of the class, in its block. */
export function exceptAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const pattern = to.part(node, ':as_pattern');
  const [caught = NONE, target = NONE] = tree.children(pattern === NONE ? node : pattern);
  const isNamed = target !== NONE && tree.kind(target) !== 'block' && tree.kind(caught) !== 'block';
  if (!isNamed) {
    branching(to, node);
    return;
  }
  to.expression(caught);
  bindTargets(to, target, false);
  const rows =
    pattern === NONE ? new Map([[target, to.expression(target, 'path')]]) : lowerTargets(to, target);
  const block = to.part(node, ':block');
  const at = tree.start(caught);
  const instance = (one: NodeId) => {
    const isPath = dottedPath(to, one) !== null;
    return isPath ? to.addExpression({ kind: 'instance', base: to.expression(one, 'path'), at }) : to.unknown;
  };
  const value =
    tree.kind(caught) === 'tuple'
      ? to.addExpression({ kind: 'either', parts: tree.children(caught).map(instance), at })
      : instance(caught);
  const flow = () => flowTo(to, target, rows, { value, start: tree.start(node), at: tree.end(target) });
  if (block === NONE) flow();
  else to.inBranch(block, () => [flow(), to.visit(block)]);
}

/** `case pattern if guard:`: a name in a pattern is bound, a dotted one is looked up. */
export function caseAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const block = to.part(node, ':block');
  const captured: NodeId[] = [];
  for (const one of tree.children(node)) if (one !== block) patternAt(to, one, node, captured);
  const run = () => {
    for (const name of captured) {
      const row = to.addExpression({ kind: 'name', name: tree.textOf(name), at: tree.start(name) });
      to.flow({ kind: 'assign', target: row, value: -1, start: tree.start(name), at: tree.end(name) });
    }
    if (block !== NONE) to.visit(block);
  };
  if (block === NONE) run();
  else to.inBranch(block, run);
}

/** Parts of patterns. */
const PATTERNS = /_pattern$/;

function patternAt(to: Lowering, node: NodeId, parent: NodeId, captured: NodeId[]): void {
  const { tree } = to;
  const kind = tree.kind(node);
  if (kind === 'dotted_name' || kind === 'identifier') {
    nameIn(to, node, parent, captured);
    return;
  }
  if (!PATTERNS.test(kind)) to.visit(node);
  else for (const one of tree.children(node)) patternAt(to, one, node, captured);
}

function nameIn(to: Lowering, node: NodeId, parent: NodeId, captured: NodeId[]): void {
  const { tree } = to;
  const kind = tree.kind(parent);
  const first = tree.first(parent) === node;
  const path = dottedPath(to, node) ?? '';
  if (path.includes('.') || kind === 'class_pattern') {
    if (path.includes('.') || first) pathAt(to, node);
    return;
  }
  const isCaptured =
    kind === 'keyword_pattern' ? !first : /^(?:case|splat|as|list|tuple|dict|union)_pattern$/.test(kind);
  if (!isCaptured) return;
  to.scopes.assign(path, false);
  captured.push(node);
}

/** `A.B` in a pattern. */
function pathAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const names = tree.kind(node) === 'identifier' ? [node] : tree.children(node);
  let expression = -1;
  let base = -1;
  for (const name of names) {
    base = expression;
    const [text, at] = [tree.textOf(name), tree.start(name)];
    expression = to.addExpression({
      kind: base < 0 ? 'name' : 'member',
      name: text,
      base,
      at,
      nameNode: name,
    });
  }
  const [last = NONE, before] = [names.at(-1), names.at(-2)];
  const receiver =
    before === undefined ? {} : { receiver: { start: tree.start(node), end: tree.end(before) } };
  to.refer({ kind: 'read', name: last, whole: node, ...receiver, receiverRow: base, expression });
}

/** `return value` */
export function returnAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const given = tree.first(node);
  const value = to.expression(given);
  if (given !== NONE && tree.kind(given) !== 'none')
    to.flow({ kind: 'return', target: -1, value, start: tree.start(node), at: tree.end(given) });
}

/** `del target` */
export function deleteAt(to: Lowering, node: NodeId): void {
  for (const one of to.tree.children(node)) {
    const rows = lowerTargets(to, one);
    lose(to, one, rows);
  }
}

/** `global name`, `nonlocal name` */
export function outerAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  if (to.scopes.current.kind === 'file') return;
  const flags = tree.kind(node) === 'global_statement' ? BINDING_FLAGS.file : 0;
  for (const one of tree.children(node)) to.bind('outer', one, { flags });
}
