import { BINDING_FLAGS, SYMBOL_FLAGS } from '../../ir/index.js';
import { type Access, type Lowering, NONE, type NodeId } from '../../lower/index.js';
import { argumentAt, lastNameOf } from './expressions.js';
import { pattern } from './patterns.js';
import { stateOf } from './state.js';
import { isImplicit, parameterAt, typeParameters } from './types.js';
import { bodyValue } from './values.js';

const { abstract, alias, called, extension, singleton } = SYMBOL_FLAGS;
const PUBLIC: Access = { exported: true, visibility: 'public' };

/** What stands in front of a declaration's name. */
function wordsOf(to: Lowering, node: NodeId): string {
  const { tree } = to;
  const modifiers = to.part(node, ':modifiers');
  const words = modifiers === NONE ? '' : tree.textOf(modifiers);
  const start = modifiers === NONE ? tree.start(node) : tree.end(modifiers);
  const name = to.part(node, 'name');
  const pattern = name === NONE ? to.part(node, 'pattern') : name;
  return `${words} ${tree.text.slice(start, Math.min(tree.start(pattern), start + 400))}`;
}

/** What is seen in a package or type around is more than private. */
function accessOf(words: string): { readonly access?: Access } {
  return /\bprivate\s*\[\s*(?!this\b)/.test(words) ? { access: PUBLIC } : {};
}

/** Whether what is declared is a name of a function or block, and no member and nothing of the file. */
function isLocal(to: Lowering): boolean {
  return ['function', 'block', 'comprehension'].includes(to.scopes.current.kind);
}

function annotate(to: Lowering, definition: number, node: NodeId): void {
  to.ownedBy(definition, () => {
    for (const one of to.tree.children(node)) if (to.tree.kind(one) === 'annotation') to.visit(one);
  });
}

/** A class, trait, object, enum or case of an enum, with what its head declares. */
export function typeAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const written = tree.kind(node);
  const words = wordsOf(to, node);
  const isTrait = written === 'trait_definition';
  const isEnum = written === 'enum_definition';
  const isCase = /\bcase\s/.test(words) || written === 'full_enum_case';
  const isObject = /object/.test(written);
  const kind = isTrait ? 'interface' : isEnum ? 'enum' : 'class';
  const body = to.part(node, 'body');
  const [start, end] = [tree.start(node), tree.end(node)];
  const isPackage = written === 'package_object' && stateOf(to).packageObject === node;
  const isImplicitClass = /\bimplicit\b/.test(words) && written === 'class_definition';
  const definition = to.define({
    kind,
    ...(isTrait ? { subkind: 'trait' } : isEnum ? { subkind: 'enum' } : {}),
    name: to.part(node, 'name'),
    ...(isPackage && { called: 'package' }),
    modifiers: node,
    start,
    end,
    headEnd: body === NONE ? end : tree.start(body),
    flags:
      (isObject ? singleton : isCase ? called : 0) +
      (isImplicitClass ? extension : 0) +
      (isTrait ? abstract : 0),
    from: 0,
    ...(written === 'full_enum_case' ? { access: PUBLIC } : accessOf(words)),
  });
  annotate(to, definition, node);
  const around = to.scope;
  to.inside(definition, 'type', node, () => {
    to.head = around;
    typeParameters(to, to.part(node, ':type_parameters'), definition);
    const clause = to.part(node, 'extend');
    const [base = -1] = basesOf(to, clause, definition);
    const self = to.part(body, ':self_type');
    if (self !== NONE) selfType(to, self);
    to.head = null;
    for (const [index, list] of to.parts(node, 'class_parameters').entries())
      fieldsOf(to, list, definition, isCase && index === 0);
    constructionAt(to, clause, base);
    to.visit(body);
  });
}

/** What the constructor of a class calls that it derives from, where it is given something. */
function constructionAt(to: Lowering, clause: NodeId, type: number): void {
  const { tree } = to;
  const lists = to.parts(clause, 'arguments');
  const written = to.part(clause, 'type');
  if (lists.length === 0 || written === NONE) return;
  const parts = lists.flatMap((list) => tree.children(list)).map((one) => argumentAt(to, one));
  const expression = to.addExpression({ kind: 'new', type, parts, at: tree.start(written) });
  const name = lastNameOf(to, written);
  to.refer({ kind: 'new', name, whole: clause, arguments: parts.length, expression });
}

