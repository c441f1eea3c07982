import { SYMBOL_FLAGS } from '../../ir/index.js';
import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { GONE, nil, statements } from './control.js';
import { docAbove, documentedType, NO_DOC } from './docs.js';
import { accessors, defineMember, extendIncluders } from './members.js';
import { argumentsIn, closeFields, fileOf, isConstant, PUBLIC, type RubyType } from './state.js';

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
    const type: RubyType = {
      definition,
      scope,
      access: 'public',
      fields: new Map(),
      methods: new Map(),
      mixins: [],
    };
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
  const headEnd = tree.end(parameters === NONE ? name : parameters);
  const definition = defineMember(to, { name, called: text, whole: node, headEnd, isStatic });
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

/** Runs where what methods are called on is not known. */
function otherSelf<T>(to: Lowering, run: () => T): T {
  const file = fileOf(to);
  const { self } = file;
  file.self = 'other';
  const made = run();
  file.self = self;
  return made;
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
