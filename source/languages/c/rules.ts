import { SYMBOL_FLAGS } from '../../ir/index.js';
import {
  type CompositeRule,
  kinds,
  type Lowering,
  type LoweringRules,
  type NewDefinition,
  NONE,
  type NodeId,
} from '../../lower/index.js';
import {
  conversionIn,
  type Declared,
  declaredBy,
  declaredType,
  innerOf,
  parameterOf,
  startOf,
  writtenType,
} from './declarators.js';
import { State, stateOf } from './state.js';

const LISTED: CompositeRule = {
  is: 'composite',
  elements: '.',
  pair: 'initializer_pair',
  key: 'designator',
  value: 'value',
};

const HIDDEN = { exported: false, visibility: 'private' } as const;

/** What C's syntax means. */
export const rules: LoweringRules = {
  language: 'c',
  own: () => new State(),
  comments: ['comment'],
  tokens: '& * ! - + ~ ++ -- == != < > <= >= && || -> .'.split(' '),
  unread: ['string_content', 'escape_sequence', 'character', 'attribute_specifier', 'ms_call_modifier'],
  importsAre: 'names',
  builtinTypes: new Set(),
  access: () => ({ exported: true, visibility: 'public' }),
  docs: { marks: ['/*', '//'], directive: /^\/\/\s*(?:NOLINT|clang-format|IWYU)/, trailing: true },
  tests: {
    path: /(?:^|[/_-])(?:unit)?tests?(?:[/_.-]|$)/i,
    name: /^test_/,
    decorator:
      /^(?:IGNORE_|TYPED_|TEMPLATE_)?TEST(?:_[FPG]|_CASE(?:_METHOD|_FIXTURE|_TEMPLATE)?)?$|^SCENARIO$|^BOOST_\w+_TEST_CASE$/,
  },
  nodes: {
    preproc_include: includeOf,
    ...kinds('preproc_def preproc_function_def', macroOf),
    ...kinds('preproc_ifdef preproc_if preproc_elif preproc_else preproc_elifdef', branchOf),
    ...kinds('preproc_call preproc_directive preproc_arg statement_identifier break_statement', 'skip'),
    ...kinds('continue_statement goto_statement', 'skip'),
    linkage_specification: (to, node) => to.visit(to.part(node, 'body')),
    function_definition: functionOf,
    ...kinds('declaration field_declaration', declarationOf),
    type_definition: typedefOf,
    enumerator: enumeratorOf,
    return_statement: { does: 'returns', value: '#0' },
    labeled_statement: (to, node) => to.visit(to.part(node, '#-1')),
    ...kinds('compound_statement for_statement', 'block'),
    ...kinds('bitfield_clause gnu_asm_expression', (to, node) => to.visitChildren(node)),
  },
  expressions: {
    ...kinds('identifier field_identifier', 'name'),
    field_designator: 'inside',
    field_expression: { is: 'member', of: 'argument', name: 'field' },
    call_expression: { is: 'call', callee: 'function', arguments: 'arguments' },
    subscript_expression: { is: 'index', of: 'argument', index: 'index' },
    parenthesized_expression: 'inside',
    cast_expression: { is: 'convert', type: 'type', of: 'value' },
    compound_literal_expression: { ...LISTED, type: 'type', elements: 'value' },
    initializer_list: LISTED,
    assignment_expression: { is: 'assign', target: 'left', value: 'right' },
    update_expression: { is: 'unary', operator: 'operator', of: 'argument', writes: true },
    pointer_expression: pointerOf,
    unary_expression: { is: 'unary', operator: 'operator', of: 'argument' },
    binary_expression: { is: 'binary', left: 'left', operator: 'operator', right: 'right' },
    conditional_expression: { is: 'either', parts: ['consequence', 'alternative'] },
    ...kinds('sizeof_expression alignof_expression offsetof_expression', {
      is: 'literal',
      type: 'unsigned long',
    }),
    ...kinds('string_literal concatenated_string raw_string_literal', textOf),
    char_literal: { is: 'literal', type: 'char' },
    number_literal: numberOf,
    ...kinds('true false', { is: 'literal', type: 'bool' }),
    null: { is: 'literal', type: 'null' },
  },
  types: {
    type_identifier: 'name',
    ...kinds('primitive_type sized_type_specifier', builtin),
    ...kinds('struct_specifier union_specifier enum_specifier', specifierOf),
    type_descriptor: (to, node) =>
      declaredType(to, to.part(node, 'declarator'), to.type(to.part(node, 'type'))),
  },
  parameters: {
    ...kinds('parameter_declaration optional_parameter_declaration', parameterOf),
    // The type of one that takes any number is not written.
    variadic_parameter: { names: ':none', type: ':none', variadic: true },
    identifier: { names: '.', type: ':none' },
  },
};

