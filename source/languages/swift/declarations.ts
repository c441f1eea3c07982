import { SYMBOL_FLAGS } from '../../ir/index.js';
import { type Access, type Lowering, type MadeParameter, NONE, type NodeId } from '../../lower/index.js';
import { bindPattern, blockIn, giveLast } from './statements.js';
import { typeIn, userType } from './types.js';

/** Who sees what says nothing of it: its module. */
export const INTERNAL = { exported: true, visibility: 'protected' } as const;
const PUBLIC = { exported: true, visibility: 'public' } as const;
const PRIVATE = { exported: false, visibility: 'private' } as const;

/** Who sees what has a word in front of it. */
export const ACCESS: Readonly<Record<string, Access>> = {
  open: PUBLIC,
  public: PUBLIC,
  package: INTERNAL,
  internal: INTERNAL,
  fileprivate: PRIVATE,
  private: PRIVATE,
};

/** What is said of something in front of it. */
const headOf = (to: Lowering, node: NodeId) => ({
  modifiers: to.part(node, ':modifiers'),
  start: to.tree.start(node),
  end: to.tree.end(node),
});

/** A word of the language stands in backquotes where it is a name. */
function called(to: Lowering, name: NodeId) {
  const text = to.tree.textOf(name);
  return text.startsWith('`') ? { called: text.replaceAll('`', '') } : {};
}

/** Lowers the attributes of a definition. */
function decorate(to: Lowering, definition: number, node: NodeId): void {
  const modifiers = to.part(node, ':modifiers');
  if (modifiers !== NONE) to.ownedBy(definition, () => to.visitChildren(modifiers));
}

/** A class, struct, actor, enum or protocol; or an extension of one. */
export function typeAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const word = tree.textOf(to.part(node, 'declaration_kind'));
  const name = to.part(node, 'name');
  if (word === 'extension') {
    extensionAt(to, node, name);
    return;
  }
  const kind = word === 'protocol' ? 'interface' : word === 'enum' ? 'enum' : 'class';
  const body = to.part(node, 'body');
  const definition = to.define({
    ...headOf(to, node),
    kind,
    ...(word === 'struct' ? { subkind: 'struct' as const } : kind === 'class' ? {} : { subkind: kind }),
    name,
    headEnd: body === NONE ? tree.end(node) : tree.start(body),
  });
  decorate(to, definition, node);
  const around = to.scope;
  to.inside(definition, 'type', node, () => {
    to.head = around;
    to.typeParameters(to.part(node, ':type_parameters'), definition, node);
    for (const base of basesOf(to, node))
      to.addBase(
        definition,
        to.type(base),
        base,
        word === 'class' || word === 'protocol' ? 'extends' : 'implements',
      );
    to.head = null;
    to.visitChildren(body);
  });
}

/** The types that a declaration is said to be. */
function basesOf(to: Lowering, node: NodeId): NodeId[] {
  const { tree } = to;
  const bases = to.parts(node, ':inheritance_specifier').map((one) => to.part(one, 'inherits_from'));
  return bases
    .flatMap((one) => (tree.kind(one) === 'protocol_composition_type' ? tree.children(one) : [one]))
    .filter((one) => to.typeRule(one) !== undefined);
}

/** `extension Shape: Drawn where …`: its members are the type's own; what it derives from by it is said apart. */
function extensionAt(to: Lowering, node: NodeId, name: NodeId): void {
  const { tree } = to;
  const names = tree.children(name).filter((one) => tree.kind(one) === 'type_identifier');
  const isList = tree.kind(name) === 'array_type';
  const path = isList ? 'Array' : names.map((one) => tree.textOf(one)).join('.');
  const found = isList ? 'Array' : tree.textOf(names[names.length - 1] ?? NONE);
  let type = -1;
  to.inExtension(
    node,
    () => {
      type = tree.kind(name) === 'user_type' ? userType(to, name) : to.type(name);
      return { type, base: -1, name: path, found };
    },
    () => {
      constraintsAt(to, to.part(node, ':type_constraints'));
      to.visitChildren(to.part(node, 'body'));
    },
  );
  for (const one of basesOf(to, node))
    to.inExtension(
      node,
      () => ({ type, base: to.type(one), name: path, found }),
      () => {},
    );
}

