import { type Branch, type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { fieldOf, fileOf, isConstant, typeRow } from './state.js';

/** The row of what is no value, because the code behind it is not reached. */
export const GONE = -1;

/** Statements one after the other. @returns the value of the last one. */
export function statements(to: Lowering, node: NodeId): number {
  const { tree } = to;
  let value = to.addExpression({ kind: 'literal', name: 'nil', at: tree.start(node) });
  const clauses: NodeId[] = [];
  for (const one of tree.children(node))
    if (CLAUSES.has(tree.kind(one))) clauses.push(one);
    else if (tree.kind(one) === 'heredoc_body') to.visitChildren(one);
    else value = to.expression(one);
  return clauses.length === 0 ? value : rescued(to, node, value, clauses);
}

const CLAUSES = new Set(['rescue', 'else', 'ensure']);

/** `rescue`, `else` and `ensure` behind statements; what these assign holds behind them, also where something is caught. */
function rescued(to: Lowering, node: NodeId, body: number, clauses: readonly NodeId[]): number {
  const { tree } = to;
  const { locals } = fileOf(to);
  const values = [body];
  const caught = clauses.filter((one) => tree.kind(one) === 'rescue');
  const branches = caught.map(
    (one): Branch => ({
      node: one,
      ends: ends(to, to.part(one, 'body')),
      run: () => {
        const types = tree.children(to.part(one, 'exceptions')).map((each) => to.type(each));
        const name = to.part(to.part(one, 'variable'), '#0');
        const type =
          types.length < 2 ? (types[0] ?? -1) : to.addType({ kind: 'either', parts: types, at: 0 });
        if (name !== NONE) assign(to, name, typedValue(to, type, tree.start(one)), tree.end(name));
        values.push(statements(to, to.part(one, 'body')));
      },
    }),
  );
  if (branches.length > 0) locals.branches(branches, false, tree.end(caught.at(-1) ?? node));
  for (const one of clauses) {
    if (tree.kind(one) === 'rescue') continue;
    const value = statements(to, one);
    if (tree.kind(one) === 'else') values[0] = value;
  }
  return eitherOf(to, values, tree.start(node));
}

/** A value of a type that is written. */
function typedValue(to: Lowering, type: number, at: number): number {
  return type < 0 ? to.unknown : to.addExpression({ kind: 'convert', type, at });
}

/** Either of some values, of those that are any. */
export function eitherOf(to: Lowering, values: readonly number[], at: number): number {
  const parts = values.filter((one) => one !== GONE);
  const [only = GONE] = parts;
  return parts.length < 2 ? only : to.addExpression({ kind: 'either', parts, at });
}

/** Whether nothing behind a statement is reached through it. */
function ends(to: Lowering, node: NodeId): boolean {
  const { tree } = to;
  const kind = tree.kind(node);
  if (/^(?:return|break|next|redo|retry)$/.test(kind)) return true;
  if (kind === 'call')
    return (
      /^(?:raise|exit|abort|throw|fail)$/.test(tree.textOf(to.part(node, 'method'))) &&
      to.part(node, 'receiver') === NONE
    );
  if (kind === 'identifier') return /^(?:raise|exit|abort)$/.test(tree.textOf(node));
  if (!/^(?:then|else|body_statement|block_body|parenthesized_statements|begin)$/.test(kind)) return false;
  return tree.children(node).some((one) => ends(to, one));
}

/** What a condition says of places when it holds, or when it does not. */
function factsOf(to: Lowering, node: NodeId, holds: boolean): Map<string, number> {
  const { tree } = to;
  const facts = new Map<string, number>();
  const kind = tree.kind(node);
  if (kind === 'parenthesized_statements') return factsOf(to, tree.first(node), holds);
  if (kind === 'unary' && /^(?:!|not\b)/.test(tree.textOf(node)))
    return factsOf(to, to.part(node, 'operand'), !holds);
  if (kind === 'binary') {
    const operator = to.tree.textOf(to.part(node, 'operator'));
    const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
    if (operator === '===' && holds && isConstant(to, left)) facts.set(tree.textOf(right), typeRow(to, left));
    if ((operator === '&&' || operator === 'and') && holds)
      return new Map([...factsOf(to, left, true), ...factsOf(to, right, true)]);
    if ((operator === '||' || operator === 'or') && !holds)
      return new Map([...factsOf(to, left, false), ...factsOf(to, right, false)]);
    return facts;
  }
  if (kind !== 'call' || !holds) return facts;
  if (!/^(?:is_a\?|kind_of\?|instance_of\?)$/.test(tree.textOf(to.part(node, 'method')))) return facts;
  const [type = NONE] = tree.children(to.part(node, 'arguments'));
  const receiver = to.part(node, 'receiver');
  if (isConstant(to, type) && receiver !== NONE) facts.set(tree.textOf(receiver), typeRow(to, type));
  return facts;
}

/** `if`, `unless`, `elsif`, `a ? b : c`, `b if a` */
export function ifAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const file = fileOf(to);
  const condition = to.part(node, 'condition');
  const isNegated = /^unless/.test(tree.kind(node));
  const body = to.part(node, 'consequence') === NONE ? to.part(node, 'body') : to.part(node, 'consequence');
  const other = to.part(node, 'alternative');
  to.expression(condition);
  const values: number[] = [];
  const branch = (one: NodeId, holds: boolean): Branch => ({
    node: one,
    from: Math.max(tree.start(one), tree.end(condition)),
    facts: factsOf(to, condition, holds !== isNegated),
    ends: ends(to, one),
    // What is defined there may not be.
    run: () => to.inBranch(one, () => values.push(branchValue(to, one))),
  });
  const branches = [
    ...(body === NONE ? [] : [branch(body, true)]),
    ...(other === NONE ? [] : [branch(other, false)]),
  ];
  if (branches.length > 0) file.locals.branches(branches, body !== NONE && other !== NONE, tree.end(node));
  if (body !== NONE && other === NONE && ends(to, body))
    file.locals.narrow(factsOf(to, condition, isNegated));
  return eitherOf(to, values, tree.start(node));
}

