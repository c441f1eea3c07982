import {
  callOf,
  type FunctionRule,
  type Lowering,
  type LoweringRules,
  memberAt,
  NONE,
  type NodeId,
  type RouteDecorator,
  type TypeDeclarationRule,
  type Use,
  type VariableRule,
} from '../../lower/index.js';

const PUBLIC = { exported: true, visibility: 'public' } as const;

const METHOD: FunctionRule = {
  does: 'function',
  kind: 'method',
  name: 'name',
  typeParameters: 'type_parameters',
  parameters: 'parameters',
  result: 'type',
  body: 'body',
  others: [':throws'],
};

const DECLARED = { declarators: 'declarator', names: 'name', type: 'type', values: 'value' };
const FIELD: VariableRule = { does: 'variables', kind: 'field', ...DECLARED };

const CLASS: TypeDeclarationRule = {
  does: 'type',
  kind: 'class',
  name: 'name',
  typeParameters: 'type_parameters',
  bases: [
    { part: 'superclass', relation: 'extends' },
    { part: 'interfaces', relation: 'implements' },
    { part: ':extends_interfaces', relation: 'extends' },
  ],
  body: 'body',
};
const INTERFACE: TypeDeclarationRule = { ...CLASS, kind: 'interface', subkind: 'interface' };

const INTEGER = { is: 'literal', type: 'int', suffixes: { l: 'long' } } as const;
const REAL = { is: 'literal', type: 'double', suffixes: { f: 'float' } } as const;

const MAPPINGS = 'Get Post Put Patch Delete'.split(' ').map((verb): RouteDecorator => {
  return { names: [`${verb}Mapping`], does: 'route', method: { is: verb.toUpperCase() } };
});
const METHODS = 'GET POST PUT PATCH DELETE HEAD OPTIONS'.split(' ').map((verb): RouteDecorator => {
  return { names: [verb], does: 'method', method: { is: verb } };
});

