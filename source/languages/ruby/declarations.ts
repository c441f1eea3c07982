import { SYMBOL_FLAGS } from '../../ir/index.js';
import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { GONE, nil, statements } from './control.js';
import { docAbove, documentedType, NO_DOC } from './docs.js';
import {
  argumentsIn,
  closeFields,
  fileOf,
  isConstant,
  PUBLIC,
  type RubyType,
  selfRow,
  valueType,
  writtenName,
} from './state.js';

/** `class A::B < C`, `module M` */
export function typeAt(to: Lowering, node: NodeId): void {
  const base = to.part(to.part(node, 'superclass'), '#0');
  defineType(to, node, {
    name: to.part(node, 'name'),
    base,
    body: to.part(node, 'body'),
    headEnd: to.tree.end(base === NONE ? to.part(node, 'name') : base),
    isMixin: to.tree.kind(node) === 'module',
  });
}

interface TypeParts {
  readonly name: NodeId;
  /** What it is called, where that is not written. */
  readonly called?: string;
  /** What it derives from: a constant, or a call that makes a class. */
  readonly base: NodeId;
  readonly body: NodeId;
  readonly headEnd: number;
  readonly isMixin: boolean;
}

/** Defines a class or module. */
export function defineType(
  to: Lowering,
  node: NodeId,
  { name, called, base, body, headEnd, isMixin }: TypeParts,
): void {
  const { tree } = to;
  const file = fileOf(to);
  const [start, end] = [tree.start(node), tree.end(node)];
  // `class A::B` is found under both names, and sees none of what A has.
  const last = tree.kind(name) === 'scope_resolution' ? to.part(name, 'name') : name;
  const written = called ?? tree.textOf(name).replace(/^::|\s/g, '');
  const around = to.owner === null ? '' : `${to.definitions[to.owner]?.qualname ?? ''}.`;
  const path = written.split('::').slice(0, -1).join('.');
  const definition = to.define({
    kind: 'class',
    ...{ name: last, start, end, headEnd, access: PUBLIC, found: written },
    ...(called !== undefined && { called }),
    ...(isMixin && { subkind: 'trait' as const, flags: SYMBOL_FLAGS.mixin }),
    ...(path !== '' && { owner: around + path }),
  });
  if (path !== '') to.scopes.note(written, 'symbol', definition);
  const outer = { ...file };
  to.inside(definition, 'type', node, () => {
    const { current: scope } = to.scopes;
    const type: RubyType = { definition, scope, access: 'public', fields: new Map(), mixins: [] };
    Object.assign(file, { type, method: null, self: 'around', isStatic: false, doc: NO_DOC });
    file.locals.inFunction(() => {
      accessors(to, base, definition);
      if (body !== NONE) statements(to, body);
    });
    addBases(to, type, base);
    closeFields(to, type, end);
  });
  Object.assign(file, outer);
}

/** Mixins come before what a class derives from, the last one first. */
function addBases(to: Lowering, { definition, mixins }: RubyType, base: NodeId): void {
  for (const { type, node } of [...mixins].reverse())
    to.addBase(definition, type, node, 'extends', isConstant(to, node) ? undefined : 'ClassMethods');
  const made = isConstant(to, base) ? base : to.part(base, 'receiver');
  if (!isConstant(to, made)) {
    if (base !== NONE) to.expression(base);
    return;
  }
  const around = to.scopes.current.parent ?? to.scopes.current;
  // What a class derives from is looked up around it.
  to.addBase(
    definition,
    to.scopes.within(around, () => to.type(made)),
    made,
    'extends',
  );
  if (made !== base) for (const one of argumentsIn(to, base)) to.visit(one);
}

/** `Struct.new(:a, :b)`, `Data.define(:a)`: what it is made with it has methods for. */
function accessors(to: Lowering, made: NodeId, definition: number): void {
  const { tree } = to;
  if (tree.kind(made) !== 'call' || !/^(?:Struct|Data)$/.test(tree.textOf(to.part(made, 'receiver')))) return;
  const writes = tree.textOf(to.part(made, 'receiver')) === 'Struct';
  to.ownedBy(definition, () => {
    for (const one of argumentsIn(to, made))
      if (writtenName(to, one) !== '') accessor(to, one, made, true, writes);
  });
}

