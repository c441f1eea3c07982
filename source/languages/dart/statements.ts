import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { loopParts, valueAt } from './expressions.js';
import { bindPattern, casts } from './patterns.js';
import { typeEnd, typeNodes } from './types.js';

/** `if (a is T) …`, `if (a case pattern) …`: names have the type in the branch, or behind one that leads away. */
export function ifStatement(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [consequence, alternative] = [to.part(node, 'consequence'), to.part(node, 'alternative')];
  const [condition = NONE, ...more] = tree
    .children(node)
    .filter((one) => one !== consequence && one !== alternative && to.isExpression(one));
  const value = to.expression(condition);
  const pattern = tree.children(node).find((one) => tree.kind(one).endsWith('_pattern'));
  to.inScope('block', node, () => {
    if (pattern === undefined) casts(to, condition, true, tree.start(consequence));
    else bindPattern(to, pattern, value, false);
    for (const one of more) if (!isLink(to, one)) to.expression(one);
    to.visit(consequence);
  });
  if (alternative !== NONE)
    to.inScope('block', alternative, () => {
      casts(to, condition, false, tree.start(alternative));
      to.visit(alternative);
    });
  else if (leadsAway(to, consequence)) casts(to, condition, false, tree.end(node));
}

function isLink(to: Lowering, node: NodeId): boolean {
  return to.tree.kind(node).endsWith('selector');
}

/** Whether what is behind a statement is never run after it. */
function leadsAway(to: Lowering, node: NodeId): boolean {
  const { tree } = to;
  const last = tree.kind(node) === 'block' ? (tree.children(node).at(-1) ?? NONE) : node;
  return /^(?:return|throw|rethrow|continue|break)\b/.test(tree.textOf(last).slice(0, 10));
}

/** `for (…) …` */
export function forStatement(to: Lowering, node: NodeId): void {
  to.inScope('block', node, () => {
    loopParts(to, to.part(node, ':for_loop_parts'));
    to.visit(to.part(node, 'body'));
  });
}

/** `try {…} on T catch (e, s) {…}`: the parts of it are siblings. */
export function tryStatement(to: Lowering, node: NodeId): void {
  const { tree } = to;
  let type = -1;
  let caught: NodeId = NONE;
  for (const one of tree.children(node)) {
    const kind = tree.kind(one);
    if (kind === 'catch_clause') caught = one;
    else if (kind === 'block')
      to.inScope('block', one, () => {
        const [error = NONE, trace = NONE] = tree.children(to.part(caught, ':catch_parameters'));
        if (error !== NONE) to.bind('local', error, { type });
        if (trace !== NONE) to.bind('local', trace, {});
        to.visitChildren(one);
        caught = NONE;
        type = -1;
      });
    else if (typeNodes(to, node).includes(one)) type = to.type(one);
    else if (to.typeRule(one) === undefined) to.visit(one);
  }
}

/** `switch (a) { case pattern: … }`: a name that is matched has the type of the pattern in its branch. */
export function switchStatement(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const { value, name } = subjectOf(to, node);
  for (const one of tree.children(to.part(node, 'body')))
    to.inScope('block', one, () => {
      const rest = patternsIn(to, one, value, name);
      for (const each of rest) to.visit(each);
    });
}

/** `switch (a) { pattern => b }`: one of its values. */
export function switchExpression(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const { value, name } = subjectOf(to, node);
  const cases = tree.children(node).filter((one) => tree.kind(one) === 'switch_expression_case');
  const parts = cases.map((one) =>
    to.inScope('block', one, () => {
      const rest = patternsIn(to, one, value, name).filter((each) => !isLink(to, each));
      let last = to.unknown;
      for (const each of rest) if (to.isExpression(each)) last = valueAt(to, each);
      return last;
    }),
  );
  return to.addExpression({ kind: 'either', parts, at: tree.start(node) });
}

function subjectOf(to: Lowering, node: NodeId) {
  const condition = to.part(node, 'condition');
  const inner = to.tree.first(condition);
  const isName = to.tree.kind(inner) === 'identifier' && to.tree.children(condition).length === 1;
  return { value: to.expression(condition), name: isName ? inner : NONE };
}

/** Binds the patterns that a branch begins with. @returns what stands behind them. */
function patternsIn(to: Lowering, branch: NodeId, value: number, name: NodeId): NodeId[] {
  const { tree } = to;
  return tree.children(branch).filter((one) => {
    const kind = tree.kind(one);
    if (!kind.endsWith('_pattern')) return !kind.endsWith('_builtin') && kind !== 'logical_or_operator';
    bindPattern(to, one, value, false);
    const isOnly = !tree.children(branch).some((each) => tree.kind(each) === 'logical_or_operator');
    const [written = NONE] = kind === 'object_pattern' && isOnly ? typeNodes(to, one) : [];
    if (name !== NONE && written !== NONE && to.isBound(tree.textOf(name))) {
      const type = to.addType({ kind: 'name', name: tree.textOf(written), at: tree.start(written) });
      if (typeEnd(to, written) === tree.end(written)) to.bind('local', name, { type, from: tree.end(one) });
    }
    return false;
  });
}

/** `T a = b, c = d;`, `var (a, b) = c;` */
export function localVariables(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const inner = tree.first(node);
  if (tree.kind(inner) === 'pattern_variable_declaration') {
    const pattern = tree.children(inner).find((one) => tree.kind(one).endsWith('_pattern')) ?? NONE;
    const given = tree.children(inner).find((one) => one > pattern && to.isExpression(one)) ?? NONE;
    const value = valueAt(to, given);
    if (pattern !== NONE) bindPattern(to, pattern, value, true);
    return;
  }
  const name = to.part(inner, 'name');
  const [written = NONE] = typeNodes(to, inner).filter((one) => tree.start(one) < tree.start(name));
  const type = to.type(written);
  const bind = (one: NodeId, given: NodeId, end: number) =>
    to.bind('local', one, { type, value: valueAt(to, given), from: end });
  bind(name, to.part(inner, 'value'), tree.end(inner));
  for (const one of tree.children(inner))
    if (tree.kind(one) === 'initialized_identifier') {
      const [other = NONE, given = NONE] = tree.children(one);
      bind(other, given, tree.end(one));
    }
}
