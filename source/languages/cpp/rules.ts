import { BINDING_FLAGS, SYMBOL_FLAGS } from '../../ir/index.js';
import {
  type CompositeRule,
  callOf,
  kinds,
  type Lowering,
  type LoweringRules,
  lowerExpression,
  NONE,
  type NodeId,
  nameAt,
  type Use,
} from '../../lower/index.js';
import { type Declared, declaredBy, declaredType } from '../c/declarators.js';
import { rules as c, defineFunction, macroOf } from '../c/rules.js';
import { type Receiver, State, stateOf } from '../c/state.js';
import { bareName, partsOf, pathExpression, pathType } from './names.js';

/** What is remembered of a file of C++. */
class CppState extends State {
  override readonly nests = true;

  /** @param made What a local is made by. */
  constructor(
    override readonly constructs: (
      to: Lowering,
      declarator: NodeId,
      type: NodeId,
      declared: Declared,
    ) => number | undefined,
  ) {
    super();
  }

  override receiverOf(to: Lowering, name: NodeId): Receiver | null {
    const parts = partsOf(to, name).filter((part) => part !== NONE);
    if (parts.length < 2) return null;
    const { tree } = to;
    const last = parts.pop() ?? name;
    let type = -1;
    const names = parts.map((part) => bareName(to, part));
    for (const one of names)
      type = to.addType({ kind: 'name', name: tree.textOf(one), base: type, at: tree.start(one) });
    return { type, owner: names.map((one) => tree.textOf(one)).join('.'), name: bareName(to, last) };
  }

  /** The last names of what the class around a constructor derives from; of one that is defined elsewhere all of the file's. */
  bases(to: Lowering): string[] {
    const owner = to.owner === null ? undefined : to.definitions[to.owner];
    const path = owner?.qualname.slice(0, owner.qualname.lastIndexOf('.')) ?? '';
    const around = to.definitions.filter(({ qualname, form }) => form === 'class' && qualname === path);
    return around.flatMap(({ bases }) => bases.map(({ name }) => name.replace(/^.*::/, '')));
  }
}

const LISTED: CompositeRule = { is: 'composite', elements: 'value' };

/** What C++'s syntax means: what C's does, and more. */
export const rules: LoweringRules = {
  ...c,
  language: 'cpp',
  own: () => new CppState(localMade),
  lists: ['template_argument_list', 'subscript_argument_list'],
  spreads: ['parameter_pack_expansion'],
  inferredTypes: new Set(['auto']),
  tests: { ...c.tests, calls: [] },
  nodes: {
    ...c.nodes,
    ...kinds('preproc_def preproc_function_def', (to, node) => {
      macroOf(to, node);
      opensNamespace(to, node);
    }),
    namespace_definition: namespaceOf,
    namespace_alias_definition: (to, node) => {
      const value = pathExpression(to, to.part(node, '#-1'));
      to.bind('import', to.part(node, 'name'), { value });
    },
    using_declaration: usingOf,
    alias_declaration: aliasOf,
    template_declaration: templateOf,
    template_instantiation: 'skip',
    access_specifier: (to, node) => {
      const [word] = /public|protected|private/.exec(to.tree.textOf(node)) ?? [];
      stateOf(to).access = (word ?? 'public') as 'public' | 'protected' | 'private';
    },
    friend_declaration: friendOf,
    field_initializer_list: (to, node) => to.visitChildren(node),
    field_initializer: initializerOf,
    for_range_loop: rangeOf,
    ...kinds('if_statement while_statement switch_statement catch_clause', 'block'),
    parameter_list: (to, node) => {
      to.parameters(node, null);
    },
    ...kinds('static_assert_declaration concept_definition requires_clause', 'skip'),
    ...kinds('default_method_clause delete_method_clause virtual_specifier', 'skip'),
    linkage_specification: (to, node) => to.visit(to.part(node, 'body')),
  },
  expressions: {
    ...c.expressions,
    qualified_identifier: (to, node, use) => pathExpression(to, node, use),
    template_function: (to, node, use) => nameAt(to, to.part(node, 'name'), use),
    field_expression: fieldOf,
    call_expression: callAt,
    new_expression: newOf,
    delete_expression: { is: 'unknown' },
    compound_literal_expression: (to, node) => {
      const row = lowerExpression(to, node, { ...LISTED, type: 'type' }, 'read');
      constructs(to, node, to.part(node, 'type'), to.itemsOf(row));
      return row;
    },
    subscript_expression: { is: 'index', of: 'argument', index: 'indices' },
    argument_list: { is: 'list' },
    lambda_expression: lambdaOf,
    parameter_pack_expansion: 'inside',
    condition_clause: 'inside',
    this: 'this',
    ...kinds('user_defined_literal fold_expression requires_expression', { is: 'unknown' }),
  },
  types: {
    ...c.types,
    namespace_identifier: 'name',
    qualified_identifier: (to, node) => pathType(to, node),
    template_type: { is: 'generic', type: 'name', arguments: 'arguments' },
    class_specifier: c.types.struct_specifier ?? 'unknown',
    placeholder_type_specifier: () => -1,
    ...kinds('decltype dependent_type', 'unknown'),
  },
  parameters: {
    ...c.parameters,
    type_parameter_declaration: { names: ':type_identifier', type: ':none' },
    optional_type_parameter_declaration: { names: 'name', type: ':none' },
    variadic_type_parameter_declaration: { names: ':type_identifier', type: ':none' },
    variadic_parameter_declaration: { names: ':none', type: 'type', variadic: true },
  },
};

