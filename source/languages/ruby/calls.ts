import { argumentsOf, callOf, type Lowering, NONE, type NodeId, type Use } from '../../lower/index.js';
import { GONE, statements } from './control.js';
import { defineMethod, defineType } from './declarations.js';
import { NO_DOC } from './docs.js';
import { alias, attributes, delegators, extendIncluders, mixins, ofSelf } from './members.js';
import { argumentsIn, fileOf, isLocal, restrict, selfRow, writtenName } from './state.js';

/** A bare name: a local, or a call without arguments. */
export function identifier(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const file = fileOf(to);
  const name = tree.textOf(node);
  const at = tree.start(node);
  if (isLocal(to, name))
    return narrowed(to, node, to.addExpression({ kind: 'name', name, at, nameNode: node }), use);
  if (use === 'write') return to.unknown;
  if (/^(?:private|public|protected|module_function)$/.test(name) && file.type && file.method === null) {
    restrictAll(to, name);
    return to.unknown;
  }
  if (/^(?:_\d|it)$/.test(name) || IGNORED.has(name)) return to.unknown;
  return callOf(to, node, { base: bareCallee(to, node), name: node, receiver: NONE, given: [] });
}

/** Words that are called like functions, and lead nowhere. */
const IGNORED = new Set([
  'block_given?',
  '__method__',
  '__dir__',
  'binding',
  'raise',
  'loop',
  'lambda',
  'proc',
]);

function restrictAll(to: Lowering, word: string): void {
  const { type } = fileOf(to);
  if (!type) return;
  if (word === 'module_function') {
    // Its methods are those of the module as a value, too.
    type.mixins.push({ type: extendedBySelf(to, type.scope.start), node: 0 });
    return;
  }
  type.access = word as 'public' | 'protected' | 'private';
}

function extendedBySelf(to: Lowering, at: number): number {
  const base = to.addType({ kind: 'package', name: 'ruby', at });
  return to.addType({ kind: 'name', name: 'Class', base, parts: [to.addType({ kind: 'this', at })], at });
}

/** A place as what conditions around it say that it is. */
export function narrowed(to: Lowering, node: NodeId, row: number, use: Use): number {
  const type = use === 'write' ? undefined : fileOf(to).locals.narrowed(to.tree.textOf(node));
  if (type === undefined) return row;
  const { name, of } = to.writtenAt(row);
  return to.addExpression({
    ...{ kind: 'convert', base: row, type, at: to.tree.start(node) },
    ...{ nameNode: name, ofNode: of },
  });
}

/** What is called without a receiver: unknown where that is not the object itself. */
function bareCallee(to: Lowering, name: NodeId): number {
  const text = to.tree.textOf(name);
  const at = to.tree.start(name);
  if (fileOf(to).self !== 'around')
    return to.addExpression({ kind: 'member', name: text, base: selfRow(to, at), at, nameNode: name });
  return to.addExpression({ kind: 'name', name: text, at, nameNode: name });
}

/** `a.b(…) do … end`, `f x`, `A::b`, `f.(x)` */
export function callAt(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const method = to.part(node, 'method');
  const receiver = to.part(node, 'receiver');
  const given = argumentsIn(to, node);
  const block = to.part(node, 'block');
  if (block !== NONE) given.push(block);
  if (tree.kind(method) === 'super') return superAt(to, method, given);
  if (receiver === NONE) {
    const made = wordAt(to, node, tree.textOf(method), given);
    if (made !== null) return made;
    return inBlockOf(to, node, () =>
      callOf(to, node, { base: bareCallee(to, method), name: method, receiver: NONE, given }),
    );
  }
  const base = to.expression(receiver, 'path');
  if (method === NONE) {
    argumentsOf(to, given);
    return to.unknown;
  }
  const text = tree.textOf(method);
  const name = use === 'write' ? `${text}=` : text;
  const member = to.addExpression({
    ...{ kind: 'member', name, base, at: tree.start(method) },
    ...{ nameNode: method, ofNode: receiver },
  });
  const row = inBlockOf(to, node, () => callOf(to, node, { base: member, name: method, receiver, given }));
  return given.length === 0 ? narrowed(to, node, row, use) : row;
}