/** What Java's syntax means. */
export const rules: LoweringRules = {
  language: 'java',
  comments: ['line_comment', 'block_comment'],
  lists: ['type_arguments'],
  importsAre: 'names',
  namesApart: true,
  inferredTypes: new Set(['var']),
  builtinTypes: new Set(),
  access: () => ({ exported: false, visibility: 'protected' }),
  modifiers: {
    part: ':modifiers',
    decorators: ['annotation', 'marker_annotation'],
    inInterface: { access: PUBLIC, fields: { flags: 1, isConstant: true } },
    words: {
      public: { access: PUBLIC },
      protected: { access: { exported: true, visibility: 'protected' } },
      private: { access: { exported: false, visibility: 'private' } },
      static: { flags: 1 },
      abstract: { flags: 2 },
      final: { isConstant: true },
    },
  },
  docs: { marks: ['/**', '//'], directive: /^\/\// },
  tests: {
    decorator: /^(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)(?![\w.])/,
    name: /^test/,
    base: /TestCase$/,
    title: /^(?:[\w.]+\.)?DisplayName\(\s*(?:value\s*=\s*)?"((?:[^"\\]|\\.)*)"/,
  },
  routes: [
    {
      module: /^org\.springframework\.web\.bind\.annotation/,
      routers: [],
      decorators: [
        ...MAPPINGS,
        { names: ['RequestMapping'], does: 'route', method: { argument: 'method' } },
        { names: ['RequestMapping'], does: 'prefix' },
      ],
    },
    {
      module: /^(?:javax|jakarta)\.ws\.rs/,
      routers: [],
      decorators: [...METHODS, { names: ['Path'], does: 'path' }],
    },
  ],
  nodes: {
    package_declaration: (to, node) => {
      to.setPackage(to.tree.textOf(to.part(node, '#-1')).replace(/\s/g, ''));
      to.documentFile(node);
    },
    module_declaration: (to, node) => to.documentFile(node),
    import_declaration: importOf,
    annotation: decorator,
    marker_annotation: decorator,
    element_value_pair: (to, node) => to.visit(to.part(node, 'value')),
    class_declaration: CLASS,
    interface_declaration: INTERFACE,
    annotation_type_declaration: INTERFACE,
    enum_declaration: { ...CLASS, kind: 'enum', subkind: 'enum' },
    record_declaration: { ...CLASS, components: { part: 'parameters', accessors: true } },
    enum_constant: { does: 'case', name: 'name', arguments: 'arguments', body: 'body', access: PUBLIC },
    field_declaration: FIELD,
    constant_declaration: FIELD,
    method_declaration: METHOD,
    annotation_type_element_declaration: METHOD,
    constructor_declaration: { ...METHOD, kind: 'constructor' },
    compact_constructor_declaration: { ...METHOD, kind: 'constructor' },
    class_body: { does: 'members', initializers: ['block', 'static_initializer'] },
    explicit_constructor_invocation: (to, node) => {
      const name = to.part(node, 'constructor');
      to.expression(to.part(node, 'object'));
      const base = to.expression(name);
      callOf(to, node, { base, name, receiver: NONE, given: to.part(node, 'arguments') });
    },
    local_variable_declaration: { does: 'locals', ...DECLARED },
    resource: { does: 'locals', names: 'name', type: 'type', values: 'value' },
    catch_formal_parameter: { does: 'locals', names: 'name', type: '*type', values: 'value' },
    type_pattern: { does: 'locals', declares: true, names: '#-1', type: '*type', values: 'value' },
    record_pattern_component: {
      does: 'locals',
      declares: true,
      names: ':identifier',
      type: '*type',
      values: ':record_pattern',
    },
    record_pattern: (to, node) => {
      typeOf(to, to.part(node, '#0'));
      to.visitChildren(to.part(node, '#-1'));
    },
    enhanced_for_statement: {
      does: 'loop',
      names: 'name',
      type: 'type',
      over: 'value',
      gives: ['element'],
      body: 'body',
    },
    return_statement: { does: 'returns', value: '#0' },
    labeled_statement: (to, node) => to.visit(to.part(node, '#-1')),
    break_statement: 'skip',
    continue_statement: 'skip',
    block: 'block',
    for_statement: 'block',
    catch_clause: 'block',
    try_with_resources_statement: 'block',
  },
  expressions: {
    identifier: 'name',
    this: 'this',
    super: 'super',
    field_access: (to, node, use) => {
      const [of, name] = [to.part(node, 'object'), to.part(node, 'field')];
      if (to.tree.kind(name) !== 'this') return memberAt(to, node, of, name, use);
      return to.addExpression({ kind: 'this', type: typeOf(to, of), at: to.tree.start(node) });
    },
    method_invocation: call,
    object_creation_expression: {
      is: 'new',
      type: 'type',
      arguments: 'arguments',
      body: ':class_body',
    },
    array_creation_expression: {
      is: 'composite',
      type: 'type',
      dimensions: 'dimensions',
      elements: 'value',
    },
    array_initializer: { is: 'list' },
    element_value_array_initializer: { is: 'list' },
    array_access: { is: 'index', of: 'array', index: 'index' },
    parenthesized_expression: 'inside',
    cast_expression: { is: 'convert', type: 'type', of: 'value' },
    instanceof_expression: { is: 'is', of: 'left', type: 'right', name: 'name', pattern: 'pattern' },
    assignment_expression: { is: 'assign', target: 'left', value: 'right' },
    update_expression: { is: 'unary', of: '#0', writes: true },
    unary_expression: { is: 'unary', of: 'operand' },
    binary_expression: { is: 'binary', left: 'left', right: 'right' },
    ternary_expression: { is: 'either', parts: ['consequence', 'alternative'] },
    lambda_expression: { is: 'function', parameters: 'parameters', body: 'body' },
    method_reference: reference,
    switch_expression: {
      is: 'choice',
      of: 'condition',
      body: 'body',
      branch: 'switch_rule',
      label: 'switch_label',
      value: 'expression_statement',
    },
    class_literal: (to, node) => {
      const at = to.tree.start(node);
      const of = to.type(to.part(node, '#0'));
      const type = to.addType({ kind: 'name', name: 'Class', parts: [of], at });
      return to.addExpression({ kind: 'composite', type, at });
    },
    string_literal: { is: 'literal', type: 'string' },
    character_literal: { is: 'literal', type: 'char' },
    decimal_integer_literal: INTEGER,
    hex_integer_literal: INTEGER,
    octal_integer_literal: INTEGER,
    binary_integer_literal: INTEGER,
    decimal_floating_point_literal: REAL,
    hex_floating_point_literal: REAL,
    true: { is: 'literal', type: 'boolean' },
    false: { is: 'literal', type: 'boolean' },
    null_literal: { is: 'literal', type: 'null' },
  },
  types: {
    type_identifier: 'name',
    scoped_type_identifier: { is: 'name', name: '#-1', of: '#0' },
    generic_type: { is: 'generic', type: '#0', arguments: ':type_arguments' },
    array_type: { is: 'list', of: 'element', dimensions: 'dimensions' },
    annotated_type: (to, node) => to.type(to.part(node, '*type')),
    wildcard: (to, node) => {
      const bound = to.part(node, '*type');
      return bound === NONE ? to.addType({ kind: 'wildcard', at: to.tree.start(node) }) : to.type(bound);
    },
    type_bound: 'union',
    catch_type: 'union',
    integral_type: builtin,
    floating_point_type: builtin,
    boolean_type: builtin,
    void_type: builtin,
  },
  parameters: {
    formal_parameter: { names: 'name', type: 'type' },
    spread_parameter: { names: ':variable_declarator', type: '*type', variadic: true },
    type_parameter: { names: ':type_identifier', type: ':type_bound' },
    // Of a lambda.
    identifier: { names: '.', type: 'type' },
  },
};

