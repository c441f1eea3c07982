import { SYMBOL_FLAGS } from '../../ir/index.js';
import {
  argumentsOf,
  type FunctionRule,
  kinds,
  type Lowering,
  type LoweringRules,
  lowerExpression,
  memberAt,
  NONE,
  type NodeId,
  type RouteRules,
  type TypeDeclarationRule,
  type Use,
} from '../../lower/index.js';
import {
  classAt,
  documented,
  documentedMembers,
  functionAt,
  openClass,
  PUBLIC,
  properties,
  typeAt,
  useDeclaration,
} from './declarations.js';
import {
  array,
  assignment,
  binary,
  called,
  classOf,
  creation,
  dynamic,
  functionCall,
  given,
  isReference,
  memberOf,
  narrowed,
  packageOf,
  variable,
} from './expressions.js';
import { assign, factsOf, foreach, ifStatement, loop, switchStatement, tryStatement } from './locals.js';
import { classString, commentAbove, documentedType, fileOf, lastOf, readDoc, typeNamed } from './names.js';

const FUNCTION: FunctionRule = {
  does: 'function',
  kind: 'function',
  name: 'name',
  parameters: 'parameters',
  result: 'return_type',
  body: 'body',
};

const CLASS: TypeDeclarationRule = {
  does: 'type',
  kind: 'class',
  name: 'name',
  bases: [
    // A class has the members of its traits rather than those of what it extends.
    { part: ':use_declaration', of: 'body', relation: 'extends' },
    { part: ':base_clause', relation: 'extends' },
    { part: ':class_interface_clause', relation: 'implements' },
  ],
  body: 'body',
};

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'options'];

/** Frameworks whose routes are known. */
const routes: readonly RouteRules[] = [
  {
    module: /^Symfony\\Component\\Routing\\(?:Attribute|Annotation)$/,
    routers: [],
    decorators: [
      { names: ['Route'], does: 'route', method: { argument: 'methods' } },
      { names: ['Route'], does: 'prefix' },
    ],
  },
  {
    module: /^Illuminate\\Support\\Facades$/,
    routers: ['Route'],
    calls: [
      { names: VERBS, does: 'route', method: 'name', path: 0, handler: 1 },
      { names: ['any'], does: 'route', method: { is: 'ALL' }, path: 0, handler: 1 },
      { names: ['prefix'], does: 'group', path: 0, handler: -1 },
      { names: ['group'], does: 'group', path: -1, handler: 0 },
    ],
  },
];