/** `namespace a::b {`, `namespace {`: what the latter holds is for this file alone. */
function namespaceOf(to: Lowering, node: NodeId): void {
  const state = stateOf(to);
  const names = to.tree
    .textOf(to.part(node, 'name'))
    .split('::')
    .map((one) => one.trim());
  const isInline = /^inline\b/.test(to.tree.textOf(node).slice(0, 8));
  const around = state.isHidden;
  if (names[0] === '') state.isHidden = true;
  const inside = (at: number): void => {
    if (at === names.length) to.visitChildren(to.part(node, 'body'));
    else to.inScope('namespace', node, () => inside(at + 1), isInline ? '' : names[at]);
  };
  inside(0);
  state.isHidden = around;
}

/** A macro that opens a namespace: what that holds stands in no namespace, as far as files show. */
function opensNamespace(to: Lowering, node: NodeId): void {
  const name = /^[\s\\]*namespace\s+(\w+)\s*\{/.exec(to.tree.textOf(to.part(node, 'value')))?.[1];
  if (name !== undefined)
    to.inScope('namespace', node, () => to.inScope('namespace', node, () => {}, '*'), name);
}

/** `using namespace a;`, `using a::b;` */
function usingOf(to: Lowering, node: NodeId): void {
  const [path = NONE] = to.tree.children(node);
  if (path === NONE || to.definitions[to.owner ?? -1]?.form === 'class') return;
  const value = pathExpression(to, path);
  if (/^using\s+namespace\b/.test(to.tree.textOf(node)))
    to.scopes.bind('import', '', { value, flags: BINDING_FLAGS.star });
  else to.scopes.bind('import', to.tree.textOf(path).replace(/^.*::\s*/s, ''), { value });
}

/** `using Name = type;` */
function aliasOf(to: Lowering, node: NodeId): void {
  const { tree } = to;
  if (to.inFunction) {
    to.type(to.part(node, 'type'));
    return;
  }
  const definition = to.define({
    kind: 'type',
    name: to.part(node, 'name'),
    start: tree.start(node),
    end: tree.end(node),
    flags: SYMBOL_FLAGS.alias,
    ...stateOf(to).shown(to),
  });
  const around = to.scope;
  to.inside(definition, 'type', node, () => {
    stateOf(to).takeParameters(to, definition);
    to.head = around;
    to.setSymbol(definition, 'type', to.type(to.part(node, 'type')));
    to.head = null;
  });
}

/** `template <typename T>` in front of a declaration, which takes its parameters. */
function templateOf(to: Lowering, node: NodeId): void {
  const state = stateOf(to);
  const list = to.part(node, 'parameters');
  const around = state.template;
  state.template = { lists: [...(around?.lists ?? []), list], start: around?.start ?? to.tree.start(node) };
  for (const one of to.tree.children(node)) if (one !== list) to.visit(one);
  state.template = around;
}

/** A friend that is defined there is a function of the namespace. */
function friendOf(to: Lowering, node: NodeId): void {
  const [one = NONE] = to.tree.children(node);
  if (to.tree.kind(one) !== 'function_definition') return;
  const declarator = to.part(one, 'declarator');
  const scope = to.scopes.outermost;
  defineFunction(to, one, declarator, declaredBy(to, declarator), { kind: 'function', scope });
}

/** `: field_(value)`, `: Base(value)` */
function initializerOf(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [name = NONE, given = NONE] = tree.children(node);
  const text = tree.textOf(name);
  const bases = (to.own as CppState).bases(to);
  const isPath = tree.kind(name) === 'qualified_identifier';
  const last =
    text
      .slice(text.lastIndexOf('::') + 1)
      .replace(':', '')
      .split('<', 1)[0]
      ?.trim() ?? text;
  if (!isPath && !bases.includes(last)) {
    nameAt(to, name, 'write');
    for (const one of tree.children(given)) to.expression(one, 'pass');
    return;
  }
  const type = isPath ? pathType(to, name) : to.addType({ kind: 'name', name: last, at: tree.start(name) });
  const parts = tree.children(given).map((one) => to.expression(one, 'pass'));
  const expression = to.addExpression({ kind: 'new', type, parts, at: tree.start(node) });
  to.refer({ kind: 'new', name, whole: node, arguments: parts.length, expression });
}

/** `for (auto &one : all)` */
function rangeOf(to: Lowering, node: NodeId): void {
  to.inScope('block', node, () => {
    const declarator = to.part(node, 'declarator');
    const over = to.expression(to.part(node, 'right'));
    const value = to.addExpression({ kind: 'element', base: over, at: to.tree.start(declarator) });
    const type = declaredType(to, declarator, to.type(to.part(node, 'type')));
    bindNames(to, declarator, type, value);
    to.visit(to.part(node, 'body'));
  });
}

/** Binds what a declarator names, or each of several: `auto [a, b]`. */
function bindNames(to: Lowering, declarator: NodeId, type: number, value: number): void {
  const { name } = declaredBy(to, declarator);
  const from = to.tree.end(declarator);
  if (name !== NONE) to.bind('local', name, { type, value, from });
  else
    for (const [at, one] of to.tree.children(declarator).entries())
      if (to.tree.kind(one) === 'identifier') {
        const part = to.addExpression({ kind: 'part', base: value, at });
        to.bind('local', one, { value: part, from });
      }
}

/** `a.b`, `a->b`, `a.template b<T>`: an arrow goes through what a class makes of it. */
function fieldOf(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const of = to.part(node, 'argument');
  let name = to.part(node, 'field');
  if (tree.kind(name) === 'qualified_identifier') name = to.part(name, 'name');
  if (tree.kind(name) === 'template_method' || tree.kind(name) === 'dependent_name')
    name = to.part(name, 'name');
  const given = to.expression(of, 'path');
  const isArrow = tree.textOf(to.part(node, 'operator')) === '->';
  const base = isArrow
    ? to.addExpression({ kind: 'unary', name: '->', base: given, at: tree.start(node) })
    : given;
  const at = tree.start(name);
  const row = to.addExpression({
    kind: 'member',
    name: tree.textOf(name),
    base,
    at,
    nameNode: name,
    ofNode: of,
  });
  if (use !== 'callee')
    to.refer({
      kind: use === 'path' ? 'read' : use,
      ...{ name, whole: node, receiver: of, receiverRow: given, expression: row },
    });
  return row;
}

const CASTS = /^(?:static|dynamic|const|reinterpret)_cast$/;

/** `f(…)`, `f<T>(…)`, `static_cast<T>(…)`, `T(…)` */
function callAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const callee = to.part(node, 'function');
  const given = to.part(node, 'arguments');
  const isTemplate = tree.kind(callee) === 'template_function';
  const [type = NONE] = isTemplate ? to.parts(callee, 'arguments') : [];
  if (isTemplate && CASTS.test(tree.textOf(to.part(callee, 'name')))) {
    const base = to.expression(to.part(given, '#0'), 'pass');
    return to.addExpression({ kind: 'convert', base, type: to.type(type), at: tree.start(node) });
  }
  if (tree.kind(callee) === 'primitive_type') {
    const base = to.expression(to.part(given, '#0'), 'pass');
    return to.addExpression({ kind: 'convert', base, type: to.type(callee), at: tree.start(node) });
  }
  return callOf(to, node, calleeOf(to, callee, given));
}