/** The types that a clause says something derives from. @returns their rows. */
function basesOf(to: Lowering, clause: NodeId, definition: number): number[] {
  const rows: number[] = [];
  for (const one of to.parts(clause, 'type'))
    if (to.typeRule(one) !== undefined)
      for (const base of to.tree.kind(one) === 'compound_type' ? to.tree.children(one) : [one]) {
        const type = to.type(base);
        to.addBase(definition, type, base, rows.length === 0 ? 'extends' : 'implements');
        rows.push(type);
      }
  return rows;
}

/** `self: A with B =>`: a name for the object itself, and what it is besides. */
function selfType(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [name = NONE, type = NONE] = tree.children(node);
  const row = type === NONE ? to.addType({ kind: 'this', at: tree.start(node) }) : to.type(type);
  const text = tree.textOf(name);
  to.scopes.bind('receiver', text === 'this' || text === '_' ? '' : text, { type: row });
}

/** The parameters in the head of a class: those of a case class, or with `val` or `var`, are fields of it. */
function fieldsOf(to: Lowering, list: NodeId, definition: number, isCase: boolean): void {
  const { tree } = to;
  const given = isImplicit(to, list) ? BINDING_FLAGS.optional : 0;
  for (const one of tree.children(list)) {
    const made = parameterAt(to, one, definition);
    if (!made) continue;
    const { name, type, value, flags } = made;
    const words = wordsOf(to, one);
    const isField = /\bva[lr]\s/.test(words) || isCase;
    const binding = { type, value, flags: flags | given | (isField ? BINDING_FLAGS.field : 0) };
    to.bind('parameter', name, binding);
    if (!isField) continue;
    const [start, end] = [tree.start(one), tree.end(one)];
    const isVariable = /\bvar\s/.test(words);
    const field = to.define({
      ...{ kind: 'field', name, modifiers: one, start, end, isConstant: !isVariable },
      ...accessOf(words),
      flags: flags & BINDING_FLAGS.variadic ? SYMBOL_FLAGS.variadic : 0,
    });
    to.setSymbol(field, 'type', type);
    const facts = to.definitions[field];
    const written = to.part(one, 'type');
    if (facts && written !== NONE)
      facts.value_type = to.text.folded(tree.start(written), tree.end(written), 300);
  }
}

/** What an extension says of the functions in it: they take its parameters before their own. */
interface Extended {
  readonly typeParameters: NodeId;
  readonly list: NodeId;
}

/** `def f(a)(b): T = …` */
export function functionAt(to: Lowering, node: NodeId, of: Extended | null = null): void {
  const { tree } = to;
  const name = to.part(node, 'name');
  const body = to.part(node, 'body');
  const [start, end] = [tree.start(node), tree.end(node)];
  const isConstructor = tree.textOf(name) === 'this';
  const definition = to.define({
    kind: isConstructor ? 'constructor' : to.isMember ? 'method' : 'function',
    name,
    modifiers: node,
    start,
    end,
    headEnd: body === NONE ? end : tree.start(body),
    isDeclaration: body === NONE,
    flags: (body === NONE && to.isMember ? abstract : 0) + (of ? extension : 0),
    from: 0,
    ...accessOf(wordsOf(to, node)),
  });
  annotate(to, definition, node);
  to.inside(definition, 'function', node, () => {
    if (of) typeParameters(to, of.typeParameters, null);
    typeParameters(to, to.part(node, ':type_parameters'), definition);
    const lists = tree.children(node).filter((one) => tree.kind(one) === 'parameters');
    const explicit = lists.filter((one) => !isImplicit(to, one));
    const first = [...(of ? [of.list] : []), ...explicit.splice(0, 1)];
    for (const list of first) bindParameters(to, list, definition, 'parameter');
    for (const list of lists) if (isImplicit(to, list)) bindParameters(to, list, definition, 'local');
    const written = isConstructor ? NONE : to.part(node, 'return_type');
    const facts = to.definitions[definition];
    if (facts && written !== NONE)
      facts.return_type = to.text.folded(tree.start(written), tree.end(written), 300);
    const result = to.type(written);
    const around = to.values;
    to.values = null;
    const { type, value } = curried(to, node, definition, explicit, result, body);
    to.setSymbol(definition, 'type', isConstructor ? -1 : type);
    if (type < 0 && value >= 0 && !isConstructor) to.addReturn(value);
    to.values = around;
  });
}