/** Calls whose blocks are run on something that is not known. */
const ELSEWHERE = /^(?:(?:instance|class|module)_(?:eval|exec)|new|define_method|included|class_methods)$/;

/** Types of the library that run the blocks that they are made with as they stand. */
const PLAIN = /^(?:::)?(?:Thread|Proc|Hash|Array|Enumerator(?:::Lazy)?|Fiber|Ractor|Set)$/;

/** Calls in the bodies of types whose blocks are run on an instance: of tests, of routes, of what frameworks call back. */
const ON_INSTANCE =
  /^(?:it|test|should|specify|example|scenario|setup|teardown|let!?|subject|get|post|put|patch|delete|head|options|link|unlink|error|not_found|helpers|validate|(?:before|after|around)(?:_\w+)?)$/;

/** Runs for a call, whose block may be run on something else: in the body of a type nobody knows on what. */
function inBlockOf(to: Lowering, node: NodeId, run: () => number): number {
  const file = fileOf(to);
  const block = to.part(node, 'block');
  if (block === NONE) return run();
  const word = to.tree.textOf(to.part(node, 'method'));
  const isInBody = file.method === null && file.type !== null && to.part(node, 'receiver') === NONE;
  if (isInBody) file.others.set(block, ON_INSTANCE.test(word) ? 'instance' : 'other');
  else if (ELSEWHERE.test(word) && !PLAIN.test(to.tree.textOf(to.part(node, 'receiver'))))
    file.others.set(block, 'other');
  return run();
}

/** A block: what it does belongs to the method around it, and it assigns the locals of that. */
export function blockAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const file = fileOf(to);
  const self = file.others.get(node) ?? file.self;
  let row = to.unknown;
  const outer = { ...file };
  const run = () =>
    to.inScope('function', node, () => {
      const { scope } = to;
      Object.assign(file, { self, doc: NO_DOC });
      to.parameters(to.part(node, 'parameters'), null);
      const body =
        tree.kind(node) === 'lambda' ? to.part(to.part(node, 'body'), 'body') : to.part(node, 'body');
      const value = body === NONE ? GONE : statements(to, body);
      const parts = value === GONE ? [] : [value];
      row = to.addExpression({ kind: 'function', scope, parts, at: tree.start(node) });
    });
  file.locals.branches([{ node, run }], false, tree.end(node));
  Object.assign(file, outer);
  return row;
}

/** `super`, `super(…)`: the method of the same name behind the type. */
export function superAt(to: Lowering, node: NodeId, given: readonly NodeId[] = []): number {
  const { method } = fileOf(to);
  const at = to.tree.start(node);
  if (method === null) {
    argumentsOf(to, given);
    return to.unknown;
  }
  const base = to.addExpression({ kind: 'super', at });
  const member = to.addExpression({ kind: 'member', name: method, base, at, nameNode: node });
  return callOf(to, node, { base: member, name: node, receiver: NONE, given });
}

