import { SYMBOL_FLAGS } from '../../ir/index.js';
import { type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { docAbove, documentedType } from './docs.js';
import {
  argumentsIn,
  fileOf,
  isConstant,
  PUBLIC,
  type RubyType,
  selfRow,
  valueType,
  writtenName,
} from './state.js';

interface MemberParts {
  readonly name: NodeId;
  readonly called: string;
  readonly whole: NodeId;
  readonly headStart?: number;
  readonly headEnd: number;
  /** Default: what is around it. */
  readonly isStatic?: boolean;
}

/** Methods that are private whatever is said. */
const HOOKS = /^(?:initialize|initialize_copy|respond_to_missing\?)$/;

/** What a block defines is seen in it alone. */
const OF_BLOCK = { exported: false, visibility: 'private' } as const;

/** Defines a method of the type around, or a function where there is none. */
export function defineMember(
  to: Lowering,
  { name, called, whole, isStatic: isOwn, ...head }: MemberParts,
): number {
  const { type, isStatic: isAround } = fileOf(to);
  const isIn = type !== null && to.isMember;
  const isStatic = isOwn ?? isAround;
  // `private` says nothing of `def self.x`.
  const access = !isIn || (isStatic && !isAround) ? 'public' : HOOKS.test(called) ? 'private' : type.access;
  const definition = to.define({
    kind: isIn ? 'method' : 'function',
    ...{ name, called, ...head, start: to.tree.start(whole), end: to.tree.end(whole) },
    access:
      !isIn && to.inFunction
        ? OF_BLOCK
        : access === 'public'
          ? PUBLIC
          : { exported: false, visibility: access },
    flags: isStatic ? SYMBOL_FLAGS.static : 0,
  });
  if (isIn) type.methods.set(isStatic ? `.${called}` : called, definition);
  return definition;
}

/** The object itself, whose member a name is. */
export function ofSelf(to: Lowering, name: string, node: NodeId): number {
  const at = to.tree.start(node);
  const base = selfRow(to, at);
  return to.addExpression({ kind: 'member', name, base, at, nameNode: node });
}

/** `Struct.new(:a, :b)`, `Data.define(:a)`: what it is made with it has methods for. */
export function accessors(to: Lowering, made: NodeId, definition: number): void {
  const { tree } = to;
  if (tree.kind(made) !== 'call' || !/^(?:Struct|Data)$/.test(tree.textOf(to.part(made, 'receiver')))) return;
  const writes = tree.textOf(to.part(made, 'receiver')) === 'Struct';
  to.ownedBy(definition, () => {
    for (const one of argumentsIn(to, made))
      if (writtenName(to, one) !== '') accessor(to, one, made, true, writes);
  });
}

/** Methods for an instance variable, which is assigned elsewhere. */
function accessor(to: Lowering, node: NodeId, whole: NodeId, reads: boolean, writes: boolean): void {
  const { tree } = to;
  const name = writtenName(to, node);
  const file = fileOf(to);
  const headEnd = tree.end(to.part(whole, 'arguments'));
  const place = { name: node, whole: node, headStart: tree.start(whole), headEnd };
  const made: [string, boolean][] = [
    [name, reads],
    [`${name}=`, writes],
  ];
  for (const [called, isMade] of made) {
    if (!isMade) continue;
    const definition = defineMember(to, { ...place, called });
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
  const definition = defineMember(to, { name, called, whole: node, headEnd: tree.end(node) });
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
    const place = { name: one, whole: one, headStart: tree.start(node), headEnd: tree.end(node) };
    const definition = defineMember(to, { ...place, called });
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

/** Says that what includes a module has what its module `ClassMethods` has as a value. */
export function extendIncluders(to: Lowering, type: RubyType, node: NodeId): void {
  const at = to.tree.start(node);
  const methods = to.scopes.within(type.scope, () => to.addType({ kind: 'name', name: 'ClassMethods', at }));
  type.mixins.push({ type: valueType(to, valueType(to, methods, at), at), node });
}
