import { LIMITS } from '../../../schema/index.js';
import { BINDING_FLAGS, SYMBOL_FLAGS } from '../../ir/index.js';
import { type Access, type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { takesFixtures } from '../../pytest.js';
import { annotation, typeOfBase } from './annotations.js';
import { argumentsIn, calleeOf } from './calls.js';
import {
  dottedPath,
  isUpperCase,
  lastName,
  looksLikeClass,
  type State,
  stateOf,
  targetsOf,
  unwrapped,
} from './state.js';
import { docstringOf } from './text.js';

/** `__x` is private, `_x` protected, all else public, `__init__` too. What a module defines it exports, if it is public. */
export function accessOf(to: Lowering, name: string): Access {
  const isDunder = name.startsWith('__');
  const visibility =
    isDunder && !name.endsWith('__') ? 'private' : name.startsWith('_') && !isDunder ? 'protected' : 'public';
  return { exported: to.owner === null && !name.startsWith('_'), visibility };
}

/** One parameter as written. */
interface WrittenParameter {
  /** The name, or the tuple that Python 2 unpacks. */
  readonly target: NodeId;
  readonly type: NodeId;
  readonly value: NodeId;
  /** See `BINDING_FLAGS`. */
  readonly flags: number;
}

/** The parameters of a function or lambda, in order. */
function writtenParameters(to: Lowering, list: NodeId): WrittenParameter[] {
  const { tree } = to;
  const found: WrittenParameter[] = [];
  let isNamed = false;
  for (const one of tree.children(list)) {
    const kind = tree.kind(one);
    if (kind === 'keyword_separator') isNamed = true;
    if (kind === 'positional_separator')
      for (const [at, before] of found.entries())
        found[at] = { ...before, flags: before.flags | BINDING_FLAGS.positional };
    const inner = kind === 'typed_parameter' ? tree.first(one) : one;
    const shape = tree.kind(inner);
    const isNamedRest = shape === 'dictionary_splat_pattern';
    const isRest = isNamedRest || shape === 'list_splat_pattern';
    const hasValue = kind === 'default_parameter' || kind === 'typed_default_parameter';
    if (!isRest && !hasValue && shape !== 'identifier' && shape !== 'tuple_pattern') continue;
    const target = isRest ? tree.first(inner) : hasValue ? to.part(one, 'name') : inner;
    if (target === NONE) continue;
    const byName = (isNamed && !isRest) || isNamedRest;
    found.push({
      target,
      type: to.part(one, 'type'),
      value: hasValue ? to.part(one, 'value') : NONE,
      flags:
        (isRest ? BINDING_FLAGS.variadic : 0) +
        (hasValue ? BINDING_FLAGS.optional : 0) +
        (byName ? BINDING_FLAGS.named : 0),
    });
    if (isRest) isNamed = true;
  }
  return found;
}

/** `@decorator` in front of a function or class. */
export function decorated(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const definition = to.part(node, 'definition');
  const decorators = tree.children(node).filter((one) => tree.kind(one) === 'decorator');
  const kind = tree.kind(definition);
  if (kind === 'function_definition') functionAt(to, definition, node, decorators);
  else if (kind === 'class_definition') classAt(to, definition, node, decorators);
  else to.visitChildren(node);
}

/** A decorator, as it is written and as a use of names. @param definition What it decorates; -1 for nothing. */
export function decorator(to: Lowering, node: NodeId, definition = -1): void {
  const { tree } = to;
  const expression = tree.first(node);
  if (expression === NONE) return;
  const isCall = tree.kind(expression) === 'call';
  const callee = isCall ? to.part(expression, 'function') : expression;
  if (callee === NONE) return;
  const { reference, base } = calleeOf(to, 'decorator', callee, expression);
  if (isCall && definition >= 0)
    stateOf(to).seen?.decorations.push({ node: expression, target: definition, scope: to.scopes.current });
  let row = base;
  if (isCall) {
    const { rows } = argumentsIn(to, to.part(expression, 'arguments'));
    row = to.addExpression({ kind: 'call', base, parts: rows, at: tree.start(expression) });
  }
  if (reference) reference.expression = row;
  if (definition >= 0) to.addDecorator(definition, row);
}

function textsOf(to: Lowering, decorators: readonly NodeId[]): string[] {
  return decorators.flatMap((one) => {
    const expression = to.tree.first(one);
    return expression === NONE
      ? []
      : [to.text.folded(to.tree.start(expression), to.tree.end(expression), LIMITS.signature.max)];
  });
}

/** The last name of what a decorator calls; empty for what is no path. */
function nameOf(to: Lowering, node: NodeId): string {
  const expression = to.tree.first(node);
  const callee = to.tree.kind(expression) === 'call' ? to.part(expression, 'function') : expression;
  return lastName(dottedPath(to, callee) ?? '');
}

const ABSTRACT = /^abstract(?:class|static)?(?:method|property)$/;

/** `def`, with its decorators. @param whole The node with those. */
export function functionAt(
  to: Lowering,
  node: NodeId,
  whole: NodeId = node,
  decorators: readonly NodeId[] = [],
): void {
  const { tree } = to;
  const name = to.part(node, 'name');
  const body = to.part(node, 'body');
  if (name === NONE || tree.start(name) === tree.end(name)) {
    to.inScope('function', node, () => to.visitChildren(body));
    return;
  }
  const list = to.part(node, 'parameters');
  const result = to.part(node, 'return_type');
  const start = tree.start(node);
  const names = decorators.map((one) => nameOf(to, one));
  const isMethod = to.scopes.current.kind === 'type';
  const text = tree.textOf(name);
  const isAbstract = names.some((one) => ABSTRACT.test(one));
  const isStatic = names.some((one) => one === 'staticmethod' || one === 'classmethod');
  const isAsync = /^async\b/.test(tree.text.slice(start, start + 6));
  const isStub =
    to.path.endsWith('.pyi') &&
    tree.children(body).every((one) => /^(?:ellipsis|string)$/.test(tree.kind(one)));
  const texts = textsOf(to, decorators);
  const index = to.define({
    kind: isMethod ? (text === '__init__' ? 'constructor' : 'method') : 'function',
    name,
    start: tree.start(whole),
    end: to.codeEnd(whole),
    headStart: start,
    headEnd: tree.end(result !== NONE ? result : list !== NONE ? list : name),
    docstring: docstringOf(to, body),
    decorators: texts,
    access: accessOf(to, text),
    isDeclaration: names.includes('overload') || isStub,
    flags:
      (isAbstract ? SYMBOL_FLAGS.abstract : 0) +
      (isStatic ? SYMBOL_FLAGS.static : 0) +
      (isAsync ? SYMBOL_FLAGS.async : 0),
  });
  defined(to, name, index);
  for (const one of decorators) decorator(to, one, index);
  const written = writtenParameters(to, list);
  facts(to, index, written);
  const made = to.definitions[index];
  if (made && result !== NONE) made.return_type = tree.textOf(result);
  inHead(to, node, index, () => {
    const types = written.map(({ type }) => to.ownedBy(index, () => to.type(type)));
    to.setSymbol(
      index,
      'type',
      to.ownedBy(index, () => to.type(result)),
    );
    const values = written.map(({ value }) => to.expression(value));
    to.inside(index, 'function', node, () => {
      const isBound = isMethod && !texts.includes('staticmethod');
      bindParameters(to, written, types, values, isBound, index);
      const fixtures = made !== undefined && takesFixtures(made);
      for (const [at, { target, value, flags }] of fixtures ? written.entries() : [])
        if (value === NONE && !(flags & BINDING_FLAGS.variadic) && !(at === 0 && isBound))
          to.refer({
            kind: 'read',
            name: target,
            whole: target,
            always: true,
            local: true,
            expression: to.addExpression({ kind: 'name', name: tree.textOf(target), at: tree.start(target) }),
          });
      inScopeOf(to, () => to.visitChildren(body));
    });
  });
}

/** Says that a definition takes place: it may be in a branch. */
function defined(to: Lowering, name: NodeId, index: number): void {
  const [at, end] = [to.tree.start(name), to.tree.end(name)];
  const target = to.addExpression({ kind: 'name', name: to.tree.textOf(name), at });
  const value = to.addExpression({ kind: 'symbol', at: index });
  to.flow({ kind: 'define', target, value, start: at, at: end });
}

/** Runs in a scope of its own for type parameters, where there are any: annotations are looked up in it. */
function inHead(to: Lowering, node: NodeId, owner: number, run: () => void): void {
  const list = to.part(node, 'type_parameters');
  if (list === NONE) run();
  else
    to.inScope('block', node, () => {
      bindTypeParameters(to, list);
      to.ownedBy(owner, () => annotation(to, list));
      run();
    });
}

/** `[T, U: Bound, *Ts, **P]`: the first name of each. */
export function bindTypeParameters(to: Lowering, list: NodeId): void {
  const { tree } = to;
  for (const one of tree.children(list)) {
    let name = one;
    while (name !== NONE && tree.kind(name) !== 'identifier') name = tree.first(name);
    if (name !== NONE) to.bind('type parameter', name, {});
  }
}

function facts(to: Lowering, index: number, written: readonly WrittenParameter[]): void {
  const { tree } = to;
  for (const { target, type, value, flags } of written)
    to.definitions[index]?.parameters.push({
      name: tree.textOf(target),
      type: type === NONE ? null : tree.textOf(type),
      optional: value !== NONE,
      rest: (flags & BINDING_FLAGS.variadic) !== 0,
    });
}

function bindParameters(
  to: Lowering,
  written: readonly WrittenParameter[],
  types: readonly number[],
  values: readonly number[],
  isBound: boolean,
  index: number,
): void {
  const { tree } = to;
  for (const [at, { target, type, value, flags }] of written.entries()) {
    const isPlain = tree.kind(target) === 'identifier';
    if (type !== NONE && isPlain)
      stateOf(to).seen?.typed.push({ node: type, target, scope: to.scopes.current });
    const isReceiver = at === 0 && isBound && !(flags & BINDING_FLAGS.variadic);
    for (const name of targetsOf(to, target))
      to.bind(isReceiver ? 'receiver' : 'parameter', name, { type: types[at] ?? -1, flags });
    if (flags & BINDING_FLAGS.variadic && index >= 0) to.addFlag(index, SYMBOL_FLAGS.variadic);
    if (value === NONE || !isPlain) continue;
    const name = to.addExpression({ kind: 'name', name: tree.textOf(target), at: tree.start(target) });
    to.flow({
      kind: 'default',
      target: name,
      value: values[at] ?? -1,
      start: tree.start(target),
      at: tree.end(target),
    });
  }
}

/** Runs in a body, whose statements define names of their own. */
function inScopeOf(to: Lowering, run: () => void): void {
  const state = stateOf(to);
  const around = state.known;
  state.known = [new Set()];
  run();
  state.known = around;
}

/** A list of statements inside of another one: it knows what that defines, not the other way round. */
export function block(to: Lowering, node: NodeId): void {
  const state = stateOf(to);
  const around = state.known;
  state.known = [...around, new Set()];
  to.visitChildren(node);
  state.known = around;
}

/** `class`, with its decorators. @param whole The node with those. */
export function classAt(
  to: Lowering,
  node: NodeId,
  whole: NodeId = node,
  decorators: readonly NodeId[] = [],
): void {
  const { tree } = to;
  const name = to.part(node, 'name');
  const list = to.part(node, 'superclasses');
  const parameters = to.part(node, 'type_parameters');
  const body = to.part(node, 'body');
  if (name === NONE || tree.start(name) === tree.end(name)) {
    to.inScope('type', node, () => to.visitChildren(body));
    return;
  }
  const text = tree.textOf(name);
  if (to.scopes.current.kind === 'file') stateOf(to).classes.add(text);
  const index = to.define({
    kind: 'class',
    name,
    start: tree.start(whole),
    end: to.codeEnd(whole),
    headStart: tree.start(node),
    headEnd: tree.end(list !== NONE ? list : parameters !== NONE ? parameters : name),
    docstring: docstringOf(to, body),
    decorators: textsOf(to, decorators),
    access: accessOf(to, text),
  });
  defined(to, name, index);
  for (const one of decorators) decorator(to, one, index);
  const members = new Set<string>();
  stateOf(to).members.set(index, members);
  collectMembers(to, body, members);
  inHead(to, node, index, () => {
    to.ownedBy(index, () => basesAt(to, list, index));
    const made = to.definitions[index];
    if (made)
      made.is_abstract = isAbstract(
        to,
        list,
        body,
        made.bases.map((one) => one.name),
      );
    if (made?.is_abstract) to.addFlag(index, SYMBOL_FLAGS.abstract);
    to.inside(index, 'type', node, () => inScopeOf(to, () => to.visitChildren(body)));
  });
}

/** The positional arguments of a class are its bases: facts of the class itself; what they are given is used here. */
function basesAt(to: Lowering, list: NodeId, index: number): void {
  const { tree } = to;
  for (const one of tree.children(list)) {
    const kind = tree.kind(one);
    const isBase = kind !== 'keyword_argument' && !kind.endsWith('_splat') && kind !== 'ERROR';
    const generic = kind === 'subscript' ? tree.first(one) : one;
    const path = dottedPath(to, generic);
    if (kind !== 'subscript' && path === null) to.visit(one);
    if (!isBase) continue;
    const name = path ?? to.text.folded(tree.start(generic), tree.end(generic), 120);
    to.addBase(index, typeOfBase(to, one), one, 'extends', name);
  }
}

function isAbstract(to: Lowering, list: NodeId, body: NodeId, bases: readonly string[]): boolean {
  const { tree } = to;
  if (bases.some((one) => lastName(one) === 'ABC')) return true;
  const isMeta = tree.children(list).some((one) => {
    if (tree.kind(one) !== 'keyword_argument' || tree.textOf(to.part(one, 'name')) !== 'metaclass')
      return false;
    return lastName(dottedPath(to, to.part(one, 'value')) ?? '') === 'ABCMeta';
  });
  return (
    isMeta ||
    tree
      .children(body)
      .some(
        (one) =>
          tree.kind(one) === 'decorated_definition' &&
          tree
            .children(one)
            .some((each) => tree.kind(each) === 'decorator' && ABSTRACT.test(nameOf(to, each))),
      )
  );
}

/** Kinds of node that hold statements of the same scope. */
const COMPOUND: ReadonlySet<string> = new Set(
  (
    'block if_statement elif_clause else_clause for_statement while_statement try_statement except_clause finally_clause ' +
    'with_statement match_statement case_clause ERROR'
  ).split(' '),
);

/** What the body of a class binds: `self.x = …` of such a name sets a member and defines no new one. */
function collectMembers(to: Lowering, node: NodeId, members: Set<string>): void {
  const { tree } = to;
  for (const one of tree.children(node)) {
    const kind = tree.kind(one);
    const inner = kind === 'decorated_definition' ? to.part(one, 'definition') : one;
    if (/^(?:function|class)_definition$/.test(tree.kind(inner)))
      members.add(tree.textOf(to.part(inner, 'name')));
    else if (kind === 'assignment') {
      for (let at = one; tree.kind(at) === 'assignment'; at = to.part(at, 'right'))
        for (const leaf of targetsOf(to, to.part(at, 'left')))
          if (tree.kind(leaf) === 'identifier') members.add(tree.textOf(leaf));
    } else if (COMPOUND.has(kind)) collectMembers(to, one, members);
  }
}

/** An assignment as far as definitions need it. */
export interface Assigned {
  readonly whole: NodeId;
  readonly type: NodeId;
  readonly value: NodeId;
  /** Whether the leaf is all of the target. */
  readonly isSingle: boolean;
}

/** `f = lambda: 0`. A chain of such is one body: it belongs to the first name. */
export function defineLambda(to: Lowering, target: NodeId, { whole, type, value }: Assigned): void {
  const { tree } = to;
  const lambda = unwrapped(to, value);
  const list = to.part(lambda, 'parameters');
  const text = tree.textOf(target);
  const index = to.define({
    kind: to.scopes.current.kind === 'type' ? 'method' : 'function',
    name: target,
    start: tree.start(whole),
    end: to.codeEnd(whole),
    headEnd: list === NONE ? tree.start(lambda) + 'lambda'.length : tree.end(list),
    docstring: null,
    access: accessOf(to, text),
    valueType: type === NONE ? null : tree.textOf(type),
  });
  facts(to, index, writtenParameters(to, list));
  const made = to.definitions[index];
  if (made) made.branch = undefined;
  const { lambdas } = stateOf(to);
  if (!lambdas.has(lambda)) lambdas.set(lambda, index);
}

/** Defines what a leaf of a target is: a variable of the module or class, an attribute of `self`. @returns whether it did. */
export function defineTarget(to: Lowering, leaf: NodeId, assigned: Assigned): boolean {
  const { tree } = to;
  const state = stateOf(to);
  const { kind } = to.scopes.current;
  if (tree.kind(leaf) === 'identifier') {
    if (kind === 'function') return false;
    const name = tree.textOf(leaf);
    if (name === '' || state.known.some((one) => one.has(name))) return false;
    state.known.at(-1)?.add(name);
    if (assigned.type !== NONE && /(^|\.)TypeAlias$/.test(tree.textOf(assigned.type)))
      defineType(to, leaf, assigned.whole);
    else defineVariable(to, leaf, assigned, kind === 'type' ? 'field' : 'variable');
    return true;
  }
  return tree.kind(leaf) === 'attribute' && kind === 'function' && defineAttribute(to, leaf, assigned, state);
}

function defineAttribute(to: Lowering, leaf: NodeId, assigned: Assigned, { members }: State): boolean {
  const { tree } = to;
  const [object, name] = [to.part(leaf, 'object'), to.part(leaf, 'attribute')];
  if (tree.kind(object) !== 'identifier' || tree.kind(name) !== 'identifier') return false;
  const found = to.scopes.find(tree.textOf(object));
  if (found?.known !== 'receiver') return false;
  const owner = to.definitions[found.scope.symbol]?.parent ?? -1;
  const known = members.get(owner);
  const attribute = tree.textOf(name);
  if (!known || known.has(attribute)) return false;
  known.add(attribute);
  let scope = found.scope.parent;
  while (scope && scope.kind !== 'type') scope = scope.parent;
  to.ownedBy(owner, () => defineVariable(to, name, assigned, 'field', scope?.row));
  return true;
}

/** `X: TypeAlias = …`, `type X = …` */
export function defineType(to: Lowering, name: NodeId, whole: NodeId): void {
  const { tree } = to;
  const text = tree.textOf(name);
  to.define({
    kind: 'type',
    name,
    start: tree.start(whole),
    end: to.codeEnd(whole),
    headEnd: tree.end(whole),
    docstring: null,
    flags: SYMBOL_FLAGS.alias,
    access: accessOf(to, text),
  });
}

/** @param scope The scope of the class whose methods assign it. */
function defineVariable(
  to: Lowering,
  name: NodeId,
  { whole, type, value, isSingle }: Assigned,
  kind: 'variable' | 'field',
  scope?: number,
): void {
  const { tree } = to;
  const text = tree.textOf(name);
  const annotated = type !== NONE && isSingle ? tree.textOf(type) : null;
  to.define({
    kind,
    name,
    start: tree.start(whole),
    end: to.codeEnd(whole),
    headEnd: tree.end(whole),
    docstring: null,
    access: accessOf(to, text),
    valueType: annotated ?? (isSingle ? constructed(to, value) : null),
    isConstant: isUpperCase(text) || /^([\w.]*\.)?Final\b/.test(annotated ?? ''),
    ...(scope === undefined ? {} : { scope, flags: SYMBOL_FLAGS.assigned }),
  });
}

/** The class that a bare constructor call names; null for any other value. */
function constructed(to: Lowering, value: NodeId): string | null {
  const call = unwrapped(to, value);
  const callee = to.tree.kind(call) === 'call' ? dottedPath(to, to.part(call, 'function')) : null;
  if (callee === null || looksLikeClass(lastName(callee))) return callee;
  return stateOf(to).classes.has(callee) ? callee : null;
}

/** `lambda`: of a name its function, else one without a name. @returns the row of the expression. */
export function lambdaAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const written = writtenParameters(to, to.part(node, 'parameters'));
  const values = written.map(({ value }) => to.expression(value));
  const isBound = to.scopes.current.kind === 'type';
  const body = to.part(node, 'body');
  const start = tree.start(node);
  const named = stateOf(to).lambdas.get(node);
  if (named !== undefined) {
    to.inside(named, 'function', node, () => {
      bindParameters(to, written, [], values, isBound, named);
      const value = to.expression(body);
      if (body !== NONE) to.flow({ kind: 'return', target: -1, value, start, at: tree.end(body) });
    });
    return to.addExpression({ kind: 'symbol', at: named });
  }
  return to.inScope('function', node, () => {
    const scope = to.scope;
    bindParameters(
      to,
      written.map((one) => ({ ...one, value: NONE })),
      [],
      [],
      isBound,
      -1,
    );
    for (const { target } of written)
      for (const name of targetsOf(to, target)) {
        // Its parameters are its own, whatever the function around it calls so.
        const row = to.addExpression({ kind: 'name', name: tree.textOf(name), at: tree.start(name) });
        const within = to.extent(start, tree.end(node));
        to.flow({ kind: 'assign', target: row, value: -1, start, at: tree.end(name), within });
      }
    const value = to.expression(body);
    return to.addExpression({ kind: 'function', scope, parts: value < 0 ? [] : [value], at: start });
  });
}
