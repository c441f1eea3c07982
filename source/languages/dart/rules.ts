import { kinds, type Lowering, type LoweringRules, NONE, type NodeId } from '../../lower/index.js';
import {
  alias,
  annotation,
  classAt,
  enumConstant,
  extension,
  localFunction,
  newFile,
  signatureAt,
  variablesAt,
} from './declarations.js';
import { directive, part, partOf } from './directives.js';
import {
  assignment,
  binary,
  collection,
  conditional,
  construction,
  element,
  lambda,
  namedArgument,
  primary,
  unary,
  valueAt,
} from './expressions.js';
import { operands } from './siblings.js';
import {
  forStatement,
  ifStatement,
  localVariables,
  switchExpression,
  switchStatement,
  tryStatement,
} from './statements.js';
import { functionType, namedType, recordType, typeNodes } from './types.js';

const PUBLIC = { exported: true, visibility: 'public' } as const;
const PRIVATE = { exported: false, visibility: 'private' } as const;

/** Nodes that hold the names of variables. */
const LISTS = ['initialized_identifier_list', 'static_final_declaration_list', 'identifier_list'];

/** What Dart's syntax means. */
export const rules: LoweringRules = {
  language: 'dart',
  comments: ['comment', 'documentation_comment'],
  importsAre: 'names',
  blank: '_',
  builtinTypes: new Set(),
  access: (name) => (name.startsWith('_') ? PRIVATE : PUBLIC),
  docs: { marks: ['///', '/**'] },
  own: newFile,
  tests: {
    path: /_test\.dart$/,
    entry: /^main$/,
    calls: [
      ...['test', 'testWidgets', 'testGoldens', 'blocTest'].map((name) => ({
        name,
        title: 0,
        body: -1,
        taking: /^\w/,
      })),
      { name: 'group', title: 0, body: 1, taking: /^\(/, isSuite: true },
    ],
  },
  routes: [
    {
      module: /^package:shelf_router\//,
      routers: ['Router'],
      calls: [
        {
          ...{ names: ['get', 'post', 'put', 'delete', 'patch', 'head', 'options', 'all'], does: 'route' },
          ...{ method: 'name', path: 0, handler: 1 },
        },
        { names: ['add'], does: 'route', method: 0, path: 1, handler: 2 },
        { names: ['mount'], does: 'mount', path: 0, handler: 1 },
      ],
    },
    {
      module: /^package:go_router\//,
      routers: [],
      calls: [
        {
          ...{ names: ['GoRoute'], does: 'route', method: { is: 'PAGE' }, isNesting: true },
          ...{ path: 'path', handler: 'builder' },
        },
      ],
    },
  ],
  nodes: {
    import_or_export: directive,
    part_directive: part,
    part_of_directive: partOf,
    library_name: (to, node) => to.documentFile(node),
    annotation,
    ...kinds('class_definition mixin_declaration enum_declaration extension_type_declaration', classAt),
    extension_declaration: extension,
    type_alias: alias,
    enum_constant: enumConstant,
    method_signature: (to, node) => signatureAt(to, node, to.tree.first(node)),
    ...kinds('function_signature getter_signature setter_signature', (to, node) =>
      signatureAt(to, node, node),
    ),
    declaration,
    ...kinds(LISTS.join(' '), (to, node) => topVariables(to, node)),
    ...kinds(
      'function_body selector unconditional_assignable_selector conditional_assignable_selector',
      'skip',
    ),
    ...kinds('type_identifier type_arguments nullable_type function_type record_type void_type', 'skip'),
    local_function_declaration: localFunction,
    local_variable_declaration: localVariables,
    if_statement: ifStatement,
    for_statement: forStatement,
    try_statement: tryStatement,
    switch_statement: switchStatement,
    return_statement: (to, node) => {
      const value = valueAt(to, to.tree.first(node));
      if (value < 0) return;
      if (to.values) to.values.push(value);
      else if (to.owner !== null && (to.kindOf(value) === 'function' || to.symbol(to.owner, 'type') < 0))
        to.addReturn(value);
    },
    ...kinds('expression_statement yield_statement yield_each_statement', (to, node) => {
      valueAt(to, to.tree.first(node));
    }),
    break_statement: 'skip',
    continue_statement: 'skip',
    block: 'block',
  },
  expressions: {
    ...kinds('identifier identifier_dollar_escaped', primary('name')),
    this: primary('this'),
    super: primary('super'),
    parenthesized_expression: primary((to, node, use) => valueAt(to, to.tree.first(node), use)),
    string_literal: primary({ is: 'literal', type: 'string' }),
    decimal_integer_literal: primary({ is: 'literal', type: 'int' }),
    hex_integer_literal: primary({ is: 'literal', type: 'int' }),
    decimal_floating_point_literal: primary({ is: 'literal', type: 'double' }),
    ...kinds('true false', primary({ is: 'literal', type: 'bool' })),
    null_literal: primary({ is: 'literal', type: 'null' }),
    symbol_literal: primary({ is: 'unknown' }),
    ...kinds('list_literal set_or_map_literal', primary(collection)),
    record_literal: primary(record),
    ...kinds('new_expression const_object_expression', primary(construction)),
    function_expression: primary(lambda),
    switch_expression: primary(switchExpression),
    argument: (to, node, use) => valueAt(to, to.tree.first(node), use),
    named_argument: namedArgument,
    record_field: (to, node) =>
      to.tree.kind(to.tree.first(node)) === 'label'
        ? namedArgument(to, node)
        : valueAt(to, to.tree.first(node), 'pass'),
    assignable_expression: (to, node) => to.expression(to.tree.first(node), 'write'),
    assignment_expression: assignment,
    pattern_assignment: (to, node) => {
      for (const one of operands(to, node)) valueAt(to, one);
      return to.unknown;
    },
    postfix_expression: (to, node) => to.expression(to.tree.first(node)),
    unary_expression: unary,
    await_expression: { is: 'await', of: '#0' },
    throw_expression: (to, node) => {
      valueAt(to, to.tree.first(node));
      return to.unknown;
    },
    conditional_expression: conditional,
    ...kinds(
      'additive_expression multiplicative_expression shift_expression bitwise_and_expression bitwise_or_expression ' +
        'bitwise_xor_expression relational_expression equality_expression logical_and_expression logical_or_expression ' +
        'if_null_expression',
      binary,
    ),
    type_test_expression: (to, node) => tested(to, node, 'is'),
    type_cast_expression: (to, node) => tested(to, node, 'convert'),
    ...kinds('for_element if_element', element),
    spread_element: (to, node) => {
      const base = valueAt(to, to.tree.first(node));
      return to.addExpression({ kind: 'element', base, at: to.tree.start(node) });
    },
    pair: (to, node) => {
      to.expression(to.part(node, 'key'));
      return valueAt(to, to.part(node, 'value'));
    },
    template_substitution: (to, node) => valueAt(to, to.tree.first(node)),
  },
  types: {
    type_identifier: namedType,
    function_type: functionType,
    record_type: recordType,
    void_type: { is: 'literal', name: 'void' },
    type_bound: 'inside',
  },
  parameters: { type_parameter: { names: '#0', type: ':type_bound' } },
};

/** `a is T`, `a as T`: the type stands in a node of its own. */
function tested(to: Lowering, node: NodeId, kind: 'is' | 'convert'): number {
  const { tree } = to;
  let base = to.expression(tree.first(node));
  for (const one of tree.children(node)) {
    if (!/^type_(?:test|cast)$/.test(tree.kind(one))) continue;
    const [written = NONE] = typeNodes(to, one);
    base = to.addExpression({ kind, base, type: to.type(written), at: tree.start(node) });
  }
  return base;
}

/** `(a, name: b)`; fields with names are not followed. What has one field with a name alone may be an argument. */
function record(to: Lowering, node: NodeId): number {
  if (to.tree.kind(to.tree.first(node)) === 'label') return namedArgument(to, node);
  const parts = to.tree.children(node).flatMap((field) => {
    const [first = NONE, second = NONE] = to.tree.children(field);
    const isNamed = to.tree.kind(first) === 'label';
    const value = valueAt(to, isNamed ? second : first);
    return isNamed ? [] : [value];
  });
  return to.addExpression({ kind: 'tuple', parts, at: to.tree.start(node) });
}

/** A member without a body: fields, a constructor, something abstract. */
function declaration(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const inner = tree.children(node);
  const list = inner.find((one) => LISTS.includes(tree.kind(one)));
  const signature = inner.find((one) => tree.kind(one).endsWith('_signature'));
  if (list !== undefined) variablesAt(to, node, list, typeNodes(to, node)[0] ?? NONE, tree.start(node));
  else if (signature !== undefined) signatureAt(to, node, signature);
  else to.visitChildren(node);
}

/** Words and types in front of the names of variables. */
const BEFORE =
  /^(?:final_builtin|const_builtin|inferred_type|type_identifier|type_arguments|nullable_type|function_type|record_type|void_type)$/;

/** Variables of the file: what stands in front of their names are siblings. */
function topVariables(to: Lowering, list: NodeId): void {
  const { tree } = to;
  let first = list;
  let typed: NodeId = NONE;
  const before = previousOf(to);
  for (let one = before.get(list); one !== undefined && BEFORE.test(tree.kind(one)); one = before.get(one)) {
    if (
      !/^(?:\s|late\b|external\b|\.)*$/.test(tree.text.slice(tree.end(one), tree.start(first)).slice(0, 200))
    )
      break;
    first = one;
    if (to.typeRule(one) !== undefined) typed = one;
  }
  const word = /(?:late|external)\s+$/.exec(
    tree.text.slice(Math.max(0, tree.start(first) - 12), tree.start(first)),
  );
  variablesAt(to, list, list, typed, tree.start(first) - (word?.[0].length ?? 0));
}

const previous = new WeakMap<object, ReadonlyMap<NodeId, NodeId>>();

/** Of each node at the top the one in front of it. */
function previousOf(to: Lowering): ReadonlyMap<NodeId, NodeId> {
  let known = previous.get(to.tree);
  if (!known) {
    const all = to.tree.children(0);
    known = new Map(all.slice(1).map((one, at) => [one, all[at] ?? NONE]));
    previous.set(to.tree, known);
  }
  return known;
}