function calleeOf(to: Lowering, written: NodeId, given: NodeId) {
  let callee = written;
  while (to.isInside(callee)) callee = to.tree.first(callee);
  const base = to.expression(callee, 'callee');
  const { name, of } = to.writtenAt(base);
  let last = callee;
  while (to.tree.kind(last) === 'qualified_identifier' || to.tree.kind(last) === 'field_expression')
    last = to.part(last, to.tree.kind(last) === 'field_expression' ? 'field' : 'name');
  const types = /^template_/.test(to.tree.kind(last)) ? to.parts(last, 'arguments') : [];
  const [type = -1] = types.map((one) => to.type(one));
  return { base, name, receiver: of, given, type };
}

/** `new T(…)`: a pointer to what is made. */
function newOf(to: Lowering, node: NodeId): number {
  const at = to.tree.start(node);
  const type = to.part(node, 'type');
  const { rows, count } = given(to, to.part(node, 'arguments'));
  const made = to.addExpression({ kind: 'new', type: to.type(type), parts: rows, at });
  for (const one of to.tree.children(to.part(node, 'declarator'))) to.expression(one);
  if (to.tree.kind(type) !== 'primitive_type')
    to.refer({ kind: 'new', name: lastOf(to, type), whole: node, arguments: count, expression: made });
  return to.addExpression({ kind: 'unary', name: '&', base: made, at });
}

