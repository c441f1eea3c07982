import { BUILDS, SYMBOL_FLAGS } from '../../ir/index.js';
import {
  eitherOf,
  kinds,
  type Lowering,
  type LoweringRules,
  lowerExpression,
  NONE,
  type NodeId,
} from '../../lower/index.js';
import {
  aliasAt,
  constantAt,
  extensionAt,
  functionAt,
  givenAt,
  packageAt,
  packageObjectAt,
  typeAt,
  valuesAt,
} from './declarations.js';
import {
  ascriptionAt,
  assignAt,
  blockAt,
  callAt,
  decoratorAt,
  fieldAt,
  genericAt,
  identifierAt,
  infixAt,
  newAt,
} from './expressions.js';
import { caseFunction, casesIn, forAt, lambdaAt } from './functions.js';
import { importAt } from './imports.js';
import { newState } from './state.js';
import { TEST_CALLS, TEST_WORDS } from './tests.js';
import { namedType, namesIn, pathType } from './types.js';
import { bodyValue, placeholderAt, placeholderFunction, placeholdersIn } from './values.js';

const PUBLIC = { exported: true, visibility: 'public' } as const;

/** What files of tests are called, or stand in. */
export const TEST_PATH =
  /(?:^|\/)(?:test|it|tests|src-test|test-[\w-]+)\/|(?:Spec|Specs|Tests?|Suite)\.scala$/;