/** `import a.b.C;`, `import a.b.*;`, `import static a.B.c;`, `import static a.B.*;` */
function importOf(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const path = tree.textOf(to.part(node, '#0')).replace(/\s/g, '');
  const isStar = to.part(node, ':asterisk') !== NONE;
  const dot = isStar ? path.length : Math.max(path.lastIndexOf('.'), 0);
  const name = path.slice(dot).replace('.', '');
  to.import({
    node,
    module: path.slice(0, dot),
    names: [{ imported: name || '*', local: name || null }],
    flags: (isStar ? 4 : 0) + (/^import\s+static\b/.test(tree.textOf(node)) ? 8 : 0),
  });
}

/** `@Name(…)` */
function decorator(to: Lowering, node: NodeId): void {
  typeOf(to, to.part(node, 'name'), 'decorator');
  to.visitChildren(to.part(node, 'arguments'));
}

/** The type that a path of names means in an expression. @param use What names it; null: nothing that is a reference. */
function typeOf(to: Lowering, node: NodeId, use: 'type' | 'decorator' | null = 'type'): number {
  const { tree } = to;
  const isPath = /^scoped|access$/.test(tree.kind(node));
  const [of, name] = isPath ? [to.part(node, '#0'), to.part(node, '#-1')] : [NONE, node];
  const base = of === NONE ? -1 : typeOf(to, of, null);
  const type = to.addType({ kind: 'name', name: tree.textOf(name), base, at: tree.start(node) });
  if (use) to.refer({ kind: use, name, whole: node, receiver: of, type });
  return type;
}

/** `f(…)`, `of.f(…)`, `Outer.super.f(…)` */
function call(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [object, name] = [to.part(node, 'object'), to.part(node, 'name')];
  const above = object === NONE ? NONE : to.part(node, ':super');
  let base: number;
  if (object === NONE) base = to.expression(name, 'callee');
  else if (above === NONE || above === object) base = memberAt(to, node, object, name, 'callee');
  else {
    const of = to.addExpression({ kind: 'super', type: typeOf(to, object), at: tree.start(above) });
    const nodes = { nameNode: name, ofNode: object };
    const at = tree.start(name);
    base = to.addExpression({ kind: 'member', name: tree.textOf(name), base: of, at, ...nodes });
  }
  const [type = -1] = tree.children(to.part(node, 'type_arguments')).map((one) => to.type(one));
  return callOf(to, node, { base, name, receiver: object, given: to.part(node, 'arguments'), type });
}

/** `Type::method`, `value::method`, `Type::new`: a function whose base is what it calls. */
function reference(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const at = tree.start(node);
  const [of = NONE, ...rest] = tree.children(node);
  const name = rest.find((one) => tree.kind(one) === 'identifier');
  let base: number;
  if (name !== undefined) base = memberAt(to, node, of, name, use);
  else {
    const isType = to.typeRule(of) !== undefined;
    base = to.addExpression({ kind: 'new', type: isType ? to.type(of) : typeOf(to, of, null), at });
    const last =
      tree.kind(of) === 'identifier' ? of : to.part(of, tree.kind(of) === 'generic_type' ? '#0' : '#-1');
    if (tree.kind(of) !== 'array_type') to.refer({ kind: 'new', name: last, whole: node, expression: base });
  }
  return to.addExpression({ kind: 'function', base, at });
}

function builtin(to: Lowering, node: NodeId): number {
  return to.addType({ kind: 'literal', name: to.tree.textOf(node), at: to.tree.start(node) });
}
