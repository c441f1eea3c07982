import { SYMBOL_FLAGS } from '../../ir/index.js';
import {
  argumentNamed,
  delegation,
  type FunctionRule,
  kinds,
  type Lowering,
  type LoweringRules,
  lowerDeclaration,
  NONE,
  type NodeId,
  type RouteDecorator,
  type RouteRules,
  type TypeDeclarationRule,
  type VariableRule,
} from '../../lower/index.js';
import {
  classAt,
  constraintOf,
  delegate,
  functionAt,
  locals,
  namespaceAt,
  PUBLIC,
  parameter,
  property,
  usingDirective,
} from './declarations.js';
import {
  assignment,
  call,
  conditional,
  creation,
  generic,
  keyOf,
  lambda,
  member,
  pattern,
  query,
  switchExpression,
  tuple,
} from './expressions.js';
import { VALUE_TYPES } from './library.js';

const METHOD: FunctionRule = {
  does: 'function',
  kind: 'method',
  name: 'name',
  typeParameters: 'type_parameters',
  parameters: 'parameters',
  result: 'returns',
  body: 'body',
};
const TYPED: FunctionRule = { ...METHOD, result: 'type' };

const CLASS: TypeDeclarationRule = {
  does: 'type',
  kind: 'class',
  name: 'name',
  typeParameters: ':type_parameter_list',
  body: 'body',
};

const FIELD: VariableRule = {
  does: 'variables',
  kind: 'field',
  declarators: ':variable_declarator',
  names: 'name',
  type: 'type',
  values: '#1',
};

/** Types of values: that they may be missing makes another type of them. */
const VALUES = new Set(VALUE_TYPES.split(' '));

const INTEGER = { is: 'literal', type: 'int', suffixes: { l: 'long' } } as const;
const REAL = { is: 'literal', type: 'double', suffixes: { f: 'float', m: 'decimal' } } as const;

/** As ASP.NET spells them. */
const VERBS = ['Get', 'Post', 'Put', 'Patch', 'Delete', 'Head', 'Options'];

const MAPPED = VERBS.map((verb): RouteDecorator => {
  return { names: [`Http${verb}`], does: 'route', method: { is: verb.toUpperCase() } };
});

/** Frameworks whose routes are known. */
const routes: readonly RouteRules[] = [
  {
    module: /^Microsoft\.AspNetCore/,
    routers: ['WebApplication', 'RouteGroupBuilder', 'IEndpointRouteBuilder', 'RouteGroupBuilder'],
    calls: VERBS.map((verb) => {
      return {
        names: [`Map${verb}`],
        does: 'route',
        method: { is: verb.toUpperCase() },
        path: 0,
        handler: 1,
      };
    }),
    decorators: [...MAPPED, { names: ['Route'], does: 'prefix' }],
  },
];

