import { eitherOf, type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { type Bind, pattern } from './patterns.js';
import { bodyValue, functionOf } from './values.js';

/** What a function takes that has no name for it. */
const GIVEN = '_given';

/** Binds the names of patterns as locals. */
function locals(to: Lowering, from: number): Bind {
  return (name, value, type) => to.bind('local', name, { value, type, from });
}

/** `(a, b) => …`, `a => …`, `f: a => …`. @param rest What follows in the block that it begins. */
export function lambdaAt(to: Lowering, node: NodeId, rest: readonly NodeId[] = []): number {
  const { tree } = to;
  return to.inScope('function', node, () => {
    const children = tree.children(node);
    const isParameter = (one: NodeId) => /^(?:parameters|lambda_start)$/.test(tree.field(one));
    for (const one of children.filter(isParameter)) parameterOf(to, one);
    const body = [
      ...children.filter((one) => !isParameter(one) && tree.kind(one) !== 'type_parameters'),
      ...rest,
    ];
    return functionOf(to, tree.start(node), () => {
      let value = to.unknown;
      for (const one of body) value = bodyValue(to, one);
      return value;
    });
  });
}

/** A parameter of a function without a name, or the list of them. */
function parameterOf(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const kind = tree.kind(node);
  if (kind === 'bindings') for (const one of tree.children(node)) parameterOf(to, one);
  else if (kind === 'binding')
    to.bind('parameter', nameOf(to, node), { type: to.type(to.part(node, 'type')) });
  else if (kind === 'identifier') to.bind('parameter', node, {});
  else if (kind === 'wildcard') to.scopes.bind('parameter', '', {});
}

function nameOf(to: Lowering, node: NodeId): NodeId {
  const name = to.part(node, 'name');
  return name === NONE ? to.tree.first(node) : name;
}

/** `{ case … => …; … }`: a function of what its cases are tried with. */
export function caseFunction(to: Lowering, node: NodeId): number {
  return to.inScope('function', node, () => {
    const at = to.tree.start(node);
    to.scopes.bind('parameter', GIVEN, {});
    const value = to.addExpression({ kind: 'name', name: GIVEN, at });
    return functionOf(to, at, () => casesIn(to, node, value));
  });
}

/** The value of cases that a value is tried with. */
export function casesIn(to: Lowering, node: NodeId, value: number): number {
  const { tree } = to;
  const values = tree.children(node).flatMap((one) => {
    if (tree.kind(one) !== 'case_clause') return [];
    return to.inScope('block', one, () => {
      pattern(to, to.part(one, 'pattern'), value, locals(to, tree.start(one)));
      const guard = to.part(one, ':guard');
      if (guard !== NONE) to.expression(to.part(guard, 'condition'));
      let last = to.unknown;
      for (const body of to.parts(one, 'body')) last = bodyValue(to, body);
      return last;
    });
  });
  return eitherOf(to, values, node);
}

/** `for (x <- xs; y = f(x) if g; z <- zs) yield …`: calls of `map`, `flatMap` and `foreach` with functions of what is bound. */
export function forAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const list = to.part(node, ':enumerators');
  const body = to.part(node, 'body');
  const isYield = /\byield\b/.test(tree.text.slice(tree.end(list), tree.start(body)));
  return generatorAt(to, node, tree.children(list), 0, body, isYield);
}

function generatorAt(
  to: Lowering,
  node: NodeId,
  all: readonly NodeId[],
  at: number,
  body: NodeId,
  isYield: boolean,
): number {
  const { tree } = to;
  const generator = all[at] ?? NONE;
  const [names = NONE, over = NONE, ...guards] = tree.children(generator);
  const base = bodyValue(to, over);
  const start = tree.start(generator);
  let isLast = true;
  const row = to.inScope('function', node, () => {
    bindGenerated(to, names);
    for (const guard of guards) to.expression(to.part(guard, 'condition'));
    let next = at + 1;
    for (; next < all.length && !isGenerator(to, all[next] ?? NONE); next += 1)
      valueIn(to, all[next] ?? NONE);
    isLast = next >= all.length;
    return functionOf(to, start, () =>
      isLast ? bodyValue(to, body) : generatorAt(to, node, all, next, body, isYield),
    );
  });
  const name = !isYield ? 'foreach' : isLast ? 'map' : 'flatMap';
  const member = to.addExpression({ kind: 'member', name, base, at: start });
  return to.addExpression({ kind: 'call', base: member, parts: [row], at: start });
}

function bindGenerated(to: Lowering, names: NodeId): void {
  const { tree } = to;
  if (tree.kind(names) === 'identifier' && tree.textOf(names) !== '_') {
    to.bind('parameter', names, {});
    return;
  }
  to.scopes.bind('parameter', GIVEN, {});
  const value = to.addExpression({ kind: 'name', name: GIVEN, at: tree.start(names) });
  pattern(to, names, value, locals(to, tree.start(names)));
}

function isGenerator(to: Lowering, node: NodeId): boolean {
  const [names = NONE, over = NONE] = to.tree.children(node);
  return over !== NONE && to.tree.text.slice(to.tree.end(names), to.tree.start(over)).includes('<-');
}

/** `y = f(x)` or `if g(x)` among what a `for` goes through. */
function valueIn(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [names = NONE, value = NONE, ...guards] = tree.children(node);
  if (tree.kind(names) === 'guard') guards.push(names);
  else if (value !== NONE) pattern(to, names, bodyValue(to, value), locals(to, tree.end(names)));
  for (const guard of guards) to.expression(to.part(guard, 'condition'));
}
