import {
  argumentsOf,
  callOf,
  type ExpressionHook,
  type FunctionRule,
  type Lowering,
  type LoweringRules,
  memberAt,
  NONE,
  type NodeId,
  type TypeDeclarationRule,
  type VariableRule,
} from '../../lower/index.js';

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

const FIELD: VariableRule = {
  does: 'variables',
  kind: 'field',
  declarators: 'declarator',
  names: 'name',
  type: 'type',
  values: 'value',
};

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
    inInterface: {
      access: { exported: true, visibility: 'public' },
      fields: { flags: 1, isConstant: true },
    },
    words: {
      public: { access: { exported: true, visibility: 'public' } },
      protected: { access: { exported: true, visibility: 'protected' } },
      private: { access: { exported: false, visibility: 'private' } },
      static: { flags: 1 },
      abstract: { flags: 2 },
      final: { isConstant: true },
    },
  },
  docs: { marks: ['/**', '//'], directive: /^\/\// },
  nodes: {
    package_declaration: (to, node) => {
      to.setPackage(to.tree.textOf(to.part(node, '#-1')).replace(/\s/g, ''));
      to.documentFile(node);
    },
    module_declaration: (to, node) => to.documentFile(node),
    import_declaration: importOf,
    annotation: decorator,
    marker_annotation: decorator,
    element_value_pair: (to, node) => void to.expression(to.part(node, 'value')),
    class_declaration: CLASS,
    interface_declaration: INTERFACE,
    annotation_type_declaration: INTERFACE,
    enum_declaration: { ...CLASS, kind: 'enum', subkind: 'enum' },
    record_declaration: { ...CLASS, components: { part: 'parameters', accessors: true } },
    enum_constant: enumConstant,
    field_declaration: FIELD,
    constant_declaration: FIELD,
    method_declaration: METHOD,
    annotation_type_element_declaration: METHOD,
    constructor_declaration: { ...METHOD, kind: 'constructor' },
    compact_constructor_declaration: { ...METHOD, kind: 'constructor' },
    class_body: (to, node) => {
      for (const one of to.tree.children(node))
        if (to.tree.kind(one) === 'block') initializer(to, one);
        else to.visit(one);
    },
    static_initializer: initializer,
    explicit_constructor_invocation: (to, node) => {
      const name = to.part(node, 'constructor');
      to.expression(to.part(node, 'object'));
      const base = to.expression(name);
      callOf(to, node, { base, name, receiver: NONE, given: to.part(node, 'arguments') });
    },
    local_variable_declaration: {
      does: 'locals',
      declarators: 'declarator',
      names: 'name',
      type: 'type',
      values: 'value',
    },
    resource: { does: 'locals', names: 'name', type: 'type', values: 'value' },
    catch_formal_parameter: { does: 'locals', names: 'name', type: '*type', values: 'value' },
    type_pattern: { does: 'locals', names: '#-1', type: '*type', values: 'value', declares: true },
    record_pattern_component: {
      does: 'locals',
      names: ':identifier',
      type: '*type',
      values: 'value',
      declares: true,
    },
    record_pattern: (to, node) => {
      typeOfPath(to, to.part(node, '#0'));
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
    switch_rule: 'block',
  },
  expressions: {
    identifier: 'name',
    this: 'this',
    super: 'super',
    field_access: (to, node, use) => {
      const name = to.part(node, 'field');
      const of = to.part(node, 'object');
      if (to.tree.kind(name) !== 'this') return memberAt(to, node, of, name, use);
      return to.addExpression({ kind: 'this', type: typeOfPath(to, of), at: to.tree.start(node) });
    },
    method_invocation: call,
    object_creation_expression: {
      is: 'new',
      type: 'type',
      arguments: 'arguments',
      body: ':class_body',
    },
    array_creation_expression: arrayOf,
    array_initializer: { is: 'list' },
    element_value_array_initializer: { is: 'list' },
    array_access: { is: 'index', of: 'array', index: 'index' },
    parenthesized_expression: 'inside',
    cast_expression: { is: 'convert', type: 'type', of: 'value' },
    instanceof_expression: (to, node) => {
      const base = to.expression(to.part(node, 'left'));
      const type = to.type(to.part(node, 'right'));
      const name = to.part(node, 'name');
      if (name !== NONE) to.bind('local', name, { type, from: to.tree.start(name) });
      const pattern = to.part(node, 'pattern');
      if (pattern !== NONE) to.visit(pattern);
      return to.addExpression({ kind: 'is', base, type, at: to.tree.start(node) });
    },
    assignment_expression: (to, node) => {
      const parts = [to.expression(to.part(node, 'left'), 'write'), to.expression(to.part(node, 'right'))];
      return to.addExpression({ kind: 'binary', name: '=', parts, at: to.tree.start(node) });
    },
    update_expression: (to, node) => {
      const base = to.expression(to.part(node, '#0'), 'write');
      return to.addExpression({ kind: 'unary', name: '++', base, at: to.tree.start(node) });
    },
    unary_expression: (to, node) => {
      const base = to.expression(to.part(node, 'operand'));
      const at = to.tree.start(node);
      return to.addExpression({ kind: 'unary', name: to.text.text.charAt(at), base, at });
    },
    binary_expression: (to, node) => {
      const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
      const between = to.text.text.slice(to.tree.end(left), to.tree.start(right));
      const name = /[-+*/%=!<>&|^]+/.exec(between.replace(/\/[/*].*/gs, ''))?.[0] ?? '';
      const parts = [to.expression(left), to.expression(right)];
      return to.addExpression({ kind: 'binary', name, parts, at: to.tree.start(node) });
    },
    ternary_expression: { is: 'either', parts: ['consequence', 'alternative'] },
    lambda_expression: { is: 'function', parameters: 'parameters', body: 'body' },
    method_reference: methodReference,
    switch_expression: choice,
    class_literal: (to, node) => {
      const at = to.tree.start(node);
      const of = to.type(to.part(node, '#0'));
      const type = to.addType({ kind: 'name', name: 'Class', parts: [of], at });
      return to.addExpression({ kind: 'composite', type, at });
    },
    string_literal: { is: 'literal', type: 'string' },
    character_literal: { is: 'literal', type: 'char' },
    decimal_integer_literal: number('int', 'long', /l$/i),
    hex_integer_literal: number('int', 'long', /l$/i),
    octal_integer_literal: number('int', 'long', /l$/i),
    binary_integer_literal: number('int', 'long', /l$/i),
    decimal_floating_point_literal: number('double', 'float', /f$/i),
    hex_floating_point_literal: number('double', 'float', /f$/i),
    true: { is: 'literal', type: 'boolean' },
    false: { is: 'literal', type: 'boolean' },
    null_literal: { is: 'literal', type: 'null' },
  },
  types: {
    type_identifier: 'name',
    scoped_type_identifier: { is: 'name', name: '#-1', of: '#0' },
    generic_type: { is: 'generic', type: '#0', arguments: ':type_arguments' },
    array_type: (to, node) => {
      const of = to.type(to.part(node, 'element'));
      return listOf(to, of, to.tree.textOf(to.part(node, 'dimensions')), node);
    },
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
    // Of an unnamed function.
    identifier: { names: '.', type: 'type' },
  },
};

/** `import a.b.C;`, `import a.b.*;`, `import static a.B.c;`, `import static a.B.*;` */
function importOf(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const isStatic = /^import\s+static\b/.test(to.text.text.slice(tree.start(node), tree.end(node)));
  const path = tree.textOf(to.part(node, '#0')).replace(/\s/g, '');
  const isStar = to.part(node, ':asterisk') !== NONE;
  const dot = isStar ? path.length : path.lastIndexOf('.');
  to.import({
    node,
    module: path.slice(0, Math.max(dot, 0)),
    imported: isStar ? '*' : path.slice(dot + 1),
    local: isStar ? null : path.slice(dot + 1),
    flags: (isStar ? 4 : 0) + (isStatic ? 8 : 0),
  });
}

/** `@Name(…)` */
function decorator(to: Lowering, node: NodeId): void {
  typeOfPath(to, to.part(node, 'name'), 'decorator');
  to.visitChildren(to.part(node, 'arguments'));
}

/** The type that a path of names is. @param use What names it; null: nothing that is a reference. */
function typeOfPath(to: Lowering, node: NodeId, use: 'type' | 'decorator' | null = 'type'): number {
  const { tree } = to;
  const isScoped = tree.kind(node) === 'scoped_identifier';
  const isPath = isScoped || tree.kind(node) === 'field_access';
  const of = isPath ? to.part(node, isScoped ? 'scope' : 'object') : NONE;
  const name = isPath ? to.part(node, isScoped ? 'name' : 'field') : node;
  const base = of === NONE ? -1 : typeOfPath(to, of, null);
  const type = to.addType({ kind: 'name', name: tree.textOf(name), base, at: tree.start(node) });
  if (use) to.refer({ kind: use, name, whole: node, receiver: of, type });
  return type;
}

/** `RED(1) { … }` */
function enumConstant(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const name = to.part(node, 'name');
  const body = to.part(node, 'body');
  const modifiers = to.part(node, ':modifiers');
  const of = to.definitions[to.owner ?? -1]?.name ?? '';
  const definition = to.define({
    kind: 'constant',
    name,
    modifiers,
    start: tree.start(node),
    end: tree.end(node),
    headEnd: body === NONE ? tree.end(node) : tree.start(body),
    flags: 1,
    access: { exported: true, visibility: 'public' },
    isConstant: true,
  });
  to.ownedBy(definition, () => {
    const at = tree.start(node);
    to.visitChildren(modifiers);
    const type = to.addType({ kind: 'this', at });
    const parts = argumentsOf(to, to.part(node, 'arguments')).rows;
    to.setSymbol(definition, 'type', type);
    to.setSymbol(definition, 'value', to.addExpression({ kind: 'new', type, parts, at }));
    if (body !== NONE) to.anonymous(type, name, node, body, of);
  });
}

/** Code that is run when a class or an object is made: what it declares are locals. */
function initializer(to: Lowering, node: NodeId): void {
  const block = to.tree.kind(node) === 'block' ? node : to.part(node, ':block');
  to.inScope('function', node, () => to.visitChildren(block));
}

/** `f(…)`, `of.f(…)`, `Outer.super.f(…)` */
function call(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const name = to.part(node, 'name');
  const object = to.part(node, 'object');
  const above = object === NONE ? NONE : to.part(node, ':super');
  let base: number;
  if (object === NONE) base = to.expression(name, 'callee');
  else if (above === NONE || above === object) base = memberAt(to, node, object, name, 'callee');
  else {
    const of = to.addExpression({ kind: 'super', type: typeOfPath(to, object), at: tree.start(above) });
    const named = { nameNode: name, ofNode: object };
    const at = tree.start(name);
    base = to.addExpression({ kind: 'member', name: tree.textOf(name), base: of, at, ...named });
  }
  const types = to.part(node, 'type_arguments');
  const [type = -1] = types === NONE ? [] : tree.children(types).map((one) => to.type(one));
  return callOf(to, node, { base, name, receiver: object, given: to.part(node, 'arguments'), type });
}

/** `Type::method`, `value::method`, `Type::new` */
function methodReference(to: Lowering, node: NodeId, use: Parameters<ExpressionHook>[2]): number {
  const { tree } = to;
  const [of = NONE, ...rest] = tree.children(node);
  const name = rest.find((one) => tree.kind(one) === 'identifier');
  if (name !== undefined) return memberAt(to, node, of, name, use);
  const at = tree.start(node);
  if (to.typeRule(of) !== undefined && tree.kind(of) !== 'generic_type')
    return to.addExpression({ kind: 'composite', type: to.type(of), at });
  const type = to.typeRule(of) === undefined ? typeOfPath(to, of, null) : to.type(of);
  const expression = to.addExpression({ kind: 'new', type, at });
  const last = tree.kind(of) === 'identifier' ? of : to.part(of, '#-1');
  to.refer({
    kind: 'new',
    name: tree.kind(of) === 'generic_type' ? to.part(of, '#0') : last,
    whole: node,
    expression,
  });
  return expression;
}

/** `new T[n]`, `new T[] {…}` */
function arrayOf(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const of = to.type(to.part(node, 'type'));
  let dimensions = '';
  for (const one of tree.children(node)) {
    if (tree.field(one) !== 'dimensions') continue;
    to.visitChildren(one);
    dimensions += tree.kind(one) === 'dimensions_expr' ? '[' : tree.textOf(one);
  }
  const parts = tree.children(to.part(node, 'value')).map((one) => to.expression(one));
  const type = listOf(to, of, dimensions, node);
  return to.addExpression({ kind: 'composite', type, parts, at: tree.start(node) });
}

function listOf(to: Lowering, of: number, dimensions: string, node: NodeId): number {
  let type = of;
  for (const mark of dimensions)
    if (mark === '[') type = to.addType({ kind: 'list', base: type, at: to.tree.start(node) });
  return type;
}

function builtin(to: Lowering, node: NodeId): number {
  return to.addType({ kind: 'literal', name: to.tree.textOf(node), at: to.tree.start(node) });
}

function number(plain: string, other: string, mark: RegExp): ExpressionHook {
  return (to, node) => {
    const name = mark.test(to.tree.textOf(node)) ? other : plain;
    return to.addExpression({ kind: 'literal', name, at: to.tree.start(node) });
  };
}

/** `switch`: a statement, or one of the values that its rules give. */
function choice(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const of = to.expression(to.part(node, 'condition'));
  const parts: number[] = [];
  const inside = (one: NodeId) => {
    for (const each of tree.children(one)) {
      const kind = tree.kind(each);
      if (kind === 'switch_label') for (const label of tree.children(each)) labelOf(to, label, of);
      else if (kind === 'expression_statement') parts.push(to.expression(tree.first(each)));
      else to.visit(each);
    }
  };
  const body = to.part(node, 'body');
  to.inScope('block', body, () => {
    for (const one of tree.children(body))
      if (tree.kind(one) === 'switch_rule') to.inScope('block', one, () => inside(one));
      else inside(one);
  });
  return to.addExpression({ kind: 'either', parts, at: tree.start(node) });
}

/** `case RED`: a constant of the value's enum, else what the name is here. */
function labelOf(to: Lowering, node: NodeId, of: number): void {
  const { tree } = to;
  if (tree.kind(node) !== 'identifier') return to.visit(node);
  const at = tree.start(node);
  const name = tree.textOf(node);
  const parts = [
    to.addExpression({ kind: 'member', name, base: of, at, nameNode: node }),
    to.addExpression({ kind: 'name', name, at, nameNode: node }),
  ];
  const expression = to.addExpression({ kind: 'either', parts, at });
  to.refer({ kind: 'read', name: node, whole: node, expression });
}
