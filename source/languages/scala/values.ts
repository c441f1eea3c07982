import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { stateOf } from './state.js';

/** The value of a body or branch: of a block that of its last expression. */
export function bodyValue(to: Lowering, node: NodeId): number {
  if (node === NONE) return -1;
  if (!to.isExpression(node)) {
    to.visit(node);
    return to.unknown;
  }
  return placeholdersIn(to, node) > 0 ? placeholderFunction(to, node) : to.expression(node);
}

/** The function of the innermost scope, which gives a value. */
export function functionOf(to: Lowering, at: number, values: () => number): number {
  const value = values();
  const parts = value < 0 ? [] : [value];
  return to.addExpression({ kind: 'function', scope: to.scopes.ownRow(), parts, at });
}

/** The parts of expressions in which a `_` stands for what a function around them takes. */
const HOLDING: Readonly<Record<string, readonly string[]>> = {
  field_expression: ['value'],
  call_expression: ['function', 'arguments'],
  generic_function: ['function'],
  infix_expression: ['left', 'right'],
  match_expression: ['value'],
  assignment_expression: ['left', 'right'],
};

/** How many `_` make an expression a function; one that is no more than a `_` makes what is around it one. */
export function placeholdersIn(to: Lowering, node: NodeId): number {
  return to.tree.kind(node) === 'wildcard' ? 0 : count(to, node, 0);
}

function count(to: Lowering, node: NodeId, depth: number): number {
  const { tree } = to;
  const kind = tree.kind(node);
  if (kind === 'wildcard') return 1;
  // Of a longer chain none begins with one.
  if (depth > 64) return 0;
  let found = 0;
  if (/^(?:prefix|postfix|ascription|tuple)_expression$|^instance_expression$/.test(kind)) {
    for (const one of tree.children(node)) {
      const inside = tree.kind(one) === 'arguments' ? tree.children(one) : [one];
      const isDirect = kind === 'tuple_expression' || kind === 'instance_expression';
      for (const each of inside)
        if (!isDirect) found += count(to, each, depth + 1);
        else if (tree.kind(each) === 'wildcard') found += 1;
    }
    return found;
  }
  for (const field of HOLDING[kind] ?? []) {
    const part = to.part(node, field);
    if (field !== 'arguments') found += count(to, part, depth + 1);
    else if (tree.kind(part) === 'arguments')
      for (const one of tree.children(part)) found += isWildcard(to, one) ? 1 : 0;
  }
  return found;
}

/** `_`, `_: T`, `name = _` */
function isWildcard(to: Lowering, node: NodeId): boolean {
  const { tree } = to;
  const kind = tree.kind(node);
  if (kind === 'assignment_expression') return isWildcard(to, to.part(node, 'right'));
  if (kind === 'ascription_expression' && to.part(node, ':repeated_parameter_type') === NONE)
    return tree.kind(tree.first(node)) === 'wildcard';
  return kind === 'wildcard';
}

/** `_.a`, `_ + _`: a function of as many parameters as there are `_`. */
export function placeholderFunction(to: Lowering, node: NodeId): number {
  const state = stateOf(to);
  const around = state.placeholders;
  const row = to.inScope('function', node, () => {
    for (let index = 1; index <= placeholdersIn(to, node); index += 1)
      to.scopes.bind('parameter', `_${index}$`, {});
    state.placeholders = 0;
    return functionOf(to, to.tree.start(node), () => to.expression(node));
  });
  state.placeholders = around;
  return row;
}

/** A `_`: the next parameter of the function that it makes. */
export function placeholderAt(to: Lowering, node: NodeId): number {
  const state = stateOf(to);
  state.placeholders += 1;
  return to.addExpression({ kind: 'name', name: `_${state.placeholders}$`, at: to.tree.start(node) });
}