/** What a function gives behind its first list of parameters: with more of them functions that take these. */
function curried(
  to: Lowering,
  node: NodeId,
  definition: number,
  lists: readonly NodeId[],
  result: number,
  body: NodeId,
): { readonly type: number; readonly value: number } {
  const [list, ...others] = lists;
  if (list === undefined) return { type: result, value: body === NONE ? -1 : bodyValue(to, body) };
  return to.inScope('function', node, () => {
    const parts = bindParameters(to, list, definition, 'parameter');
    const { type, value } = curried(to, node, definition, others, result, body);
    const at = to.tree.start(list);
    if (type >= 0) return { type: to.addType({ kind: 'function', base: type, parts, at }), value: -1 };
    const made = value < 0 ? [] : [value];
    return {
      type,
      value: to.addExpression({ kind: 'function', scope: to.scopes.ownRow(), parts: made, at }),
    };
  });
}

/** Binds the parameters of a list. @returns the rows of their types. */
function bindParameters(
  to: Lowering,
  list: NodeId,
  definition: number,
  kind: 'parameter' | 'local',
): number[] {
  return to.tree.children(list).flatMap((one) => {
    const made = parameterAt(to, one, definition);
    if (!made) return [];
    const { name, type, value, flags } = made;
    to.bind(kind, name, { type, value, flags });
    if ((flags & BINDING_FLAGS.variadic) === 0) return type;
    return to.addType({ kind: 'variadic', base: type, at: to.tree.start(one) });
  });
}

/** `val a = …`, `var (a, b) = …`, `val a: T`: members, names of the file, or locals. */
export function valuesAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const given = to.part(node, 'value');
  const written = to.part(node, 'type');
  const isVariable = /^var/.test(tree.kind(node));
  if (isLocal(to)) {
    const type = to.type(written);
    const value = given === NONE ? -1 : bodyValue(to, given);
    const from = tree.end(node);
    for (const one of namedIn(to, node))
      pattern(to, one, value, (name, part, own) => {
        const isWhole = name === one;
        to.bind('local', name, { type: own >= 0 ? own : isWhole ? type : -1, value: part, from });
      });
    return;
  }
  const words = wordsOf(to, node);
  const names = namedIn(to, node);
  const single = names.length === 1 && tree.kind(names[0] ?? NONE) === 'identifier';
  const isShort = given !== NONE && to.text.line(tree.start(given)) === to.text.line(tree.end(given));
  const made: { readonly definition: number; readonly of: NodeId }[] = [];
  const define = (name: NodeId): number =>
    to.define({
      kind: to.isMember ? 'field' : 'variable',
      name,
      modifiers: node,
      start: tree.start(node),
      end: tree.end(node),
      headEnd: given !== NONE && !(single && isShort) ? tree.start(given) : tree.end(node),
      isConstant: !isVariable,
      isDeclaration: given === NONE,
      ...accessOf(words),
    });
  // Names are known before what they are made from is lowered: it belongs to the first of them.
  for (const one of names)
    if (tree.kind(one) === 'identifier') made.push({ definition: define(one), of: one });
  const first = made[0]?.definition ?? to.owner;
  const [type, value] = to.ownedBy(first, () => [
    to.type(written),
    given === NONE ? -1 : to.inScope('block', given, () => bodyValue(to, given)),
  ]);
  if (made[0]) annotate(to, made[0].definition, node);
  const shown = written === NONE ? null : to.text.folded(tree.start(written), tree.end(written), 300);
  const set = (definition: number, own: number, part: number) => {
    to.setSymbol(definition, 'type', own);
    to.setSymbol(definition, 'value', part);
    const facts = to.definitions[definition];
    if (facts && own === type) facts.value_type = shown;
  };
  for (const { definition } of made) set(definition, type, value);
  for (const one of names)
    if (tree.kind(one) !== 'identifier')
      pattern(to, one, value, (name, part, own) => set(define(name), own, part));
}

/** The names or patterns that a declaration of values has. */
function namedIn(to: Lowering, node: NodeId): NodeId[] {
  const names = to.parts(node, 'name');
  const found = names.length > 0 ? names : to.parts(node, 'pattern');
  return found.flatMap((one) => (to.tree.kind(one) === 'identifiers' ? to.tree.children(one) : [one]));
}

/** `type A = B`, `type A <: B` */
export function aliasAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const written = to.part(node, 'type');
  const definition = to.define({
    kind: 'type',
    name: to.part(node, 'name'),
    modifiers: node,
    start: tree.start(node),
    end: tree.end(node),
    flags: written === NONE ? 0 : alias,
    from: 0,
    ...accessOf(wordsOf(to, node)),
  });
  to.inside(definition, 'function', node, () => {
    typeParameters(to, to.part(node, ':type_parameters'), definition);
    const bounds = tree.children(node).filter((one) => tree.kind(one) === 'upper_bound');
    for (const bound of bounds) to.setSymbol(definition, 'type', to.type(to.part(bound, 'type')));
    if (written !== NONE) to.setSymbol(definition, 'type', to.type(written));
  });
}