/** `#include "a/b.h"`: with its marks, which say where it is looked for. */
function includeOf(to: Lowering, node: NodeId): void {
  const module = to.tree.textOf(to.part(node, 'path')).trim();
  if (/^["<].+[">]$/.test(module)) to.import({ node, module, names: [], kind: 'import' });
}

/** `#define MAX 10`, `#define SQUARE(x) …`: a constant or a function without a body that is read. */
export function macroOf(to: Lowering, node: NodeId): void {
  const { tree, text } = to;
  const [value, parameters] = [to.part(node, 'value'), to.part(node, 'parameters')];
  // What guards a header says nothing.
  if (to.inFunction || (value === NONE && parameters === NONE)) return;
  const name = to.part(node, 'name');
  const definition = to.define({
    kind: parameters === NONE ? 'constant' : 'function',
    name,
    start: tree.start(node),
    end: value === NONE ? tree.end(parameters) : tree.end(value),
    headEnd: tree.end(
      parameters === NONE ? (tree.end(value) - tree.end(name) < 80 ? value : name) : parameters,
    ),
    isConstant: true,
    flags: SYMBOL_FLAGS.macro,
  });
  const made = to.definitions[definition];
  for (const one of tree.children(parameters))
    made?.parameters.push({
      ...{ name: text.folded(tree.start(one), tree.end(one), 60), type: null },
      ...{ optional: false, rest: tree.textOf(one) === '...' },
    });
}

/** What the preprocessor takes under a condition; which, is not known. */
function branchOf(to: Lowering, node: NodeId): void {
  for (const one of to.tree.children(node))
    if (!/^(?:name|condition)$/.test(to.tree.field(one))) to.visit(one);
}

/** The words in front of what is declared. */
function wordsOf(to: Lowering, node: NodeId): ReadonlySet<string> {
  const { tree } = to;
  const kinds = ['storage_class_specifier', 'type_qualifier', 'virtual', 'explicit_function_specifier'];
  return new Set(
    tree.children(node).flatMap((one) => (kinds.includes(tree.kind(one)) ? tree.textOf(one) : [])),
  );
}

/** What a function with a body defines. */
export function functionOf(to: Lowering, node: NodeId): void {
  const declared = declaredBy(to, to.part(node, 'declarator'));
  const made = macroName(to, node, declared);
  if (made !== null) defineFunction(to, node, to.part(node, 'declarator'), declared, made);
  else if (declared.callable === NONE || to.inPlace) to.visitChildren(node);
  else defineFunction(to, node, to.part(node, 'declarator'), declared);
}

/** What `TEST(Group, name) {` defines: a function that is called as the second argument of the macro, in the first; or as a title. */
function macroName(to: Lowering, node: NodeId, { name, callable }: Declared): Partial<NewDefinition> | null {
  const { tree } = to;
  const type = to.part(node, 'type');
  // The text that the grammar was given has a blank there, in the name of the macro.
  const isMacro =
    type === NONE
      ? /^[A-Z][A-Z\d_]+$/.test(tree.textOf(name))
      : /^\w$/.test(tree.text.slice(tree.end(type), tree.start(name)));
  const list = to.part(callable, 'parameters');
  const given = tree.textOf(list);
  const title = /^"((?:[^"\\\n]|\\.){1,400})"/.exec(given.slice(Math.max(0, given.indexOf('"'))))?.[1];
  const words: string[] = [...(given.split('"', 1)[0] ?? '').matchAll(/\w+/g)].map(([word]) => word);
  if (title !== undefined) words.push(title.trim());
  if (!isMacro || words.length === 0) return null;
  const [first = '', last = first] = words;
  const macro = tree.text.slice(tree.start(type === NONE ? name : type), tree.end(name));
  return { called: last, ...(words.length > 1 ? { owner: first } : {}), name: list, decorators: [macro] };
}

