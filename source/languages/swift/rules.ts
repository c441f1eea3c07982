import { SYMBOL_FLAGS } from '../../ir/index.js';
import { kinds, type Lowering, type LoweringRules, type NodeId, type RouteRules } from '../../lower/index.js';
import {
  ACCESS,
  alias,
  attributeAt,
  casesAt,
  deinitializer,
  functionAt,
  INTERNAL,
  importAt,
  parameter,
  propertyAt,
  typeAt,
} from './declarations.js';
import {
  call,
  chained,
  closure,
  closureParameter,
  creation,
  infix,
  keyPath,
  member,
  prefixed,
  sum,
  tuple,
} from './expressions.js';
import { catchAt, forAt, guardAt, ifAt, switchAt, transferAt, whileAt } from './statements.js';
import { functionType, libraryType, tupleType, userType } from './types.js';

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** Frameworks whose routes are known. */
const routes: readonly RouteRules[] = [
  {
    module: /^Vapor$/,
    routers: ['Application', 'RoutesBuilder', 'Routes'],
    calls: [
      { names: VERBS, does: 'route', method: 'name', path: 0, handler: 1, segments: true },
      { names: ['group'], does: 'group', path: 0, handler: 1, segments: true },
      { names: ['grouped'], does: 'group', path: 0, handler: -1, segments: true },
    ],
  },
  {
    module: /^Hummingbird/,
    routers: ['Router', 'RouterGroup', 'RouterMethods'],
    calls: [
      { names: VERBS, does: 'route', method: 'name', path: 0, handler: 1, segments: true },
      { names: ['group'], does: 'group', path: 0, handler: -1, segments: true },
    ],
  },
];

/** What Swift's syntax means. */
export const rules: LoweringRules = {
  language: 'swift',
  comments: ['comment', 'multiline_comment'],
  tokens:
    'class struct enum extension actor protocol let var case init nil = < > <= >= + - * / % == != && ||'.split(
      ' ',
    ),
  unread: ['line_str_text', 'multi_line_str_text', 'raw_str_part', 'str_escaped_char', 'where_keyword'],
  spliced: ['type_constraint'],
  chains: [
    'additive_expression',
    'multiplicative_expression',
    'conjunction_expression',
    'disjunction_expression',
  ],
  lists: ['type_arguments'],
  importsAre: 'names',
  namesApart: 'types',
  blank: '_',
  builtinTypes: new Set(),
  constraints: { clause: ':type_constraints', name: 'constrained_type', type: 'name' },
  access: () => INTERNAL,
  modifiers: {
    part: ':modifiers',
    decorators: ['attribute'],
    privateToModule: true,
    inInterface: { access: INTERNAL },
    words: {
      ...Object.fromEntries(Object.entries(ACCESS).map(([word, access]) => [word, { access }])),
      static: { flags: SYMBOL_FLAGS.static },
      class: { flags: SYMBOL_FLAGS.static },
    },
  },
  docs: { marks: ['///', '/**'], directive: /^\/\/ (?:MARK|swiftlint)/ },
  tests: {
    decorator: /^(?:Testing\.)?Test\b/,
    name: /^test/,
    base: /(?:^|\.)\w*TestCase$/,
    files: /(?:^|\/)Tests\//,
  },
  routes,
  nodes: {
    import_declaration: importAt,
    ...kinds('class_declaration protocol_declaration', typeAt),
    ...kinds(
      'function_declaration protocol_function_declaration init_declaration subscript_declaration',
      functionAt,
    ),
    ...kinds('property_declaration protocol_property_declaration', propertyAt),
    ...kinds('typealias_declaration associatedtype_declaration', alias),
    enum_entry: casesAt,
    deinit_declaration: deinitializer,
    attribute: attributeAt,
    guard_statement: guardAt,
    ...kinds('while_statement repeat_while_statement', whileAt),
    for_statement: forAt,
    catch_block: catchAt,
    control_transfer_statement: transferAt,
    statements: 'block',
    ...kinds(
      'operator_declaration precedence_group_declaration directive macro_declaration statement_label shebang_line availability_condition else',
      'skip',
    ),
  },
  expressions: {
    simple_identifier: 'name',
    if_statement: ifAt,
    switch_statement: switchAt,
    self_expression: 'this',
    super_expression: 'super',
    navigation_expression: chained(member),
    key_path_expression: keyPath,
    call_expression: chained(call),
    constructor_expression: creation,
    prefix_expression: prefixed,
    postfix_expression: chained((to, node, use) => to.expression(to.part(node, 'target'), use)),
    lambda_literal: closure,
    macro_invocation: (to, node) => {
      to.visitChildren(to.part(node, ':call_suffix'));
      return to.unknown;
    },
    value_argument: (to, node, use) => to.expression(to.part(node, 'value'), use),
    ...kinds('try_expression await_expression', (to: Lowering, node: NodeId, use) =>
      to.expression(to.part(node, 'expr'), use),
    ),
    directly_assignable_expression: 'inside',
    assignment: (to, node) => {
      const target = to.expression(to.part(node, 'target'), 'write');
      const parts = [target, to.expression(to.part(node, 'result'))];
      return to.addExpression({ kind: 'binary', name: '=', parts, at: to.tree.start(node) });
    },
    as_expression: { is: 'convert', type: 'name', of: 'expr' },
    check_expression: { is: 'is', of: 'target', type: 'name' },
    ternary_expression: { is: 'either', parts: ['if_true', 'if_false'] },
    nil_coalescing_expression: { is: 'either', parts: ['value', 'if_nil'] },
    infix_expression: infix,
    ...kinds('additive_expression multiplicative_expression', sum),
    ...kinds(
      'comparison_expression equality_expression conjunction_expression disjunction_expression bitwise_operation',
      { is: 'binary', left: 'lhs', right: 'rhs' },
    ),
    ...kinds('range_expression open_start_range_expression open_end_range_expression', { is: 'list' }),
    array_literal: { is: 'list' },
    dictionary_literal: { is: 'unknown' },
    tuple_expression: tuple,
    selector_expression: { is: 'unknown' },
    ...kinds('line_string_literal multi_line_string_literal raw_string_literal', {
      is: 'literal',
      type: 'string',
    }),
    ...kinds('integer_literal hex_literal bin_literal oct_literal', { is: 'literal', type: 'int' }),
    real_literal: { is: 'literal', type: 'double' },
    boolean_literal: { is: 'literal', type: 'bool' },
    regex_literal: { is: 'unknown' },
    nil: { is: 'literal', type: 'nil' },
  },
  types: {
    user_type: userType,
    ...kinds('optional_type', (to: Lowering, node: NodeId) => to.type(to.part(node, 'wrapped'))),
    ...kinds('opaque_type existential_type', 'inside'),
    array_type: { is: 'list', of: 'name' },
    dictionary_type: (to, node) => {
      const parts = to.tree.children(node).map((one) => to.type(one));
      return libraryType(to, 'Dictionary', parts, to.tree.start(node));
    },
    tuple_type: tupleType,
    function_type: functionType,
    protocol_composition_type: 'union',
    metatype: 'inside',
    identifier: (to, node) => to.addType({ kind: 'unknown', at: to.tree.start(node) }),
  },
  parameters: {
    parameter,
    lambda_parameter: closureParameter,
    type_parameter: { names: ':type_identifier', type: 'name' },
  },
};