/** What a constant is given that is a class: `Struct.new`, `Class.new(Base) do … end`. @returns whether it is one. */
export function constantType(to: Lowering, node: NodeId): boolean {
  const { tree } = to;
  const [name, value] = [to.part(node, 'left'), to.part(node, 'right')];
  if (tree.kind(value) !== 'call') return false;
  const made = `${tree.textOf(to.part(value, 'receiver'))}.${tree.textOf(to.part(value, 'method'))}`;
  if (!/^(?:Struct\.new|Data\.define|Class\.new|Module\.new)$/.test(made)) return false;
  const given = argumentsIn(to, value);
  const block = to.part(value, 'block');
  const base = made === 'Class.new' ? (given[0] ?? NONE) : made === 'Module.new' ? NONE : value;
  defineType(to, node, {
    name,
    base,
    body: to.part(block, 'body'),
    headEnd: tree.end(block === NONE ? value : to.part(value, 'arguments')),
    isMixin: made === 'Module.new',
  });
  return true;
}

/** `class << self`: what is defined there others see as members of the type itself. */
export function singletonClass(to: Lowering, node: NodeId): void {
  const file = fileOf(to);
  const outer = { ...file };
  const { type } = file;
  const isSelf = to.tree.textOf(to.part(node, 'value')) === 'self' && type !== null && file.method === null;
  if (type && isSelf) file.type = { ...type, access: 'public' };
  file.isStatic = true;
  file.self = isSelf ? 'around' : 'other';
  const run = () => file.locals.inFunction(() => statements(to, to.part(node, 'body')));
  if (isSelf) run();
  else to.inScope('function', node, run);
  Object.assign(file, outer);
}

/** `def x`, `def self.x` */
export function methodAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const file = fileOf(to);
  const object = to.part(node, 'object');
  const of = tree.textOf(object);
  const own = file.type ? to.definitions[file.type.definition]?.name : undefined;
  const isStatic = file.isStatic || (object !== NONE && (of === 'self' || of === own));
  if (object !== NONE && of !== 'self' && of !== own) {
    // A method of one object alone.
    otherSelf(to, () => to.inScope('function', node, () => to.visit(to.part(node, 'body'))));
    return symbolName(to, node);
  }
  const name = to.part(node, 'name');
  defineMethod(to, node, {
    name,
    parameters: to.part(node, 'parameters'),
    body: to.part(node, 'body'),
    isStatic,
  });
  return symbolName(to, node);
}

/** What a definition gives is its name. */
function symbolName(to: Lowering, node: NodeId): number {
  return to.addExpression({ kind: 'literal', name: 'symbol', at: to.tree.start(node) });
}

interface MethodParts {
  readonly name: NodeId;
  readonly called?: string;
  readonly parameters: NodeId;
  readonly body: NodeId;
  readonly isStatic: boolean;
}

/** Defines a method. */
export function defineMethod(
  to: Lowering,
  node: NodeId,
  { name, called, parameters, body, isStatic }: MethodParts,
): void {
  const { tree } = to;
  const file = fileOf(to);
  const isIn = file.type !== null && to.isMember;
  const text = called ?? tree.textOf(name).replace(/\s/g, '');
  const isHook = /^(?:initialize|initialize_copy|respond_to_missing\?)$/.test(text);
  const access = isIn && !(isStatic && !file.isStatic) ? memberAccess(to) : PUBLIC;
  const definition = to.define({
    kind: isIn ? 'method' : 'function',
    ...{ name, called: text, start: tree.start(node), end: tree.end(node) },
    headEnd: tree.end(parameters === NONE ? name : parameters),
    access: isHook && isIn ? { exported: false, visibility: 'private' } : access,
    flags: isStatic ? SYMBOL_FLAGS.static : 0,
  });
  const outer = { ...file };
  const doc = docAbove(to, node);
  to.setSymbol(definition, 'type', documentedType(to, doc.returns, tree.start(node)));
  Object.assign(file, { doc, method: text, isStatic, self: isIn ? 'around' : file.self });
  file.locals.inFunction(() =>
    to.inside(definition, 'function', node, () => {
      to.parameters(parameters, definition);
      const value = body === NONE ? nil(to) : bodyValue(to, body);
      if (value !== GONE) to.addReturn(value);
    }),
  );
  Object.assign(file, outer);
  if (isIn && file.type) deriveIncluders(to, text, body, file.type);
}