/** What an extension says of the parameters of its type: `where Item == Shape`. */
function constraintsAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  for (const one of tree.children(node)) {
    const name = to.part(one, 'constrained_type');
    const type = to.type(to.part(one, 'name'));
    const isParameter = /^\w+$/.test(tree.textOf(name)) && tree.textOf(name) !== 'Self';
    if (isParameter) to.scopes.bind('type parameter', tree.textOf(name), { type });
  }
}

/** The labels of the arguments that a function takes. */
function labelsOf(to: Lowering, node: NodeId, isSubscript = false): string {
  const { tree } = to;
  const labels = to.parts(node, ':parameter').map((one) => {
    const external = to.part(one, 'external_name');
    if (external !== NONE) return tree.textOf(external);
    return isSubscript ? '_' : tree.textOf(to.part(one, ':simple_identifier'));
  });
  return labels.map((label) => `${label}:`).join('');
}

/** `func`, `init`, `subscript`, also where a protocol asks for one. */
export function functionAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const kind = tree.kind(node);
  const isInit = kind === 'init_declaration';
  const isSubscript = kind === 'subscript_declaration';
  const accessors = isSubscript ? to.part(node, ':computed_property') : NONE;
  const body = isSubscript ? accessors : to.part(node, 'body');
  const name = isSubscript ? to.part(node, ':parameter') : to.part(node, 'name');
  const around = to.owner === null ? undefined : to.definitions[to.owner];
  const isOpen = around?.subkind === 'interface';
  const operator = /\b(?:prefix|postfix|infix)\b/.exec(tree.text.slice(tree.start(node), tree.start(name)));
  const isOperator = operator !== null || /^\W/.test(tree.textOf(name));
  // The word `class` is no node.
  const isOfType =
    isInit || /\bclass\s+(?:func|subscript)\b/.test(tree.text.slice(tree.start(node), tree.start(name)));
  const definition = to.define({
    ...headOf(to, node),
    kind: to.isMember ? 'method' : 'function',
    name,
    ...called(to, name),
    ...(isInit && { called: 'init' }),
    ...(isSubscript && { called: 'subscript' }),
    labels: labelsOf(to, node, isSubscript || isOperator),
    headEnd: body === NONE ? tree.end(node) : tree.start(body),
    isDeclaration: isOpen,
    flags: (isOpen ? SYMBOL_FLAGS.abstract : 0) | (isOfType ? SYMBOL_FLAGS.static : 0),
  });
  decorate(to, definition, node);
  to.inside(definition, 'function', node, () => {
    to.typeParameters(to.part(node, ':type_parameters'), definition, node);
    to.parameters(node, definition);
    const last = to.parts(node, ':parameter').at(-1) ?? name;
    const result = isInit ? NONE : typeIn(to, node, tree.end(last));
    const one = to.definitions[definition];
    if (one && result !== NONE) one.return_type = to.text.folded(tree.start(result), tree.end(result), 300);
    const type =
      result === NONE ? (isInit ? to.addType({ kind: 'self', at: tree.start(node) }) : -1) : to.type(result);
    to.setSymbol(definition, 'type', type);
    const values = to.values;
    to.values = null;
    if (isSubscript) accessorsIn(to, accessors, type);
    else giveLast(to, tree.first(body));
    to.values = values;
  });
}

/** A parameter: the default stands beside it, and that it takes any number is no node. */
export function parameter(to: Lowering, node: NodeId): MadeParameter | null {
  const { tree } = to;
  const names = tree.children(node).filter((one) => tree.kind(one) === 'simple_identifier');
  const name = names[names.length - 1] ?? NONE;
  if (name === NONE) return null;
  const written = typeIn(to, node);
  const words = tree.text.slice(tree.end(name), tree.start(written));
  // What is given for `@autoclosure () -> T` is a `T`.
  const given = tree.kind(written) === 'function_type' && words.includes('@autoclosure');
  const next = tree.next(node);
  const isDefault = tree.field(next) === 'default_value';
  const behind = tree.text.slice(tree.end(written), tree.end(written) + 4);
  return {
    name,
    type: to.type(given ? to.part(written, 'name') : written),
    written: written === NONE ? null : to.text.folded(tree.start(written), tree.end(written), 300),
    variadic: written !== NONE && /^\s*\.\.\./.test(behind),
    ...(isDefault && { default: next }),
  };
}