/** `case Red, Green`: constants of the enum around. */
export function constantAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const at = tree.start(node);
  const extend = to.part(node, 'extend');
  const definition = to.define({
    ...{ kind: 'constant', name: to.part(node, 'name'), start: at, end: tree.end(node) },
    ...{ flags: SYMBOL_FLAGS.static, access: PUBLIC, isConstant: true },
  });
  to.setSymbol(definition, 'type', to.addType({ kind: 'this', at }));
  to.ownedBy(definition, () => to.visitChildren(to.part(extend, 'arguments')));
}

/** `given a: T with { … }`, `given T = …` */
export function givenAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const types = to.parts(node, 'return_type').filter((one) => to.typeRule(one) !== undefined);
  const [first = NONE] = types;
  const name = to.part(node, 'name');
  const body = to.part(node, 'body');
  const isObject = /template_body$/.test(tree.kind(body));
  const called = `given_${tree.textOf(first).replace(/\W+/g, '_').replace(/_$/, '')}`;
  const definition = to.define({
    kind: isObject ? 'class' : to.isMember ? 'field' : 'variable',
    name: name === NONE ? first : name,
    ...(name === NONE && { called }),
    modifiers: node,
    start: tree.start(node),
    end: tree.end(node),
    headEnd: body === NONE ? tree.end(node) : tree.start(body),
    flags: isObject ? singleton : 0,
    isConstant: true,
    from: 0,
  });
  to.inside(definition, isObject ? 'type' : 'function', node, () => {
    typeParameters(to, to.part(node, ':type_parameters'), definition);
    for (const list of tree.children(node).filter((one) => tree.kind(one) === 'parameters'))
      bindParameters(to, list, definition, 'local');
    for (const one of types) {
      const type = to.type(one);
      if (isObject) to.addBase(definition, type, one, 'extends');
      else to.setSymbol(definition, 'type', type);
    }
    if (isObject) to.visit(body);
    else if (body !== NONE) bodyValue(to, body);
  });
}

/** `extension (a: T) def f(b) = …`: functions that can be called as if `T` had them. */
export function extensionAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const of = { typeParameters: to.part(node, ':type_parameters'), list: to.part(node, ':parameters') };
  const functions = (inside: NodeId): void => {
    for (const one of tree.children(inside)) {
      const kind = tree.kind(one);
      if (kind === 'function_definition' || kind === 'function_declaration') functionAt(to, one, of);
      else if (/body$|block$/.test(kind)) functions(one);
    }
  };
  functions(node);
}

/** `package a.b`, `package a { … }`: of several in a file all is of the last of the first ones in a row. */
export function packageAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const body = to.part(node, 'body');
  const around = stateOf(to).inPackage;
  const name = tree.textOf(to.part(node, 'name')).replace(/\s/g, '');
  const isFirst = to.definitions.length === 0 && to.scopes.current.kind === 'file';
  if (isFirst) enter(to, around === '' ? name : `${around}.${name}`);
  to.documentFile(node);
  if (body !== NONE) to.visitChildren(body);
}

/** `package object a { … }`: alone in its file it is what the package of its name has. */
export function packageObjectAt(to: Lowering, node: NodeId): void {
  const isAlone =
    to.definitions.length === 0 &&
    !/\n(?:\w+ )*(?:class|trait|object|def|val) /.test(to.tree.text.slice(to.tree.end(node)));
  if (isAlone) {
    const around = stateOf(to).inPackage;
    const name = to.tree.textOf(to.part(node, 'name'));
    enter(to, around === '' ? name : `${around}.${name}`);
    stateOf(to).packageObject = node;
  }
  typeAt(to, node);
}

/** From here on the file is of a package; it still sees what the one around has, where that is said apart. */
function enter(to: Lowering, name: string): void {
  const around = stateOf(to).inPackage;
  stateOf(to).inPackage = name;
  to.setPackage(name);
  if (around === '') return;
  const type = to.addType({ kind: 'package', name: around, at: 0 });
  const value = to.addExpression({ kind: 'type', type, at: 0 });
  to.scopes.bind('import', '', { value, flags: BINDING_FLAGS.star });
}