function memberAccess(to: Lowering) {
  const { type } = fileOf(to);
  return !type || type.access === 'public' ? PUBLIC : ({ exported: false, visibility: type.access } as const);
}

function bodyValue(to: Lowering, body: NodeId): number {
  const kind = to.tree.kind(body);
  return kind === 'body_statement' || kind === 'block_body' ? statements(to, body) : to.expression(body);
}

/** `def self.included(base) base.extend(ClassMethods) end`: what includes the module is extended by another one. */
function deriveIncluders(to: Lowering, name: string, body: NodeId, type: RubyType): void {
  if (name !== 'included' || body === NONE) return;
  const found = /\.extend[\s(]+((?:\w+::)*ClassMethods)\b/.exec(to.tree.textOf(body));
  if (found) extendIncluders(to, type, body);
}

/** Says that what includes a module has what its module `ClassMethods` has as a value. */
export function extendIncluders(to: Lowering, type: RubyType, node: NodeId): void {
  const at = to.tree.start(node);
  const methods = to.scopes.within(type.scope, () => to.addType({ kind: 'name', name: 'ClassMethods', at }));
  type.mixins.push({ type: valueType(to, valueType(to, methods, at), at), node });
}

/** Runs where what methods are called on is not known. */
export function otherSelf<T>(to: Lowering, run: () => T): T {
  const file = fileOf(to);
  const { self } = file;
  file.self = 'other';
  const made = run();
  file.self = self;
  return made;
}

/** The object itself, whose member a name is. */
export function ofSelf(to: Lowering, name: string, node: NodeId): number {
  const at = to.tree.start(node);
  const base = selfRow(to, at);
  return to.addExpression({ kind: 'member', name, base, at, nameNode: node });
}

/** Methods for an instance variable, which is assigned elsewhere. */
function accessor(to: Lowering, node: NodeId, whole: NodeId, reads: boolean, writes: boolean): void {
  const { tree } = to;
  const name = writtenName(to, node);
  const file = fileOf(to);
  const place = {
    name: node,
    start: tree.start(node),
    end: tree.end(node),
    headStart: tree.start(whole),
    headEnd: tree.end(to.part(whole, 'arguments')),
  };
  const access = file.type && to.owner === file.type.definition ? memberAccess(to) : PUBLIC;
  const flags = file.isStatic ? SYMBOL_FLAGS.static : 0;
  const made: [string, boolean][] = [
    [name, reads],
    [`${name}=`, writes],
  ];
  for (const [called, isMade] of made) {
    if (!isMade) continue;
    const definition = to.define({ kind: 'method', ...place, called, access, flags });
    to.setSymbol(definition, 'type', documentedType(to, file.doc.returns, tree.start(node)));
    to.inside(definition, 'function', node, () => to.addReturn(ofSelf(to, `@${name}`, node)));
  }
}

/** `attr_reader :a, :b` and its like. */
export function attributes(to: Lowering, node: NodeId): void {
  const word = to.tree.textOf(to.part(node, 'method'));
  fileOf(to).doc = docAbove(to, node);
  for (const one of argumentsIn(to, node))
    if (writtenName(to, one) === '') to.visit(one);
    else accessor(to, one, node, word !== 'attr_writer', /writer|accessor/.test(word));
}

/** `alias a b`, `alias_method :a, :b`: another name for a method. */
export function alias(to: Lowering, node: NodeId, name: NodeId, of: NodeId): void {
  const { tree } = to;
  const [called, original] = [name, of].map((one) => tree.textOf(one).replace(/^:|["']/g, ''));
  if (!called || !original) return;
  const file = fileOf(to);
  const isIn = file.type !== null && to.isMember;
  const definition = to.define({
    kind: isIn ? 'method' : 'function',
    ...{
      name,
      called,
      start: tree.start(node),
      end: tree.end(node),
      access: isIn ? memberAccess(to) : PUBLIC,
    },
    flags: file.isStatic ? SYMBOL_FLAGS.static : 0,
  });
  to.inside(definition, 'function', node, () => {
    const member = ofSelf(to, original, of);
    to.refer({
      kind: 'pass',
      name: of,
      whole: node,
      expression: to.addExpression({ kind: 'function', base: member, at: tree.start(of) }),
    });
    to.addReturn(to.addExpression({ kind: 'call', base: member, at: tree.start(of) }));
  });
}

/** `def_delegators :@a, :b, :c`, `def_delegator :a, :b, :as`, `delegate :b, to: :a`: methods that call those of another object. */
export function delegators(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const word = tree.textOf(to.part(node, 'method'));
  const given = argumentsIn(to, node);
  const [first = NONE, ...rest] = given;
  const to_ = given.find(
    (one) => tree.kind(one) === 'pair' && /^to:?$/.test(tree.textOf(to.part(one, 'key'))),
  );
  const target = word === 'delegate' ? to.part(to_ ?? NONE, 'value') : first;
  const path = /^:?["']?(@{0,2}[a-z_]\w*)["']?$/.exec(tree.textOf(target))?.[1];
  if (path === undefined) {
    for (const one of given) to.visit(one);
    return;
  }
  const names = word === 'delegate' ? given.filter((one) => one !== to_) : rest;
  const isSingle = word.endsWith('delegator');
  for (const one of isSingle ? names.slice(-1) : names) {
    const called = writtenName(to, one);
    if (called === '') continue;
    const original = isSingle ? writtenName(to, names[0] ?? NONE) : called;
    const definition = to.define({
      kind: 'method',
      ...{ name: one, called, start: tree.start(one), end: tree.end(one), access: memberAccess(to) },
      ...{ headStart: tree.start(node), headEnd: tree.end(node) },
    });
    to.inside(definition, 'function', one, () => {
      const at = tree.start(one);
      const holder = ofSelf(to, path, one);
      const base = path.startsWith('@') ? holder : to.addExpression({ kind: 'call', base: holder, at });
      const member = to.addExpression({ kind: 'member', name: original, base, at, nameNode: one });
      const row = to.addExpression({ kind: 'call', base: member, at });
      to.refer({ kind: 'call', name: one, whole: one, receiver: target, receiverRow: base, expression: row });
      to.addReturn(row);
    });
  }
}

/** `include A`, `prepend B`, `extend C`: what a type derives from, or what it is extended by as a value. */
export function mixins(to: Lowering, node: NodeId, type: RubyType): void {
  const { tree } = to;
  const word = tree.textOf(to.part(node, 'method'));
  const file = fileOf(to);
  const isOfValue = (word === 'extend') !== file.isStatic;
  for (const one of argumentsIn(to, node)) {
    const at = tree.start(one);
    const isSelf = tree.textOf(one) === 'self';
    if (!isConstant(to, one) && !isSelf) {
      to.visit(one);
      continue;
    }
    const row = isSelf ? to.addType({ kind: 'this', at }) : to.type(one);
    type.mixins.push({ type: isOfValue ? valueType(to, row, at) : row, node: one });
    if (isOfValue && tree.textOf(one).endsWith('ActiveSupport::Concern')) extendIncluders(to, type, one);
  }
}

/** `A = value` in a type or file. */
export function constantAt(to: Lowering, node: NodeId, name: NodeId, given: () => number): number {
  const { tree } = to;
  const file = fileOf(to);
  if (file.method !== null || to.inFunction) {
    const value = given();
    return value;
  }
  const isLong = to.text.line(tree.start(node)) !== to.text.line(tree.end(node));
  const definition = to.define({
    kind: 'constant',
    ...{ name, start: tree.start(node), end: tree.end(node), isConstant: true, access: PUBLIC },
    ...(isLong && { headEnd: tree.end(name) }),
  });
  const value = to.ownedBy(definition, given);
  to.setSymbol(definition, 'value', value);
  return value;
}