/** What C#'s syntax means. */
export const rules: LoweringRules = {
  language: 'csharp',
  comments: ['comment'],
  tokens: ['this', 'base'],
  spliced: ['variable_declaration'],
  chains: ['binary_expression'],
  importsAre: 'names',
  namesApart: true,
  blank: '_',
  inferredTypes: new Set(['var']),
  builtinTypes: new Set(['dynamic', 'nint', 'nuint']),
  access: () => ({ exported: false, visibility: 'private' }),
  documented: (to, node, written) =>
    to.tree.kind(node) === 'type_parameter' ? constraintOf(to, node) : written,
  modifiers: {
    part: '.',
    kinds: ['modifier'],
    decorators: ['attribute_list'],
    decorator: 'attribute',
    inInterface: { access: PUBLIC },
    words: {
      public: { access: PUBLIC },
      internal: { access: { exported: true, visibility: 'protected' } },
      protected: { access: { exported: true, visibility: 'protected' } },
      private: { access: { exported: false, visibility: 'private' } },
      static: { flags: SYMBOL_FLAGS.static },
      abstract: { flags: SYMBOL_FLAGS.abstract },
      const: { isConstant: true, flags: SYMBOL_FLAGS.static },
      readonly: { isConstant: true },
      async: { flags: SYMBOL_FLAGS.async },
      partial: { flags: SYMBOL_FLAGS.partial },
    },
  },
  docs: { marks: ['///', '/**'] },
  tests: {
    decorator:
      /^(?:[\w.]+\.)?(?:Fact|Theory|Test|TestCase|TestCaseSource|TestMethod|DataTestMethod)(?:Attribute)?(?![\w.])/,
    files: /(?:^|\/)[\w.]*Tests?\//,
  },
  routes,
  nodes: {
    namespace_declaration: namespaceAt,
    file_scoped_namespace_declaration: namespaceAt,
    using_directive: usingDirective,
    class_declaration: (to, node) => classAt(to, node, CLASS),
    record_declaration: (to, node) => classAt(to, node, CLASS),
    struct_declaration: (to, node) => classAt(to, node, { ...CLASS, subkind: 'struct' }),
    interface_declaration: (to, node) =>
      classAt(to, node, { ...CLASS, kind: 'interface', subkind: 'interface' }),
    enum_declaration: (to, node) => classAt(to, node, { ...CLASS, kind: 'enum', subkind: 'enum' }),
    enum_member_declaration: {
      does: 'case',
      name: 'name',
      arguments: 'arguments',
      body: 'body',
      access: PUBLIC,
    },
    delegate_declaration: delegate,
    field_declaration: FIELD,
    event_field_declaration: FIELD,
    property_declaration: property,
    event_declaration: property,
    indexer_declaration: property,
    method_declaration: (to, node) => functionAt(to, node, METHOD),
    local_function_statement: (to, node) => functionAt(to, node, { ...TYPED, kind: 'function' }),
    constructor_declaration: (to, node) =>
      functionAt(to, node, { ...TYPED, kind: 'constructor', others: [':constructor_initializer'] }),
    constructor_initializer: (to, node) => {
      const isThis = /^:\s*this/.test(to.tree.textOf(node));
      const [of, word] = isThis ? (['this', 'this'] as const) : (['super', 'base'] as const);
      delegation(to, node, of, word, to.part(node, ':argument_list'));
    },
    destructor_declaration: (to, node) => to.inScope('function', node, () => to.visit(to.part(node, 'body'))),
    ...kinds('operator_declaration conversion_operator_declaration', (to: Lowering, node: NodeId) =>
      to.inScope('function', node, () => {
        to.parameters(to.part(node, 'parameters'), null);
        to.type(to.part(node, 'type'));
        to.visit(to.part(node, 'body'));
      }),
    ),
    arrow_expression_clause: { does: 'returns', value: '#0' },
    return_statement: { does: 'returns', value: '#0' },
    local_declaration_statement: locals,
    ...kinds('for_statement using_statement fixed_statement', (to: Lowering, node: NodeId) =>
      to.inScope('block', node, () => {
        locals(to, node);
        for (const one of to.tree.children(node))
          if (to.tree.kind(one) !== 'variable_declarator' && to.tree.field(one) !== 'type') to.visit(one);
      }),
    ),
    foreach_statement: (to, node) => {
      const left = to.part(node, 'left');
      if (to.tree.kind(left) !== 'tuple_pattern') {
        const names = { names: 'left', type: 'type', over: 'right', body: 'body' };
        lowerDeclaration(to, node, { does: 'loop', gives: ['element'], ...names });
        return;
      }
      to.inScope('block', node, () => {
        const base = to.expression(to.part(node, 'right'));
        tuple(to, left, to.addExpression({ kind: 'element', base, at: to.tree.start(left) }));
        to.visit(to.part(node, 'body'));
      });
    },
    catch_declaration: { does: 'locals', names: 'name', type: 'type', values: 'value' },
    attribute: (to, node) => {
      const name = to.part(node, 'name');
      const last = to.tree.kind(name) === 'qualified_name' ? to.part(name, 'name') : name;
      const written = to.tree.textOf(last);
      const at = to.tree.start(name);
      const parts = [`${written}Attribute`, written].map((one) =>
        to.addType({ kind: 'name', name: one, at }),
      );
      to.refer({
        kind: 'decorator',
        name: last,
        whole: node,
        type: to.addType({ kind: 'either', parts, at }),
      });
      to.visitChildren(to.part(node, ':attribute_argument_list'));
    },
    explicit_interface_specifier: (to, node) => {
      to.type(to.part(node, '#0'));
    },
    ...kinds('block catch_clause switch_section', 'block' as const),
    ...kinds('goto_statement break_statement continue_statement extern_alias_directive', 'skip' as const),
    labeled_statement: (to, node) => to.visit(to.part(node, '#-1')),
    ...kinds('declaration_pattern recursive_pattern var_pattern list_pattern', (to: Lowering, node: NodeId) =>
      pattern(to, node, -1),
    ),
    constant_pattern: (to, node) => pattern(to, node, -1),
    type_pattern: (to, node) => pattern(to, node, -1),
  },
  expressions: {
    identifier: 'name',
    generic_name: generic,
    this: 'this',
    base: 'super',
    member_access_expression: member,
    conditional_access_expression: conditional,
    invocation_expression: call,
    ...kinds('object_creation_expression implicit_object_creation_expression', creation),
    array_creation_expression: { is: 'composite', type: 'type', elements: ':initializer_expression' },
    implicit_array_creation_expression: 'inside',
    initializer_expression: { is: 'list' },
    collection_expression: { is: 'list' },
    element_access_expression: { is: 'index', of: 'expression', index: 'subscript' },
    bracketed_argument_list: 'inside',
    argument: (to, node, use) => {
      const value = to.part(node, '#-1');
      // A bare `this` is no node where it is no field.
      const name = to.part(node, 'name');
      const isThis = (value === NONE || value === name) && to.tree.textOf(node).endsWith('this');
      const base = isThis
        ? to.addExpression({ kind: 'this', at: to.tree.start(node) })
        : to.expression(value, use);
      return name === NONE ? base : argumentNamed(to, node, to.tree.textOf(name), base);
    },
    parenthesized_expression: 'inside',
    checked_expression: 'inside',
    ref_expression: 'inside',
    postfix_unary_expression: 'inside',
    prefix_unary_expression: { is: 'unary', of: '#0' },
    cast_expression: { is: 'convert', type: 'type', of: 'value' },
    as_expression: { is: 'convert', type: 'right', of: 'left' },
    is_expression: { is: 'is', of: 'left', type: 'right' },
    is_pattern_expression: (to, node) => {
      const base = to.expression(to.part(node, 'expression'));
      pattern(to, to.part(node, 'pattern'), base);
      return to.addExpression({ kind: 'is', base, at: to.tree.start(node) });
    },
    declaration_expression: (to, node) => {
      const [type, name] = [to.type(to.part(node, 'type')), to.part(node, 'name')];
      if (name !== NONE) to.bind('local', name, { type, from: to.tree.start(name) });
      return to.addExpression({ kind: 'convert', type, at: to.tree.start(node) });
    },
    assignment_expression: assignment,
    binary_expression: (to, node) => {
      const { tree } = to;
      const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
      const parts = [to.expression(left), to.expression(right)];
      const name = tree.text.slice(tree.end(left), tree.start(right)).trim();
      const at = tree.start(node);
      return to.addExpression(
        name === '??' ? { kind: 'either', parts, at } : { kind: 'binary', name, parts, at },
      );
    },
    conditional_expression: { is: 'either', parts: ['consequence', 'alternative'] },
    switch_expression: switchExpression,
    ...kinds('lambda_expression anonymous_method_expression', lambda),
    query_expression: query,
    await_expression: { is: 'await', of: '#0' },
    typeof_expression: (to, node) => {
      to.type(to.part(node, 'type'));
      const at = to.tree.start(node);
      const base = to.addType({ kind: 'package', name: 'System', at });
      return to.addExpression({
        kind: 'composite',
        type: to.addType({ kind: 'name', name: 'Type', base, at }),
        at,
      });
    },
    default_expression: { is: 'convert', type: 'type', of: 'value' },
    tuple_expression: { is: 'unknown' },
    throw_expression: { is: 'unknown' },
    anonymous_object_creation_expression: { is: 'unknown' },
    ...kinds('string_literal verbatim_string_literal raw_string_literal interpolated_string_expression', {
      is: 'literal',
      type: 'string',
    } as const),
    character_literal: { is: 'literal', type: 'char' },
    integer_literal: INTEGER,
    real_literal: REAL,
    boolean_literal: { is: 'literal', type: 'bool' },
    null_literal: { is: 'literal', type: 'null' },
  },
  types: {
    identifier: 'name',
    generic_name: (to, node) => {
      const name = to.part(node, '#0');
      const parts = to.tree.children(to.part(node, ':type_argument_list')).map((one) => to.type(one));
      const at = to.tree.start(node);
      const text = to.tree.textOf(name);
      if (text === 'Func')
        return to.addType({ kind: 'function', parts: parts.slice(0, -1), base: parts.at(-1) ?? -1, at });
      if (text === 'Action') return to.addType({ kind: 'function', parts, at });
      const type = to.addType({ kind: 'name', name: keyOf(to, node), parts, at });
      if (!to.isBound(text, 'type')) to.refer({ kind: 'type', name, whole: node, type });
      return type;
    },
    qualified_name: (to, node) => {
      const { tree } = to;
      const base = to.type(to.part(node, 'qualifier'));
      const last = to.part(node, 'name');
      const name = tree.kind(last) === 'generic_name' ? to.part(last, '#0') : last;
      const parts = tree.children(to.part(last, ':type_argument_list')).map((one) => to.type(one));
      const type = to.addType({ kind: 'name', name: keyOf(to, last), base, parts, at: tree.start(node) });
      to.refer({ kind: 'type', name, whole: node, receiver: to.part(node, 'qualifier'), type });
      return type;
    },
    alias_qualified_name: (to, node) => to.type(to.part(node, 'name')),
    nullable_type: (to, node) => {
      const of = to.part(node, 'type');
      const name = to.tree.textOf(of).replace(/^System\./, '');
      const at = to.tree.start(node);
      if (!VALUES.has(name)) return to.type(of);
      const base = to.addType({ kind: 'package', name: 'System', at });
      return to.addType({ kind: 'name', name: `Nullable$${name}`, base, at });
    },
    ref_type: 'inside',
    scoped_type: 'inside',
    pointer_type: { is: 'pointer', of: 'type' },
    array_type: { is: 'list', of: 'type', dimensions: 'rank' },
    tuple_type: (to, node) => {
      const parts = to.tree.children(node).map((one) => to.type(to.part(one, 'type')));
      return to.addType({ kind: 'tuple', parts, at: to.tree.start(node) });
    },
    implicit_type: () => -1,
    predefined_type: (to, node) => {
      const name = to.tree.textOf(node);
      return to.addType({ kind: 'literal', name, at: to.tree.start(node) });
    },
  },
  parameters: {
    parameter,
    // `params T[] name` is no node of its own.
    array_type: (to, node) => parameter(to, node),
    implicit_parameter: { names: '.', type: 'type' },
    type_parameter: { names: 'name', type: 'type' },
  },
};