/** Defines a function, or declares one. */
export function defineFunction(
  to: Lowering,
  node: NodeId,
  declarator: NodeId,
  { name, callable }: Declared,
  more: Partial<NewDefinition> = {},
): number {
  const { tree } = to;
  const state = stateOf(to);
  const body = to.part(node, 'body');
  const words = wordsOf(to, node);
  const conversion = conversionIn(to, name);
  const written = to.part(conversion === NONE ? node : conversion, 'type');
  const around = to.owner === null || to.inFunction ? undefined : to.definitions[to.owner];
  const isMember = around?.form === 'class' && more.kind === undefined;
  const receiver = state.receiverOf(to, name);
  const last = receiver?.name ?? name;
  const owner = isMember ? around.name : (receiver?.owner.split('.').pop() ?? '');
  const isMade = owner !== '' && tree.textOf(last) === owner;
  const isMethod = isMember || receiver !== null;
  const isPure = tree.textOf(to.part(node, 'default_value')) === '0';
  const isVirtual = words.has('virtual') || to.part(callable, ':virtual_specifier') !== NONE;
  const list = to.part(node, ':field_initializer_list');
  const isStatic = words.has('static');
  const shown = isStatic && !isMethod ? { flags: SYMBOL_FLAGS.static, access: HIDDEN } : state.shown(to);
  const start = state.template?.start ?? startOf(to, node);
  const isDeclaration = body === NONE && !/^(?:default|delete)_/.test(tree.kind(to.part(node, '#-1')));
  const definition = to.define({
    kind: isMade ? 'constructor' : isMethod ? 'method' : 'function',
    name: last,
    start,
    end: tree.end(node),
    headEnd: list !== NONE ? tree.start(list) : body === NONE ? tree.end(node) : tree.start(body),
    isDeclaration,
    ...shown,
    ...(receiver ? { owner: receiver.owner } : {}),
    ...(conversion === NONE ? {} : { called: conversionName(to, conversion) }),
    flags:
      (shown.flags ?? 0) |
      (isMember && isStatic ? SYMBOL_FLAGS.static : 0) |
      (isVirtual ? SYMBOL_FLAGS.virtual : 0) |
      (isPure ? SYMBOL_FLAGS.abstract : 0),
    ...more,
  });
  if (receiver) to.setSymbol(definition, 'receiver', receiver.type);
  to.inside(definition, 'function', node, () => {
    if (more.called !== undefined) {
      to.body(body);
      return;
    }
    state.takeParameters(to, definition);
    to.parameters(to.part(callable, 'parameters'), definition);
    const made = to.definitions[definition];
    if (made && written !== NONE)
      made.return_type = to.text
        .folded(tree.start(written), conversion === NONE ? tree.start(name) : tree.end(written), 300)
        .replace(/\)$/, '')
        .trim();
    const trailing = to.part(to.part(callable, ':trailing_return_type'), '#0');
    to.setSymbol(
      definition,
      'type',
      declaredType(to, declarator, to.type(trailing === NONE ? written : trailing)),
    );
    if (list !== NONE) to.visit(list);
    to.body(body);
  });
  return definition;
}

/** `operator const char*`: what a conversion is called, without its parameters. */
function conversionName(to: Lowering, conversion: NodeId): string {
  let list = to.part(conversion, 'declarator');
  // A pointer that it converts to stands in front of them.
  while (list !== NONE && to.part(list, 'parameters') === NONE) list = innerOf(to, list);
  list = to.part(list, 'parameters');
  return to.text.folded(to.tree.start(conversion), to.tree.start(list), 100).trim();
}