/** What Scala's syntax means. */
export const rules: LoweringRules = {
  language: 'scala',
  // Of a project for several platforms that of the JVM counts.
  buildOf: (_, path) => BUILDS.indexOf(/(?:^|[/.-])(?:js|native|nodejs|wasm)\//.test(path) ? 'asked' : 'all'),
  comments: ['comment', 'block_comment'],
  chains: ['infix_expression'],
  importsAre: 'names',
  namesApart: 'types',
  blank: '_',
  builtinTypes: new Set(),
  own: newState,
  access: () => PUBLIC,
  modifiers: {
    part: '.',
    kinds: ['annotation', 'modifiers'],
    decorators: ['annotation'],
    inInterface: { access: PUBLIC },
    words: {
      private: { access: { exported: false, visibility: 'private' } },
      protected: { access: { exported: true, visibility: 'protected' } },
      abstract: { flags: SYMBOL_FLAGS.abstract },
    },
  },
  docs: { marks: ['/**'], directive: /^\/\// },
  tests: {
    path: TEST_PATH,
    calls: `${TEST_CALLS} ${TEST_WORDS}`.split(' ').map((name) => ({ name, title: 0, body: 1, taking: /^/ })),
  },
  nodes: {
    package_clause: packageAt,
    package_object: packageObjectAt,
    import_declaration: importAt,
    export_declaration: 'skip',
    ...kinds('class_definition trait_definition object_definition enum_definition full_enum_case', typeAt),
    simple_enum_case: constantAt,
    ...kinds('function_definition function_declaration', (to: Lowering, node: NodeId) =>
      functionAt(to, node),
    ),
    ...kinds('val_definition var_definition val_declaration var_declaration', valuesAt),
    type_definition: aliasAt,
    given_definition: givenAt,
    extension_definition: extensionAt,
    annotation: decoratorAt,
    self_type: 'skip',
    refinement: 'skip',
    identifiers: 'skip',
    case_clause: (to, node) => to.visitChildren(node),
    guard: (to, node) => {
      to.expression(to.part(node, 'condition'));
    },
    catch_clause: (to, node) => {
      const cases = to.tree.first(node);
      if (to.tree.kind(cases) === 'case_block' || to.tree.kind(cases) === 'indented_cases')
        casesIn(to, cases, to.unknown);
      else to.visit(cases);
    },
    while_expression: 'block',
    do_while_expression: 'block',
  },
  expressions: {
    identifier: identifierAt,
    operator_identifier: identifierAt,
    field_expression: fieldAt,
    call_expression: callAt,
    generic_function: genericAt,
    instance_expression: (to, node) => newAt(to, node),
    infix_expression: (to, node) => infixAt(to, node),
    postfix_expression: (to, node, use) => {
      const [of = NONE, name = NONE] = to.tree.children(node);
      const [nameNode, ofNode] = [name, of];
      const base = to.expression(of, 'path');
      const at = to.tree.start(name);
      const made = { kind: 'member', name: to.tree.textOf(name), base, at, nameNode, ofNode } as const;
      const row = to.addExpression(made);
      if (use !== 'callee')
        to.refer({ kind: 'read', name, whole: node, receiver: of, receiverRow: base, expression: row });
      return row;
    },
    prefix_expression: (to, node, use) => lowerExpression(to, node, { is: 'unary', of: '#0' }, use),
    assignment_expression: assignAt,
    ascription_expression: ascriptionAt,
    parenthesized_expression: (to, node, use) => {
      const inner = to.tree.first(node);
      return placeholdersIn(to, inner) > 0 ? placeholderFunction(to, inner) : to.expression(inner, use);
    },
    tuple_expression: (to, node) => {
      const parts = to.tree.children(node).map((one) => bodyValue(to, one));
      return to.addExpression({ kind: 'tuple', parts, at: to.tree.start(node) });
    },
    wildcard: placeholderAt,
    block: blockAt,
    indented_block: blockAt,
    lambda_expression: (to, node) => lambdaAt(to, node),
    case_block: caseFunction,
    match_expression: (to, node) => casesIn(to, to.part(node, 'body'), to.expression(to.part(node, 'value'))),
    for_expression: forAt,
    if_expression: (to, node) => {
      to.expression(to.part(node, 'condition'));
      const parts = [
        bodyValue(to, to.part(node, 'consequence')),
        bodyValue(to, to.part(node, 'alternative')),
      ];
      return eitherOf(to, parts, node);
    },
    try_expression: (to, node) => {
      const value = bodyValue(to, to.part(node, 'body'));
      for (const one of to.tree.children(node)) if (to.tree.field(one) !== 'body') to.visit(one);
      return value;
    },
    throw_expression: (to, node) => {
      to.visitChildren(node);
      return to.addExpression({ kind: 'literal', name: 'null', at: to.tree.start(node) });
    },
    return_expression: (to, node) => {
      const value = bodyValue(to, to.tree.first(node));
      if (value >= 0 && to.owner !== null && to.symbol(to.owner, 'type') < 0) to.addReturn(value);
      return to.addExpression({ kind: 'literal', name: 'null', at: to.tree.start(node) });
    },
    interpolated_string_expression: (to, node) => {
      const word = to.tree.textOf(to.part(node, 'interpolator'));
      for (const one of to.tree.children(node)) if (to.tree.field(one) !== 'interpolator') to.visit(one);
      if (!/^(?:s|f|raw)$/.test(word)) return to.unknown;
      return to.addExpression({ kind: 'literal', name: 'string', at: to.tree.start(node) });
    },
    quote_expression: { is: 'unknown' },
    splice_expression: { is: 'unknown' },
    string: { is: 'literal', type: 'string' },
    character_literal: { is: 'literal', type: 'char' },
    integer_literal: { is: 'literal', type: 'int', suffixes: { l: 'long' } },
    floating_point_literal: { is: 'literal', type: 'double', suffixes: { f: 'float' } },
    boolean_literal: { is: 'literal', type: 'boolean' },
    null_literal: { is: 'literal', type: 'null' },
    unit: { is: 'literal', type: 'unit' },
  },
  types: {
    ...kinds(
      'type_identifier stable_type_identifier generic_type projected_type',
      (to: Lowering, node: NodeId) => namedType(to, node),
    ),
    compound_type: (to, node) => {
      const types = to.tree.children(node).filter((one) => to.typeRule(one) !== undefined);
      const parts = types.map((one) => to.type(one));
      return parts.length === 1
        ? (parts[0] ?? -1)
        : to.addType({ kind: 'union', parts, at: to.tree.start(node) });
    },
    infix_type: (to, node) => {
      const operator = to.part(node, 'operator');
      const text = to.tree.textOf(operator);
      const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
      const at = to.tree.start(node);
      // `A*` in the place of a parameter's type, `_ <: A` in that of an argument.
      if (text === '*') return to.type(left);
      if (text === '<:' || text === '>:') return to.type(right);
      const parts = [to.type(left), to.type(right)];
      if (text === '|') return to.addType({ kind: 'either', parts, at });
      return text === '&'
        ? to.addType({ kind: 'union', parts, at })
        : to.addType({ kind: 'name', name: text, parts, at: to.tree.start(operator) });
    },
    function_type: (to, node) => {
      const parameters = to.tree.children(to.part(node, 'parameter_types'));
      const parts = parameters.map((one) => to.type(one));
      const base = to.type(to.part(node, 'return_type'));
      return to.addType({ kind: 'function', base, parts, at: to.tree.start(node) });
    },
    tuple_type: 'tuple',
    ...kinds('lazy_parameter_type repeated_parameter_type annotated_type', 'inside' as const),
    singleton_type: (to, node) => {
      const names = namesIn(to, node);
      return pathType(to, names);
    },
    structural_type: (to, node) => to.addType({ kind: 'unknown', at: to.tree.start(node) }),
    wildcard: (to, node) => to.addType({ kind: 'wildcard', at: to.tree.start(node) }),
    ...kinds('type_lambda match_type literal_type', (to: Lowering, node: NodeId) =>
      to.addType({ kind: 'unknown', at: to.tree.start(node) }),
    ),
  },
  parameters: {},
};