function given(to: Lowering, list: NodeId): { rows: number[]; count: number } {
  const rows = to.tree.children(list).map((one) => to.expression(one, 'pass'));
  return { rows, count: rows.length };
}

/** The node of the last name of a type. */
function lastOf(to: Lowering, type: NodeId): NodeId {
  let node = type;
  for (let next = node; next !== NONE; next = to.part(node, 'name')) node = next;
  return node;
}

/** What a written type makes of arguments: a use of its constructor, where it is a class. @returns the row of what is made. */
function constructs(to: Lowering, node: NodeId, type: NodeId, parts: readonly number[]): number | undefined {
  if (
    /^(?:primitive_type|sized_type_specifier|placeholder_type_specifier|decltype)$/.test(to.tree.kind(type))
  )
    return undefined;
  const last = lastOf(to, type);
  const made = to.addExpression({ kind: 'new', type: to.type(type), parts, at: to.tree.start(node) });
  to.refer({ kind: 'new', name: last, whole: node, arguments: parts.length, expression: made });
  return made;
}

/** `Name x(…)`, `Name x{…}`; the grammar takes `Name x(a, b)` for a function. */
function localMade(
  to: Lowering,
  declarator: NodeId,
  type: NodeId,
  { callable }: Declared,
): number | undefined {
  const { tree } = to;
  const value = to.part(declarator, 'value');
  const isBare = callable !== NONE;
  const isList = tree.kind(value) === 'initializer_list';
  const before = tree.text.slice(tree.start(declarator), tree.start(value));
  if (!isBare && tree.kind(value) !== 'argument_list' && !(isList && !before.includes('='))) return undefined;
  // A pointer is given what is in the brackets.
  if (!isBare && tree.kind(to.part(declarator, 'declarator')) !== 'identifier') return undefined;
  const given = tree.children(isBare ? to.part(callable, 'parameters') : value);
  const parts = given.map((one) => {
    if (!isBare) return to.expression(one, 'pass');
    const written = to.part(one, 'type');
    for (const name of tree.children(to.part(one, 'declarator'))) to.expression(name, 'pass');
    if (tree.kind(written) === 'type_identifier') return nameAt(to, written, 'pass');
    return tree.kind(written) === 'qualified_identifier' ? pathExpression(to, written, 'pass') : to.unknown;
  });
  return parts.length === 0 ? undefined : constructs(to, declarator, type, parts);
}

/** `[&](int a) { … }` */
function lambdaOf(to: Lowering, node: NodeId): number {
  return to.inScope('function', node, () => {
    const scope = to.scope;
    to.parameters(to.part(to.part(node, 'declarator'), 'parameters'), null);
    const parts = to.returned(() => to.body(to.part(node, 'body')));
    return to.addExpression({ kind: 'function', scope, parts, at: to.tree.start(node) });
  });
}