/** Variables, fields, locals and prototypes; also a type without any. */
function declarationOf(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const written = to.part(node, 'type');
  const declarators = to.parts(node, 'declarator');
  const isMember = tree.kind(node) === 'field_declaration';
  const unnamed = declarators.length === 0 && isMember ? to.part(written, 'body') : NONE;
  if (unnamed !== NONE && to.part(written, 'name') === NONE) {
    // The members of a struct without a name are those of the one around it.
    to.visitChildren(unnamed);
    return;
  }
  const words = wordsOf(to, node);
  let type: number | null = declarators.length === 0 || to.inFunction ? to.type(written) : null;
  for (const [index, one] of declarators.entries()) {
    const declared = declaredBy(to, one);
    if (declared.name === NONE) continue;
    const isMade = declared.callable !== NONE && to.inFunction && stateOf(to).constructs !== null;
    if (declared.callable !== NONE && !isMade) {
      if (!to.inFunction && !to.inPlace) defineFunction(to, node, one, declared);
      continue;
    }
    if (to.inFunction || to.inPlace) {
      type ??= to.type(written);
      const row = isMade ? type : declaredType(to, one, type);
      const made = to.inPlace ? undefined : stateOf(to).constructs?.(to, one, written, declared);
      if (to.inPlace) to.bind('member', declared.name, { type: row });
      else
        to.bind('local', declared.name, {
          type: row,
          value: made ?? givenTo(to, one, row),
          from: tree.end(one),
        });
      continue;
    }
    const shown =
      words.has('static') && !isMember
        ? { flags: SYMBOL_FLAGS.static, access: HIDDEN }
        : stateOf(to).shown(to);
    if (tree.kind(declared.name) === 'qualified_identifier') {
      to.expression(to.part(one, 'value'));
      continue;
    }
    const value = to.part(one, 'value');
    const isLong = value !== NONE && tree.end(value) - tree.start(value) > 80;
    const definition = to.define({
      kind: isMember ? 'field' : 'variable',
      name: declared.name,
      start: tree.start(declarators.length > 1 ? one : node),
      end: tree.end(declarators.length > 1 ? one : node),
      ...(declarators.length > 1
        ? { before: `${to.text.folded(tree.start(node), tree.end(written), 300)} ` }
        : {}),
      ...(isLong ? { headEnd: tree.start(value) } : {}),
      isConstant: words.has('const') && index >= 0,
      isDeclaration: words.has('extern') && value === NONE,
      ...shown,
      flags: (shown.flags ?? 0) | (words.has('static') ? SYMBOL_FLAGS.static : 0),
    });
    to.ownedBy(definition, () => {
      type ??= to.type(written);
      const row = declaredType(to, one, type);
      to.setSymbol(definition, 'type', row);
      to.setSymbol(definition, 'value', givenTo(to, one, row));
      if (isMember && index === 0) to.expression(to.part(node, 'default_value'), 'pass');
    });
    const made = to.definitions[definition];
    if (made) made.value_type = writtenType(to, written, one);
  }
}

/** The row of what a declarator gives its name. */
function givenTo(to: Lowering, declarator: NodeId, type: number): number {
  const around = to.expected;
  to.expected = type;
  const row = to.expression(to.part(declarator, 'value'), 'pass');
  to.expected = around;
  return row;
}

/** `typedef struct {…} name, *pointer;`: a struct without a name of its own is called as its first one. */
function typedefOf(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const written = to.part(node, 'type');
  const declarators = to.parts(node, 'declarator');
  const body = to.part(written, 'body');
  const tag = to.part(written, 'name');
  let type = -1;
  const named = declarators.find((one) => tree.kind(one) === 'type_identifier') ?? NONE;
  if (body !== NONE && tag === NONE && named !== NONE) type = defineType(to, written, named, node);
  else type = to.type(written);
  for (const one of declarators) {
    const { name, callable } = declaredBy(to, one);
    const isTag = one === named && tag !== NONE && tree.textOf(tag) === tree.textOf(name);
    if (name === NONE || to.inFunction || (one === named && body !== NONE && (isTag || tag === NONE)))
      continue;
    const definition = to.define({
      kind: 'type',
      name,
      start: tree.start(node),
      end: tree.end(node),
      ...stateOf(to).shown(to),
      flags: isTag ? 0 : SYMBOL_FLAGS.alias,
      // `typedef struct name name;`: what it is others say.
      isDeclaration: isTag,
    });
    if (isTag) continue;
    to.ownedBy(definition, () => {
      const row = declaredType(to, one, type);
      to.setSymbol(
        definition,
        'type',
        callable === NONE ? row : to.functionType(callable, 'parameters', row),
      );
    });
  }
}

const KINDS = {
  struct_specifier: { kind: 'class', subkind: 'struct' },
  class_specifier: { kind: 'class' },
  union_specifier: { kind: 'class', subkind: 'struct' },
  enum_specifier: { kind: 'enum', subkind: 'enum' },
} as const;

/** `struct name`, `struct name {…}`, `struct {…}`. */
function specifierOf(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [name, body] = [to.part(node, 'name'), to.part(node, 'body')];
  const at = tree.start(node);
  if (body === NONE) return to.type(name);
  if (name !== NONE && !to.inPlace) return defineType(to, node, name, node);
  if (tree.kind(node) === 'enum_specifier') {
    to.visitChildren(body);
    return to.addType({ kind: 'literal', name: 'int', at });
  }
  return to.inScope('type', node, () => {
    to.visitChildren(body);
    return to.addType({ kind: 'members', at });
  });
}