/** The value of a branch: of its statements, or of the expression that it is. */
function branchValue(to: Lowering, node: NodeId): number {
  const kind = to.tree.kind(node);
  return kind === 'then' || kind === 'else' || kind === 'do' ? statements(to, node) : to.expression(node);
}

/** `case value when A, B then … else … end`, `case value in pattern` */
export function caseAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const file = fileOf(to);
  const of = to.part(node, 'value');
  to.expression(of);
  const values: number[] = [];
  const clauses = tree.children(node).filter((one) => one !== of);
  const branches = clauses.map((one): Branch => {
    const body = tree.kind(one) === 'else' ? one : to.part(one, 'body');
    const patterns = tree.children(one).filter((each) => each !== body);
    const types = patterns.map((each) => (tree.kind(each) === 'pattern' ? tree.first(each) : each));
    const isTyped =
      tree.kind(one) === 'when' && types.length > 0 && types.every((each) => isConstant(to, each));
    const rows = isTyped ? types.map((each) => to.type(each)) : [];
    const type = rows.length < 2 ? (rows[0] ?? -1) : to.addType({ kind: 'either', parts: rows, at: 0 });
    return {
      node: one,
      ...(type >= 0 && { facts: new Map([[tree.textOf(of), type]]) }),
      ends: ends(to, body),
      run: () => {
        if (tree.kind(one) === 'in_clause') for (const each of patterns) bindPattern(to, each);
        else if (!isTyped) for (const each of patterns) to.visitChildren(each);
        if (body !== NONE) values.push(statements(to, body));
      },
    };
  });
  const hasElse = clauses.some((one) => tree.kind(one) === 'else');
  if (branches.length > 0) file.locals.branches(branches, hasElse, tree.end(node));
  return eitherOf(to, values, tree.start(node));
}

/** The names of a pattern of `in` or `=>`: what they hold is not followed. */
export function bindPattern(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const kind = tree.kind(node);
  const bind = (name: NodeId, text = tree.textOf(name)) =>
    fileOf(to).locals.assign(text, tree.start(name), { value: to.unknown });
  if (kind === 'identifier') bind(node);
  else if (kind === 'keyword_pattern' && to.part(node, 'value') === NONE) {
    const key = to.part(node, 'key');
    bind(key, tree.textOf(key).replace(/:$/, ''));
  } else if (kind === 'as_pattern') {
    bindPattern(to, to.part(node, 'value'));
    bind(to.part(node, 'name'));
  } else if (isConstant(to, node)) to.type(node);
  else if (/pattern$/.test(kind) || kind === 'splat_parameter')
    for (const one of tree.children(node)) bindPattern(to, one);
  else to.visit(node);
}

/** `while`, `until`, `for`: what is run may not be run. */
export function loopAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const body = to.part(node, 'body');
  const pattern = to.part(node, 'pattern');
  const over = to.part(to.part(node, 'value'), '#0');
  const condition = to.part(node, 'condition');
  const base = over === NONE ? -1 : to.expression(over);
  if (condition !== NONE) to.expression(condition);
  if (body === NONE) return to.unknown;
  const from = Math.max(tree.start(body), tree.end(condition), tree.start(node));
  const run = () => {
    if (pattern !== NONE)
      assign(to, pattern, to.addExpression({ kind: 'element', base, at: from }), tree.start(pattern));
    branchValue(to, body);
  };
  fileOf(to).locals.branches([{ node: body, from, run }], false, tree.end(node));
  return to.unknown;
}

/** `return a`, `next a`: what a block gives by `next` is not followed. */
export function returnAt(to: Lowering, node: NodeId): number {
  const [list = NONE] = to.tree.children(node);
  const values = to.tree.children(list).map((one) => to.expression(one));
  const [only = GONE] = values;
  if (to.tree.kind(node) === 'return' && fileOf(to).method !== null)
    to.addReturn(values.length === 1 ? only : values.length === 0 ? nil(to) : to.unknown);
  return GONE;
}

/** What holds nothing. */
export function nil(to: Lowering): number {
  return to.addExpression({ kind: 'literal', name: 'nil', at: 0 });
}

/** Gives what stands left of an assignment a value. */
export function assign(to: Lowering, target: NodeId, value: number, from: number): void {
  const { tree } = to;
  const given = value === GONE ? to.unknown : value;
  switch (tree.kind(target)) {
    case 'identifier':
      fileOf(to).locals.assign(tree.textOf(target), from, { value: given });
      return;
    case 'instance_variable':
    case 'class_variable':
      fileOf(to).locals.forget(tree.textOf(target));
      fieldOf(to, target)?.values.push(given);
      to.expression(target, 'write');
      return;
    case 'left_assignment_list':
    case 'destructured_left_assignment':
    case 'destructured_parameter': {
      const parts = to.kindOf(given) === 'list' ? to.itemsOf(given) : null;
      for (const [at, one] of tree.children(target).entries())
        assign(to, one, parts?.[at] ?? to.addExpression({ kind: 'index', base: given, at: from }), from);
      return;
    }
    case 'rest_assignment':
    case 'splat_parameter': {
      const name = to.part(target, '#0');
      if (name !== NONE) assign(to, name, to.unknown, from);
      return;
    }
    default:
      to.expression(target, 'write');
  }
}