/** What the accessors of a property or subscript do; without any the block is what it gives. */
function accessorsIn(to: Lowering, node: NodeId, type: number): void {
  const { tree } = to;
  for (const one of tree.children(node)) {
    const kind = tree.kind(one);
    if (kind === 'statements') giveLast(to, one);
    else if (/^(?:computed_\w+|\w+_clause)$/.test(kind))
      to.inScope('function', one, () => {
        const named = to.part(one, ':simple_identifier');
        const gives = kind === 'computed_getter';
        const implied = kind === 'didset_clause' ? 'oldValue' : 'newValue';
        if (named !== NONE) to.bind('parameter', named, { type });
        else if (!gives) to.scopes.bind('parameter', implied, { type });
        const body = to.part(one, ':statements');
        if (gives) giveLast(to, body);
        else to.visitChildren(body);
      });
  }
}

/** `var a: A = …, b = …`: fields, variables or locals, and what their accessors do. */
export function propertyAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const children = tree.children(node);
  const annotations = children.filter((one) => tree.kind(one) === 'type_annotation');
  for (const [index, one] of children.entries()) {
    if (tree.kind(one) !== 'pattern') continue;
    const end = children.findIndex((other, at) => at > index && tree.kind(other) === 'pattern');
    const parts = children.slice(index + 1, end < 0 ? undefined : end);
    const isOnly = index === children.findIndex((other) => tree.kind(other) === 'pattern') && end < 0;
    // `let a, b: A`
    const shared = parts.length > 0 ? [] : annotations.filter((other) => other > one).slice(0, 1);
    bindingAt(to, node, one, parts, shared[0] ?? NONE, isOnly);
  }
}

function bindingAt(
  to: Lowering,
  node: NodeId,
  pattern: NodeId,
  parts: readonly NodeId[],
  shared: NodeId,
  isOnly: boolean,
): void {
  const { tree } = to;
  const of = (kind: string) => parts.find((one) => tree.kind(one) === kind) ?? NONE;
  const own = of('type_annotation');
  const written = typeIn(to, own === NONE ? shared : own);
  const accessors = [of('computed_property'), of('willset_didset_block')].filter((one) => one !== NONE);
  const given = parts.find((one) => tree.field(one) === 'value') ?? NONE;
  const last = parts[parts.length - 1] ?? pattern;
  if (to.inFunction) {
    const type = to.type(written);
    const value = to.expression(given);
    bindPattern(to, pattern, value, { type, from: tree.end(last), isBinding: true });
    for (const one of accessors) to.inScope('function', one, () => accessorsIn(to, one, type));
    return;
  }
  const around = to.owner === null ? undefined : to.definitions[to.owner];
  const isOpen = around?.subkind === 'interface';
  const isConstant = tree.textOf(to.part(node, ':value_binding_pattern')) === 'let';
  const end =
    given !== NONE && to.text.line(tree.start(given)) !== to.text.line(tree.end(given)) ? given : NONE;
  const cut = end !== NONE ? end : (accessors[0] ?? NONE);
  const access = accessOf(to, node);
  for (const name of namesIn(to, pattern)) {
    if (tree.textOf(name) === '') continue;
    const definition = to.define({
      kind: to.isMember ? 'field' : 'variable',
      name,
      ...called(to, name),
      modifiers: to.part(node, ':modifiers'),
      start: isOnly ? tree.start(node) : tree.start(pattern),
      end: isOnly ? tree.end(node) : tree.end(last),
      headEnd: cut === NONE ? tree.end(last) : tree.start(cut),
      isConstant,
      isDeclaration: isOpen,
      ...(access && { access }),
    });
    decorate(to, definition, node);
    to.ownedBy(definition, () => {
      const type = to.type(written);
      to.setSymbol(definition, 'type', type);
      const one = to.definitions[definition];
      if (one && written !== NONE)
        one.value_type = to.text.folded(tree.start(written), tree.end(written), 300);
      to.setSymbol(definition, 'value', to.expression(given));
      for (const each of accessors) to.inScope('function', each, () => accessorsIn(to, each, type));
    });
  }
}