/** What PHP's syntax means. */
export const rules: LoweringRules = {
  language: 'php',
  comments: ['comment'],
  unread: ['use_list', 'text', 'php_tag', 'php_end_tag', 'heredoc_start', 'heredoc_end'],
  chains: ['binary_expression'],
  spreads: ['variadic_unpacking'],
  importsAre: 'names',
  namesApart: true,
  builtinTypes: new Set(),
  access: () => PUBLIC,
  modifiers: {
    part: '.',
    kinds: kindsOf('visibility static abstract final readonly var'),
    decorators: ['attribute_list'],
    decorator: 'attribute',
    inInterface: { access: PUBLIC },
    words: {
      public: { access: PUBLIC },
      protected: { access: { exported: true, visibility: 'protected' } },
      private: { access: { exported: false, visibility: 'private' } },
      static: { flags: SYMBOL_FLAGS.static },
      abstract: { flags: SYMBOL_FLAGS.abstract },
      readonly: { isConstant: true },
    },
  },
  docs: { marks: ['/**'] },
  documented: (to, node, written) => documented(to, node, written),
  tests: { name: /^test/, base: /TestCase$/, decorator: /^(?:[\w\\]+\\)?Test\b/, files: /(?:^|\/)tests?\//i },
  routes,
  nodes: {
    namespace_definition: (to, node) => {
      const file = fileOf(to);
      const name = to.tree.textOf(to.part(node, 'name'));
      if (file.namespace === '') to.setPackage(name);
      file.namespace = name;
      file.types.clear();
      to.documentFile(node);
      to.visitChildren(to.part(node, 'body'));
    },
    namespace_use_declaration: useDeclaration,
    class_declaration: (to, node) => classAt(to, node, CLASS),
    interface_declaration: (to, node) =>
      classAt(to, node, {
        ...CLASS,
        kind: 'interface',
        subkind: 'interface',
        bases: [{ part: ':base_clause', relation: 'extends' }],
      }),
    trait_declaration: (to, node) => {
      const definition = to.definitions.length;
      classAt(to, node, { ...CLASS, subkind: 'trait' });
      to.addFlag(definition, SYMBOL_FLAGS.mixin);
    },
    enum_declaration: (to, node) => classAt(to, node, { ...CLASS, kind: 'enum', subkind: 'enum' }),
    enum_case: { does: 'case', name: 'name', arguments: 'arguments', body: 'body', access: PUBLIC },
    use_declaration: 'skip',
    declaration_list: (to, node) => {
      openClass(to);
      documentedMembers(to, node);
      to.visitChildren(node);
    },
    const_declaration: {
      does: 'variables',
      kind: 'constant',
      declarators: ':const_element',
      names: ':name',
      type: 'type',
      values: '#1',
    },
    property_declaration: properties,
    property_hook: (to, node) =>
      fileOf(to).locals.inFunction(() =>
        to.inScope('function', node, () => {
          to.parameters(to.part(node, 'parameters'), null);
          to.visit(to.part(node, 'body'));
        }),
      ),
    function_definition: (to, node) => functionAt(to, node, FUNCTION),
    method_declaration: (to, node) => functionAt(to, node, { ...FUNCTION, kind: 'method' }),
    return_statement: { does: 'returns', value: '#0' },
    expression_statement: (to, node) => {
      const file = fileOf(to);
      const one = to.tree.first(node);
      if (to.tree.kind(one) === 'assignment_expression')
        assignment(to, one, readDoc(commentAbove(to, node)).vars);
      else {
        for (const [name, type] of readDoc(commentAbove(to, node)).vars) {
          const row = name === '' ? -1 : documentedType(to, file, type, to.tree.start(node));
          if (row >= 0) file.locals.assign(name, to.tree.start(node), { type: row });
        }
        to.expression(one);
      }
    },
    if_statement: (to, node) => ifStatement(to, fileOf(to), node),
    ...kinds('while_statement for_statement', (to: Lowering, node: NodeId) => loop(to, fileOf(to), node)),
    foreach_statement: (to, node) => foreach(to, fileOf(to), node),
    switch_statement: (to, node) => switchStatement(to, fileOf(to), node),
    try_statement: (to, node) => tryStatement(to, fileOf(to), node),
    ...kinds('global_declaration unset_statement', (to: Lowering, node: NodeId) => {
      for (const one of to.tree.children(node))
        if (to.tree.kind(one) === 'variable_name')
          fileOf(to).locals.assign(to.tree.textOf(one), to.tree.end(one), { value: to.unknown });
    }),
    static_variable_declaration: (to, node) => {
      const value = to.part(node, 'value');
      const row = value === NONE ? to.unknown : to.expression(value);
      assign(to, fileOf(to), to.part(node, 'name'), row, to.tree.end(node));
    },
    attribute: (to, node) => {
      const name = to.part(node, '#0');
      const written = to.tree.textOf(name);
      const type = typeNamed(to, fileOf(to), written, to.tree.start(name));
      to.refer({ kind: 'decorator', name: lastOf(to, name), whole: node, type });
      argumentsOf(to, to.part(node, 'parameters'));
    },
    ...kinds('goto_statement named_label_statement declare_statement', 'skip' as const),
  },
  expressions: {
    variable_name: variable,
    name: 'name',
    ...kinds('qualified_name relative_name', (to: Lowering, node: NodeId, use: Use) => {
      const base = packageOf(to, node);
      return memberOf(to, node, { base, of: NONE, name: lastOf(to, node), use });
    }),
    parenthesized_expression: 'inside',
    clone_expression: 'inside',
    error_suppression_expression: 'inside',
    by_ref: 'inside',
    argument: (to, node, use) => to.expression(to.part(node, '#-1'), use),
    ...kinds(
      'member_access_expression nullsafe_member_access_expression',
      (to: Lowering, node: NodeId, use: Use) => {
        const [of, name] = [to.part(node, 'object'), to.part(node, 'name')];
        if (to.tree.kind(name) !== 'name') return dynamic(to, node);
        return narrowed(to, node, memberAt(to, node, of, name, use), use);
      },
    ),
    class_constant_access_expression: (to, node, use) => {
      const [of, name] = [to.part(node, '#0'), to.part(node, '#-1')];
      const base = classOf(to, of);
      const at = to.tree.start(node);
      if (/^class$/i.test(to.tree.textOf(name))) {
        const named = /name$/.test(to.tree.kind(of)) && to.tree.kind(of) !== 'variable_name';
        const isKnown = named || to.tree.kind(of) === 'relative_scope';
        if (!isKnown) return to.addExpression({ kind: 'literal', name: 'string', at });
        const type = typeNamed(to, fileOf(to), to.tree.textOf(of), at, [], false);
        return to.addExpression({ kind: 'composite', type: classString(to, [type], at), at });
      }
      return memberOf(to, node, { base, of, name, use });
    },
    scoped_property_access_expression: (to, node, use) => {
      const of = to.part(node, 'scope');
      const name = to.part(to.part(node, 'name'), ':name');
      return memberOf(to, node, { base: classOf(to, of), of, name, use });
    },
    function_call_expression: functionCall,
    ...kinds('member_call_expression nullsafe_member_call_expression', (to: Lowering, node: NodeId) => {
      const [of, name] = [to.part(node, 'object'), to.part(node, 'name')];
      if (to.tree.kind(name) !== 'name') return dynamic(to, node);
      const use = isReference(to, node) ? 'read' : 'callee';
      return called(to, node, memberAt(to, node, of, name, use), name, of);
    }),
    scoped_call_expression: (to, node) => {
      const [of, name] = [to.part(node, 'scope'), to.part(node, 'name')];
      if (to.tree.kind(name) !== 'name') return dynamic(to, node);
      const use = isReference(to, node) ? 'read' : 'callee';
      return called(to, node, memberOf(to, node, { base: classOf(to, of), of, name, use }), name, of);
    },
    object_creation_expression: creation,
    assignment_expression: (to, node) => assignment(to, node),
    reference_assignment_expression: (to, node) => assignment(to, node),
    augmented_assignment_expression: (to, node) => {
      const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
      const held = to.expression(left);
      const given = to.expression(right);
      const at = to.tree.end(node);
      if (to.tree.text.slice(to.tree.end(left), to.tree.start(right)).trim() !== '??=') return to.unknown;
      const value = to.addExpression({ kind: 'either', parts: [held, given], at });
      assign(to, fileOf(to), left, value, at);
      return value;
    },
    subscript_expression: (to, node, use) => {
      const [of = NONE, ...index] = to.tree.children(node);
      const base = to.expression(of);
      const parts = index.map((one) => to.expression(one));
      return narrowed(
        to,
        node,
        to.addExpression({ kind: 'index', base, parts, at: to.tree.start(node) }),
        use,
      );
    },
    binary_expression: binary,
    unary_op_expression: { is: 'unary', of: 'argument' },
    update_expression: { is: 'unary', of: 'argument', writes: true },
    conditional_expression: (to, node) => {
      const file = fileOf(to);
      const condition = to.part(node, 'condition');
      const body = to.part(node, 'body');
      const first = to.expression(condition);
      const parts = [body === NONE ? first : given(to, body, factsOf(to, file, condition, true))];
      parts.push(given(to, to.part(node, 'alternative'), factsOf(to, file, condition, false)));
      return to.addExpression({ kind: 'either', parts, at: to.tree.start(node) });
    },
    match_expression: (to, node) => {
      const file = fileOf(to);
      to.expression(to.part(node, 'condition'));
      const parts = to.tree.children(to.part(node, 'body')).map((arm) => {
        const conditions = to.tree.children(to.part(arm, 'conditional_expressions'));
        for (const one of conditions) to.expression(one);
        const [only = NONE, ...others] = conditions;
        const facts = only === NONE || others.length > 0 ? undefined : factsOf(to, file, only, true);
        return given(to, to.part(arm, 'return_expression'), facts);
      });
      return to.addExpression({ kind: 'either', parts, at: to.tree.start(node) });
    },
    array_creation_expression: array,
    cast_expression: (to, node) => {
      to.expression(to.part(node, 'value'));
      const name = to.tree.textOf(to.part(node, 'type')).toLowerCase();
      return to.addExpression({ kind: 'literal', name, at: to.tree.start(node) });
    },
    ...kinds('anonymous_function arrow_function', (to: Lowering, node: NodeId, use: Use) => {
      const file = fileOf(to);
      const { doc } = file;
      file.doc = readDoc(commentAbove(to, node));
      const rule = { is: 'function', parameters: 'parameters', result: 'return_type', body: 'body' } as const;
      const row = file.locals.inFunction(() => lowerExpression(to, node, rule, use));
      file.doc = doc;
      return row;
    }),
    ...kinds('string encapsed_string heredoc nowdoc', { is: 'literal', type: 'string' } as const),
    integer: { is: 'literal', type: 'int' },
    float: { is: 'literal', type: 'float' },
    boolean: { is: 'literal', type: 'bool' },
    null: { is: 'literal', type: 'null' },
    yield_expression: { is: 'unknown' },
    throw_expression: { is: 'unknown' },
    print_intrinsic: { is: 'unknown' },
  },
  types: {
    named_type: 'inside',
    ...kinds('name qualified_name relative_name', typeAt),
    ...kinds('primitive_type bottom_type', (to: Lowering, node: NodeId) => {
      const text = to.tree.textOf(node).toLowerCase();
      const at = to.tree.start(node);
      const isOpen = text === 'mixed' || text === 'object';
      return to.addType(isOpen ? { kind: 'unknown', at } : { kind: 'literal', name: text, at });
    }),
    optional_type: 'inside',
    ...kinds('union_type type_list disjunctive_normal_form_type', 'either' as const),
    intersection_type: 'union',
  },
  parameters: {
    simple_parameter: { names: 'name', type: 'type', default: 'default_value' },
    property_promotion_parameter: { names: 'name', type: 'type', default: 'default_value' },
    variadic_parameter: { names: 'name', type: 'type', variadic: true },
  },
};

function kindsOf(words: string): string[] {
  return words.split(' ').map((word) => `${word}_modifier`);
}