/** What words without a receiver mean that are no calls of the program. @returns null for all others. */
function wordAt(to: Lowering, node: NodeId, word: string, given: readonly NodeId[]): number | null {
  const { tree } = to;
  const file = fileOf(to);
  const { type } = file;
  const [first = NONE, second = NONE] = given;
  switch (word) {
    case 'require':
    case 'require_relative':
    case 'load':
    case 'autoload': {
      const path = textIn(to, word === 'autoload' ? second : first);
      if (path === '') break;
      const module = word === 'require_relative' ? `./${path}` : path;
      to.import({ node, module, names: [] });
      return to.unknown;
    }
    case 'raise':
    case 'lambda':
    case 'proc':
    case 'loop':
      argumentsOf(to, given);
      return word === 'raise' ? GONE : to.unknown;
    case 'let':
    case 'let!':
    case 'subject': {
      const block = to.part(node, 'block');
      const name = writtenName(to, first) || (first === block ? word : '');
      if (block === NONE || name === '' || !to.inFunction) break;
      // RSpec has a method of that name for the tests around it.
      const at = first === block ? to.part(node, 'method') : first;
      const parts = { parameters: NONE, body: to.part(block, 'body'), isStatic: false };
      defineMethod(to, node, { name: at, called: name, ...parts });
      return to.unknown;
    }
    case 'method':
      if (writtenName(to, first) !== '') return named(to, first, ofSelf(to, writtenName(to, first), first));
      break;
  }
  if (!type || file.method !== null) return null;
  switch (word) {
    case 'attr_reader':
    case 'attr_writer':
    case 'attr_accessor':
      attributes(to, node);
      return to.unknown;
    case 'include':
    case 'extend':
    case 'prepend':
      mixins(to, node, type);
      return to.unknown;
    case 'private':
    case 'protected':
    case 'public':
    case 'private_class_method':
    case 'module_function': {
      argumentsOf(to, given);
      const names = given.flatMap((one) => namesOf(to, one));
      if (word === 'module_function') {
        restrictAll(to, word);
        return to.unknown;
      }
      const isStatic = file.isStatic || word === 'private_class_method';
      restrict(to, type, word === 'private_class_method' ? 'private' : word, names, isStatic);
      return to.unknown;
    }
    case 'alias_method':
      if (writtenName(to, first) === '' || tree.kind(second) !== 'simple_symbol') return null;
      alias(to, node, first, second);
      return to.unknown;
    case 'def_delegators':
    case 'def_delegator':
    case 'def_instance_delegator':
    case 'def_instance_delegators':
    case 'delegate':
      delegators(to, node);
      return to.unknown;
    case 'define_method': {
      const block = to.part(node, 'block');
      const name = writtenName(to, first);
      if (name === '' || block === NONE) return null;
      const parts = { parameters: to.part(block, 'parameters'), body: to.part(block, 'body') };
      defineMethod(to, node, { name: first, called: name, ...parts, isStatic: file.isStatic });
      return to.unknown;
    }
    case 'class_methods': {
      const block = to.part(node, 'block');
      const name = to.part(node, 'method');
      const body = to.part(block, 'body');
      defineType(to, node, {
        name,
        called: 'ClassMethods',
        base: NONE,
        body,
        headEnd: tree.end(name),
        isMixin: true,
      });
      extendIncluders(to, type, node);
      return to.unknown;
    }
    default:
      return null;
  }
}

/** The names of methods that an argument of `private` and its like is about. */
function namesOf(to: Lowering, node: NodeId): string[] {
  const { tree } = to;
  const kind = tree.kind(node);
  if (kind === 'method' || kind === 'singleton_method') return [tree.textOf(to.part(node, 'name'))];
  if (kind === 'call') return argumentsIn(to, node).flatMap((one) => namesOf(to, one));
  return writtenName(to, node) === '' ? [] : [writtenName(to, node)];
}

/** What a text says that nothing is put into; empty for anything else. */
export function textIn(to: Lowering, node: NodeId): string {
  const { tree } = to;
  if (tree.kind(node) !== 'string') return '';
  return /^(["'])([^"'#\\]*)\1$/.exec(tree.textOf(node))?.[2] ?? '';
}

/** A method that is given by its name. */
function named(to: Lowering, node: NodeId, member: number): number {
  const row = to.addExpression({ kind: 'function', base: member, at: to.tree.start(node) });
  const name = { start: to.tree.start(node) + 1, end: to.tree.end(node) };
  to.refer({ kind: 'pass', name, whole: node, expression: row });
  return row;
}

/** `&:name`: what the block is given is called; `&block`. */
export function blockArgument(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const inner = tree.first(node);
  const name = tree.kind(inner) === 'simple_symbol' ? writtenName(to, inner) : '';
  if (name === '') return to.expression(inner, 'pass');
  return to.inScope('function', node, () => {
    const at = tree.start(inner);
    to.bind('parameter', inner, {});
    const base = to.addExpression({ kind: 'name', name: tree.textOf(inner), at });
    const member = to.addExpression({ kind: 'member', name, base, at, nameNode: inner });
    const row = to.addExpression({ kind: 'call', base: member, at });
    const written = { start: at + 1, end: tree.end(inner) };
    to.refer({
      kind: 'call',
      name: written,
      whole: node,
      receiver: node,
      receiverRow: base,
      expression: row,
    });
    return to.addExpression({ kind: 'function', scope: to.scope, parts: [row], at });
  });
}
