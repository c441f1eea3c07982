import { BEHIND, BUILDS, SYMBOL_FLAGS } from '../../ir/index.js';
import {
  argumentNamed,
  eitherOf,
  kinds,
  type Lowering,
  type LoweringRules,
  lowerExpression,
  memberAt,
  NONE,
  type NodeId,
} from '../../lower/index.js';
import { alias, basesOf, constructorAt, functionAt, propertyAt, typeAt } from './declarations.js';
import { bindNames, callAt, castsIn, infixAt, lambda, valueIn, whenAt } from './expressions.js';
import { lastIdentifier, parameter, typeNamed, userType } from './types.js';

const PUBLIC = { exported: true, visibility: 'public' } as const;

/** What Kotlin's syntax means. */
export const rules: LoweringRules = {
  language: 'kotlin',
  buildOf: (_, path) => BUILDS.indexOf(isOtherPlatform(path) ? 'asked' : 'all'),
  comments: ['line_comment', 'block_comment'],
  unread: ['string_content', 'label'],
  lists: ['type_arguments'],
  spreads: ['spread_expression'],
  importsAre: 'names',
  namesApart: 'types',
  blank: '_',
  builtinTypes: new Set(),
  constraints: { clause: ':type_constraints', name: '#0', type: '*type' },
  access: () => PUBLIC,
  modifiers: {
    part: ':modifiers',
    decorators: ['annotation'],
    inInterface: { access: PUBLIC },
    words: {
      public: { access: PUBLIC },
      internal: { access: { exported: true, visibility: 'public' } },
      protected: { access: { exported: true, visibility: 'protected' } },
      private: { access: { exported: false, visibility: 'private' } },
      abstract: { flags: SYMBOL_FLAGS.abstract },
      const: { isConstant: true },
      expect: { flags: SYMBOL_FLAGS.perBuild },
    },
  },
  docs: { marks: ['/**'], directive: /^\/\// },
  tests: { decorator: /^(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory)(?![\w.])/ },
  nodes: {
    package_header: (to, node) => {
      to.setPackage(to.tree.textOf(to.tree.first(node)).replace(/\s/g, ''));
      to.documentFile(node);
    },
    import: importOf,
    ...kinds('class_declaration object_declaration', typeAt),
    companion_object: (to, node) => to.visitChildren(to.part(node, ':class_body')),
    type_alias: alias,
    function_declaration: functionAt,
    secondary_constructor: constructorAt,
    property_declaration: propertyAt,
    anonymous_initializer: (to, node) => to.inScope('function', node, () => to.visitChildren(node)),
    enum_entry: {
      ...{ does: 'case', name: '#0', arguments: ':value_arguments', body: ':class_body', access: PUBLIC },
    },
    for_statement: (to, node) =>
      to.inScope('block', node, () => {
        const [names = NONE, over = NONE, ...body] = to.tree.children(node);
        const base = to.expression(over);
        const at = to.tree.start(names);
        bindNames(to, names, to.addExpression({ kind: 'element', base, at }), at);
        for (const one of body) to.visit(one);
      }),
    catch_block: (to, node) =>
      to.inScope('block', node, () => {
        const type = to.type(to.part(node, '*type'));
        to.bind('local', to.tree.first(node), { type });
        to.visitChildren(to.part(node, ':block'));
      }),
    return_expression: (to, node) => {
      const value = to.expression(to.part(node, '#-1'));
      if (value >= 0 && to.values === null && to.owner !== null && to.symbol(to.owner, 'type') < 0)
        to.addReturn(value);
    },
    block: 'block',
  },
  expressions: {
    identifier: 'name',
    this_expression: (to, node) => {
      const [label = NONE] = to.tree.children(node);
      const at = to.tree.start(node);
      const written = label === NONE ? (to.extended?.type ?? -1) : typeNamed(to, label);
      return to.addExpression({ kind: 'this', at, ...(written >= 0 && { type: written }) });
    },
    super_expression: 'super',
    navigation_expression: (to, node, use) =>
      memberAt(to, node, to.part(node, '#0'), to.part(node, '#-1'), use),
    call_expression: callAt,
    value_argument: (to, node, use) => {
      const [name = NONE, value = NONE] = to.tree.children(node);
      const base = to.expression(value === NONE ? name : value, use);
      return value === NONE ? base : argumentNamed(to, node, to.tree.textOf(name), base);
    },
    annotated_lambda: (to, node) => argumentNamed(to, node, BEHIND, to.expression(to.part(node, '#-1'))),
    lambda_literal: lambda,
    anonymous_function: {
      is: 'function',
      parameters: ':function_value_parameters',
      result: '*type',
      body: ':function_body',
    },
    object_literal: (to, node) => {
      const body = to.part(node, ':class_body');
      const at = to.tree.start(node);
      const [base = NONE] = basesOf(to, node);
      if (base === NONE) {
        to.visit(body);
        return to.unknown;
      }
      const type = to.type(base);
      to.anonymous(type, lastIdentifier(to, base), node, body);
      return to.addExpression({ kind: 'composite', type, at });
    },
    parenthesized_expression: 'inside',
    labeled_expression: 'inside',
    as_expression: { is: 'convert', type: 'right', of: 'left' },
    is_expression: { is: 'is', of: 'left', type: 'right' },
    index_expression: { is: 'index', of: '#0', index: '#1' },
    infix_expression: infixAt,
    range_expression: { is: 'list' },
    assignment: { is: 'assign', target: 'left', value: 'right' },
    // The grammar has `!a.b()` as what `b` is called on: `(!a).b()`.
    unary_expression: (to, node, use) =>
      to.tree.text.charAt(to.tree.start(node)) === '!' && use !== 'callee' && use !== 'path'
        ? lowerExpression(to, node, { is: 'unary', of: 'argument' }, use)
        : to.expression(to.part(node, 'argument'), use),
    binary_expression: (to, node, use) => {
      const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
      if (!to.tree.text.slice(to.tree.end(left), to.tree.start(right)).includes('?:'))
        return lowerExpression(to, node, { is: 'binary', left: 'left', right: 'right' }, use);
      return eitherOf(to, [to.expression(left), to.expression(right)], node);
    },
    if_expression: (to, node) =>
      to.inScope('block', node, () => {
        const [condition = NONE, ...branches] = to.tree.children(node);
        to.expression(condition);
        const parts = branches.map((one, index) =>
          to.inScope('block', one, () => {
            if (index === 0) castsIn(to, condition, to.tree.start(one));
            return valueIn(to, one);
          }),
        );
        return eitherOf(to, parts, node);
      }),
    when_expression: whenAt,
    try_expression: (to, node) => {
      const parts = to.tree.children(node).map((one) => valueIn(to, one));
      return parts[0] ?? to.unknown;
    },
    string_literal: { is: 'literal', type: 'string' },
    multiline_string_literal: { is: 'literal', type: 'string' },
    character_literal: { is: 'literal', type: 'char' },
    number_literal: { is: 'literal', type: 'int', suffixes: { l: 'long', f: 'float' } },
    boolean_literal: { is: 'literal', type: 'boolean' },
  },
  types: {
    user_type: userType,
    ...kinds('nullable_type parenthesized_type non_nullable_type', 'inside'),
    type_projection: (to, node) => {
      const type = to.part(node, '*type');
      return type === NONE ? to.addType({ kind: 'wildcard', at: to.tree.start(node) }) : to.type(type);
    },
    function_type: (to, node) => {
      const parts = to.tree.children(to.part(node, ':function_type_parameters')).flatMap((one) => {
        const type = to.typeRule(one) === undefined ? to.part(one, '*type') : one;
        return type === NONE ? [] : to.type(type);
      });
      return to.addType({
        kind: 'function',
        base: to.type(to.part(node, '#-1')),
        parts,
        at: to.tree.start(node),
      });
    },
  },
  parameters: {
    parameter,
    class_parameter: parameter,
    variable_declaration: { names: '#0', type: '*type' },
    multi_variable_declaration: {
      names: '.',
      type: '*type',
      pattern: (to, node, value) => bindNames(to, node, value, 0),
    },
    type_parameter: { names: ':identifier', type: '*type' },
  },
};

/** Whether a file of a project for several platforms is of another one than the JVM, whose definitions count without being asked for. */
function isOtherPlatform(path: string): boolean {
  const [, set = 'main'] = /(?:^|\/)src\/(\w+)(?:Main|Test)\//.exec(path) ?? [];
  return !/^(?:main|common|jvm|android\w*)$/i.test(set);
}

/** `import a.b.C`, `import a.b.C as D`, `import a.b.*` */
function importOf(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [path = NONE, alias = NONE] = tree.children(node);
  const text = tree.textOf(path).replace(/[\s`]/g, '');
  const isStar = tree.textOf(node).trimEnd().endsWith('*');
  const dot = isStar ? text.length : Math.max(text.lastIndexOf('.'), 0);
  const name = text.slice(dot).replace('.', '');
  const local = tree.textOf(alias) || name;
  to.import({
    node,
    module: text.slice(0, dot),
    names: [{ imported: name || '*', local: local || null }],
    flags: isStar ? 4 : 0,
  });
}
