import { type Branch, type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { commentAbove, documentedType, type PhpFile, readDoc, typeNamed } from './names.js';

/** What a condition says of places when it holds, or when it does not. */
export function factsOf(to: Lowering, file: PhpFile, node: NodeId, holds: boolean): Map<string, number> {
  const { tree } = to;
  const facts = new Map<string, number>();
  switch (tree.kind(node)) {
    case 'parenthesized_expression':
      return factsOf(to, file, tree.first(node), holds);
    case 'unary_op_expression':
      return tree.text.charAt(tree.start(node)) === '!'
        ? factsOf(to, file, to.part(node, 'argument'), !holds)
        : facts;
    case 'binary_expression': {
      const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
      const operator = operatorOf(to, node);
      if (operator === 'instanceof' && holds && /^(?:name|qualified_name)$/.test(tree.kind(right))) {
        let place = left;
        while (/^(?:parenthesized|assignment)_expression$/.test(tree.kind(place))) place = tree.first(place);
        facts.set(tree.textOf(place), typeNamed(to, file, tree.textOf(right), tree.start(right)));
      } else if (operator === (holds ? '&&' : '||') || operator === (holds ? 'and' : 'or'))
        return new Map([...factsOf(to, file, left, holds), ...factsOf(to, file, right, holds)]);
      else if (operator === (holds ? '||' : '&&')) {
        // Either may be why: what both say of a place is one of two.
        const other = factsOf(to, file, right, holds);
        for (const [place, type] of factsOf(to, file, left, holds)) {
          const second = other.get(place);
          const parts = [type, second ?? -1];
          if (second !== undefined)
            facts.set(place, to.addType({ kind: 'either', parts, at: tree.start(node) }));
        }
      }
      return facts;
    }
    default:
      return facts;
  }
}

/** The operator of a binary expression, in lower case. */
export function operatorOf(to: Lowering, node: NodeId): string {
  const { tree } = to;
  const between = tree.text.slice(tree.end(to.part(node, 'left')), tree.start(to.part(node, 'right')));
  return between
    .replace(/\/\*.*?(?:\*\/|$)|(?:\/\/|#)[^\n]*/gs, '')
    .trim()
    .toLowerCase();
}

/** Whether nothing behind a statement is reached through it. @param isCase Whether `break` leads behind it. */
function ends(to: Lowering, node: NodeId, isCase = false): boolean {
  const { tree } = to;
  switch (tree.kind(node)) {
    case 'return_statement':
    case 'exit_statement':
    case 'continue_statement':
    case 'goto_statement':
    case 'throw_expression':
      return true;
    case 'break_statement':
      return !isCase;
    case 'function_call_expression':
      return /^(?:die|exit)$/i.test(tree.textOf(to.part(node, 'function')));
    case 'expression_statement':
    case 'compound_statement':
    case 'colon_block':
    case 'case_statement':
    case 'default_statement':
    case 'else_clause':
    case 'else_if_clause':
      return tree.children(node).some((one) => ends(to, one, isCase));
    case 'if_statement': {
      const others = to.parts(node, 'alternative');
      const hasElse = others.some((one) => tree.kind(one) === 'else_clause');
      return hasElse && [to.part(node, 'body'), ...others].every((one) => ends(to, one, isCase));
    }
    default:
      return false;
  }
}

/** `if`, with `elseif` and `else` */
export function ifStatement(to: Lowering, file: PhpFile, node: NodeId): void {
  const { tree } = to;
  const condition = to.part(node, 'condition');
  const body = to.part(node, 'body');
  const others = to.parts(node, 'alternative');
  to.expression(condition);
  /** What holds where no condition so far did. */
  const without = new Map<string, number>();
  const add = (one: NodeId) => {
    for (const [place, type] of factsOf(to, file, one, false)) without.set(place, type);
  };
  add(condition);
  let after = ends(to, body) ? new Map(without) : null;
  const branches: Branch[] = [
    {
      node: body,
      facts: factsOf(to, file, condition, true),
      ends: ends(to, body),
      run: () => to.visit(body),
    },
  ];
  for (const one of others) {
    const own = to.part(one, 'condition');
    const inner = to.part(one, 'body');
    const facts = new Map(without);
    const isLast = ends(to, one);
    branches.push({
      node: one,
      facts,
      ends: isLast,
      run: () => {
        if (own !== NONE) to.expression(own);
        file.locals.knowing(own === NONE ? undefined : factsOf(to, file, own, true), () => to.visit(inner));
      },
    });
    if (own === NONE) continue;
    add(own);
    if (after && isLast) after = new Map(without);
  }
  const hasElse = others.some((one) => tree.kind(one) === 'else_clause');
  file.locals.branches(branches, hasElse, tree.end(node));
  if (after) file.locals.narrow(after);
}

/** `while`, `for` */
export function loop(to: Lowering, file: PhpFile, node: NodeId): void {
  const body = to.part(node, 'body');
  const condition = to.part(node, 'condition');
  for (const one of to.tree.children(node)) if (one !== body) to.visit(one);
  if (body === NONE) return;
  const facts = condition === NONE ? undefined : factsOf(to, file, condition, true);
  const branch = { node: body, run: () => to.visit(body) };
  file.locals.branches([facts ? { ...branch, facts } : branch], false, to.tree.end(node));
}

/** `foreach (over as $key => $value)` */
export function foreach(to: Lowering, file: PhpFile, node: NodeId): void {
  const { tree } = to;
  const [over = NONE, target = NONE, ...rest] = tree.children(node);
  const body = to.part(node, 'body');
  const base = to.expression(over);
  const doc = readDoc(commentAbove(to, node));
  const at = tree.start(target);
  const run = () => {
    const [key = NONE, value = NONE] = tree.kind(target) === 'pair' ? tree.children(target) : [NONE, target];
    if (key !== NONE) assign(to, file, key, to.addExpression({ kind: 'key', base, at }), at, doc.vars);
    if (value !== NONE)
      assign(to, file, value, to.addExpression({ kind: 'element', base, at }), at, doc.vars);
    for (const one of rest) to.visit(one);
  };
  file.locals.branches(
    [{ node: body === NONE ? node : body, from: at, run }],
    false,
    tree.end(body === NONE ? node : body),
  );
}

/** `switch`, each case a branch: what falls through is taken to start from what holds in front of it. */
export function switchStatement(to: Lowering, file: PhpFile, node: NodeId): void {
  const { tree } = to;
  to.expression(to.part(node, 'condition'));
  const cases = tree.children(to.part(node, 'body'));
  const branches = cases.map((one) => ({
    node: one,
    ends: ends(to, one, true),
    run: () => to.visitChildren(one),
  }));
  const hasDefault = cases.some((one) => tree.kind(one) === 'default_statement');
  if (branches.length > 0) file.locals.branches(branches, hasDefault, tree.end(node));
}

/** `try`: what its body assigns holds behind it, also where something is caught. */
export function tryStatement(to: Lowering, file: PhpFile, node: NodeId): void {
  const { tree } = to;
  const body = to.part(node, 'body');
  to.visit(body);
  const others = tree.children(node).filter((one) => one !== body);
  const caught = others.filter((one) => tree.kind(one) === 'catch_clause');
  const branches = caught.map((one) => ({
    node: one,
    ends: ends(to, to.part(one, 'body')),
    run: () => {
      const type = to.type(to.part(one, 'type'));
      const name = to.part(one, 'name');
      if (name !== NONE) file.locals.assign(tree.textOf(name), tree.start(name), { type });
      to.visit(to.part(one, 'body'));
    },
  }));
  if (branches.length > 0) file.locals.branches(branches, false, tree.end(caught.at(-1) ?? node));
  for (const one of others) if (!caught.includes(one)) to.visit(one);
}

/** Gives what stands left of an assignment a value. @param vars Types that a comment says, by name. */
export function assign(
  to: Lowering,
  file: PhpFile,
  target: NodeId,
  value: number,
  from: number,
  vars: ReadonlyMap<string, string> = new Map(),
): void {
  const { tree } = to;
  switch (tree.kind(target)) {
    case 'variable_name': {
      const name = tree.textOf(target);
      const stated = documentedType(to, file, vars.get(name) ?? vars.get('') ?? '', tree.start(target));
      file.locals.assign(name, from, stated < 0 ? { value } : { type: stated, value });
      return;
    }
    case 'by_ref':
      assign(to, file, tree.first(target), value, from, vars);
      return;
    case 'list_literal':
    case 'array_creation_expression':
      listed(to, file, target, value, from);
      return;
    case 'subscript_expression': {
      const [of = NONE, ...index] = tree.children(target);
      for (const one of index) to.expression(one);
      if (tree.kind(of) !== 'variable_name') {
        to.expression(of);
        return;
      }
      // What is put into a list says what it is a list of.
      const held = to.expression(of);
      const put = to.addExpression({ kind: 'list', parts: [value], at: from });
      const isNew = to.kindOf(held) === 'unknown';
      const both = isNew ? put : to.addExpression({ kind: 'either', parts: [held, put], at: from });
      file.locals.assign(tree.textOf(of), from, { value: both });
      return;
    }
    case 'member_access_expression': {
      to.expression(target, 'write');
      file.locals.forget(tree.textOf(target));
      const name = to.part(target, 'name');
      if (tree.textOf(to.part(target, 'object')) === '$this')
        file.class?.open.get(tree.textOf(name))?.values.push(value);
      return;
    }
    default:
      to.expression(target, 'write');
  }
}

/** `[$a, 'key' => $b] = value` */
function listed(to: Lowering, file: PhpFile, target: NodeId, base: number, at: number): void {
  const { tree } = to;
  const part = to.addExpression({ kind: 'index', base, at });
  for (const one of tree.children(target)) {
    const inner = tree.kind(one) === 'array_element_initializer' ? tree.children(one).at(-1) : one;
    if (inner !== undefined && !/^(?:encapsed_)?string$|^integer$/.test(tree.kind(inner)))
      assign(to, file, inner, part, at);
  }
}