/** Who sees a property that fewer may set: `public private(set) var`. Null where all that see it may. */
function accessOf(to: Lowering, node: NodeId): Access | null {
  const words = to.tree.textOf(to.part(node, ':modifiers'));
  if (!words.includes('(set)')) return null;
  const [word = 'internal'] =
    words.match(/\b(?:open|public|package|internal|fileprivate|private)\b(?!\s*\()/) ?? [];
  return ACCESS[word] ?? null;
}

/** The names in a pattern. */
function namesIn(to: Lowering, pattern: NodeId): NodeId[] {
  const { tree } = to;
  return tree.children(pattern).flatMap((one) => {
    if (tree.kind(one) === 'pattern') return namesIn(to, one);
    return tree.kind(one) === 'simple_identifier' ? [one] : [];
  });
}

/** `case a, b(Int, by: B) = …`: constants that may hold values. */
export function casesAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const children = tree.children(node);
  for (const [index, name] of children.entries()) {
    if (tree.field(name) !== 'name') continue;
    const next = children[index + 1] ?? NONE;
    const holds = tree.kind(next) === 'enum_type_parameters';
    const definition = to.define({
      kind: 'constant',
      name,
      ...called(to, name),
      modifiers: to.part(node, ':modifiers'),
      start: tree.start(name),
      end: tree.end(holds ? next : name),
      before: 'case ',
      flags: SYMBOL_FLAGS.static,
      isConstant: true,
    });
    to.setSymbol(definition, 'type', to.addType({ kind: 'this', at: tree.start(name) }));
    to.inside(definition, 'function', holds ? next : name, () => {
      let at = 0;
      if (!holds) {
        if (tree.field(next) === 'raw_value') to.expression(next);
        return;
      }
      for (const one of tree.children(next))
        if (to.typeRule(one) !== undefined) to.scopes.bind('parameter', String(at++), { type: to.type(one) });
        else if (tree.kind(one) !== 'simple_identifier') to.expression(one);
    });
  }
}

/** `typealias A = B`, `associatedtype A: B` */
export function alias(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const name = to.part(node, 'name');
  const definition = to.define({ ...headOf(to, node), kind: 'type', name, flags: SYMBOL_FLAGS.alias });
  to.inside(definition, 'function', node, () => {
    to.typeParameters(to.part(node, ':type_parameters'), definition, node);
    to.setSymbol(definition, 'type', to.type(typeIn(to, node, tree.end(name))));
  });
}

/** Attributes that are the language's own begin with a small letter; all others make a wrapper or a test of what they stand before. */
export function attributeAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [name = NONE, ...given] = tree.children(node);
  if (!/^@\s*[A-Z]/.test(tree.textOf(node)) || tree.kind(name) !== 'user_type') return;
  const names = tree.children(name).filter((one) => tree.kind(one) === 'type_identifier');
  const last = names[names.length - 1] ?? NONE;
  const at = tree.start(node);
  const type = to.addType({ kind: 'name', name: tree.textOf(last), at });
  // Labels stand as names in front of what they are of.
  const labels: string[] = [];
  const parts: number[] = [];
  for (const [index, one] of given.entries()) {
    const before = given[index - 1] ?? NONE;
    if (isLabel(to, one)) continue;
    labels.push(isLabel(to, before) ? tree.textOf(before) : '_');
    parts.push(to.expression(one, 'pass'));
  }
  const expression = to.addExpression({
    kind: 'new',
    name: labels.map((label) => `${label}:`).join(''),
    type,
    parts,
    at,
  });
  to.refer({ kind: 'decorator', name: last, whole: node, expression, arguments: parts.length });
}

function isLabel(to: Lowering, node: NodeId): boolean {
  const { tree } = to;
  if (tree.kind(node) !== 'simple_identifier') return false;
  return /^\s*:/.test(tree.text.slice(tree.end(node), tree.end(node) + 20));
}

/** What only runs when an instance goes. */
export function deinitializer(to: Lowering, node: NodeId): void {
  to.inScope('function', node, () => blockIn(to, to.part(node, 'body')));
}

/** `import struct A.B`: all of a module is imported with a part of it, too. */
export function importAt(to: Lowering, node: NodeId): void {
  const module = to.tree.textOf(to.part(node, ':identifier')).replace(/\s|\..*$/gs, '');
  to.import({ node, module, names: [{ imported: '*', local: null }], flags: 4 });
}