/** Defines a struct, union or enum. Its tag is seen as far as the outermost one is. @returns the row of its type. */
export function defineType(to: Lowering, node: NodeId, written: NodeId, whole: NodeId): number {
  const { tree } = to;
  const state = stateOf(to);
  const body = to.part(node, 'body');
  const isNested = to.owner !== null && to.definitions[to.owner]?.form === 'class';
  const isEnum = tree.kind(node) === 'enum_specifier';
  let name = written;
  while (/^(?:template_type|qualified_identifier)$/.test(tree.kind(name))) name = to.part(name, 'name');
  const scope = isNested && !to.inFunction && !state.nests ? 0 : to.scope;
  const receiver = state.receiverOf(to, written);
  const definition = to.define({
    ...KINDS[tree.kind(node) as keyof typeof KINDS],
    name,
    start: state.template?.start ?? tree.start(whole),
    end: tree.end(whole),
    headEnd: tree.start(body),
    // Of one that is called behind its body.
    ...(tree.start(name) > tree.start(body)
      ? { before: headOf(to, whole, body, name), headStart: tree.start(body) }
      : {}),
    ...(scope === to.scope ? {} : { scope }),
    ...state.shown(to),
    ...(receiver ? { owner: receiver.owner } : {}),
  });
  if (receiver) to.setSymbol(definition, 'receiver', receiver.type);
  const isScoped = isEnum && /^enum\s+(?:class|struct)\b/.test(tree.textOf(node).slice(0, 16));
  const { access, enumScope } = state;
  state.enumScope = isEnum && !isScoped ? scope : isEnum ? -1 : enumScope;
  state.access = tree.kind(node) === 'class_specifier' ? 'private' : 'public';
  const around = to.scope;
  to.inside(definition, 'type', body, () => {
    to.head = around;
    state.takeParameters(to, definition);
    for (const one of tree.children(to.part(node, ':base_class_clause')))
      if (to.typeRule(one) !== undefined) to.addBase(definition, to.type(one), one, 'extends');
    to.head = null;
    to.visitChildren(body);
  });
  state.access = access;
  state.enumScope = enumScope;
  return to.addType({ kind: 'name', name: tree.textOf(name), at: tree.start(node) });
}

function headOf(to: Lowering, whole: NodeId, body: NodeId, name: NodeId): string {
  const { tree, text } = to;
  return `${text.folded(tree.start(whole), tree.start(body), 100)} ${tree.textOf(name)}`;
}

/** A constant of an enum, which is seen where the enum is. */
function enumeratorOf(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const around = to.owner === null ? undefined : to.definitions[to.owner];
  const value = to.part(node, 'value');
  if (to.inFunction || to.inPlace) {
    to.expression(value);
    return;
  }
  const isNamed = around?.subkind === 'enum';
  const scope = isNamed ? stateOf(to).enumScope : stateOf(to).nests ? -1 : 0;
  const definition = to.define({
    kind: 'constant',
    name: to.part(node, 'name'),
    start: tree.start(node),
    end: tree.end(node),
    flags: SYMBOL_FLAGS.static,
    isConstant: true,
    ...(scope < 0 ? {} : { scope }),
  });
  to.ownedBy(definition, () => {
    const at = tree.start(node);
    const name = isNamed ? around.name : '';
    to.setSymbol(
      definition,
      'type',
      to.addType({ kind: name ? 'name' : 'literal', name: name || 'int', at }),
    );
    to.expression(value);
  });
}

/** `*p`, `&v`. */
function pointerOf(to: Lowering, node: NodeId): number {
  const operator = to.tree.textOf(to.part(node, 'operator'));
  const base = to.expression(to.part(node, 'argument'), operator === '&' ? 'pass' : 'read');
  // A pointer to a function is called as one.
  if (operator === '&' && to.kindOf(base) === 'name') return base;
  return to.addExpression({ kind: 'unary', name: operator, base, at: to.tree.start(node) });
}

function textOf(to: Lowering, node: NodeId): number {
  const at = to.tree.start(node);
  for (const one of to.tree.children(node)) if (to.tree.kind(one) === 'identifier') to.expression(one);
  const base = to.addType({ kind: 'literal', name: 'char', at });
  return to.addExpression({ kind: 'composite', type: to.addType({ kind: 'pointer', base, at }), at });
}

function numberOf(to: Lowering, node: NodeId): number {
  const text = to.tree.textOf(node);
  const isReal = /^[\d.]*(?:\.|[\d.]e)/i.test(text) && !/^0x/i.test(text);
  const name = isReal ? (/f$/i.test(text) ? 'float' : 'double') : /l/i.test(text) ? 'long' : 'int';
  return to.addExpression({ kind: 'literal', name, at: to.tree.start(node) });
}

function builtin(to: Lowering, node: NodeId): number {
  return to.addType({ kind: 'literal', name: to.tree.textOf(node), at: to.tree.start(node) });
}
