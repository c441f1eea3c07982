import { SYMBOL_FLAGS } from '../../ir/index.js';
import {
  callOf,
  type FunctionRule,
  kinds,
  type Lowering,
  type LoweringRules,
  lowerDeclaration,
  lowerExpression,
  NONE,
  type NodeId,
  nameAt,
  type RouteRules,
  type TypeDeclarationRule,
  type Use,
} from '../../lower/index.js';
import { callsIn, isMacro, isQuoting, macroCall } from './macros.js';
import { bindPattern } from './patterns.js';
import { functionType, nameOf, pathType } from './types.js';
import { importsOf, moduleOf } from './uses.js';

const PUBLIC = { exported: true, visibility: 'public' } as const;

const FUNCTION: FunctionRule = {
  does: 'function',
  kind: 'function',
  name: 'name',
  typeParameters: 'type_parameters',
  parameters: 'parameters',
  result: 'return_type',
  body: 'body',
};

/** Characters of a file's head that are read for its documentation. */
const LONGEST_HEAD = 16_000;

const TYPE = { does: 'type', name: 'name', typeParameters: 'type_parameters', body: 'body' } as const;
const VALUE = { does: 'variables', names: 'name', type: 'type', values: 'value' } as const;
const PATTERN = { names: '.', type: 'type', pattern: bindPattern } as const;
const PATTERNS =
  'identifier tuple_pattern tuple_struct_pattern struct_pattern reference_pattern ref_pattern mut_pattern slice_pattern ' +
  'captured_pattern or_pattern';

const VERBS = 'get post put patch delete head options trace'.split(' ');

/** Frameworks whose routes are known. */
const routes: readonly RouteRules[] = [
  {
    module: /^axum\b/,
    routers: ['Router', 'Router.new', 'new'],
    calls: [
      { names: ['route'], does: 'route', method: 'call', path: 0, handler: 1 },
      { names: ['nest'], does: 'mount', path: 0, handler: 1 },
    ],
  },
  {
    module: /^actix_web\b/,
    routers: ['App', 'Scope', 'Resource'],
    calls: [{ names: ['route'], does: 'route', method: 'call', path: 0, handler: 1 }],
    decorators: VERBS.map((verb) => ({
      names: [verb],
      does: 'route' as const,
      method: { is: verb.toUpperCase() },
    })),
  },
];

/** What Rust's syntax means. */
export const rules: LoweringRules = {
  language: 'rust',
  comments: ['line_comment', 'block_comment'],
  unread: 'lifetime lifetime_parameter for_lifetimes string_content escape_sequence mutable_specifier'.split(
    ' ',
  ),
  lists: ['type_arguments'],
  importsAre: 'names',
  namesApart: 'types',
  blank: '_',
  ownType: 'Self',
  builtinTypes: new Set(
    'bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize'.split(' '),
  ),
  constraints: { clause: ':where_clause', name: 'left', type: 'bounds' },
  access: () => ({ exported: false, visibility: 'private' }),
  modifiers: {
    part: ':visibility_modifier',
    decorators: [],
    preceding: ['attribute_item'],
    privateToModule: true,
    inInterface: { access: PUBLIC },
    words: { pub: { access: PUBLIC } },
  },
  docs: { marks: ['///', '/**'], directive: /^\/\/\/\// },
  tests: { decorator: /^(?:\w+::)*(?:test|test_case|rstest|bench)(?![\w:])/ },
  routes,
  finish: (to, facts) => {
    const lines = to.tree.text
      .slice(0, LONGEST_HEAD)
      .split('\n')
      .map((line) => line.trim());
    const first = lines.findIndex((line) => line !== '' && !/^(?:#!|\/\/(?!!))/.test(line));
    const said: string[] = [];
    for (let at = Math.max(0, first); lines[at]?.startsWith('//!'); at += 1) said.push(lines[at] ?? '');
    if (said.length > 0)
      facts.docstring = said
        .map((line) => line.replace(/^\/\/! ?/, ''))
        .join('\n')
        .trim();
  },
  nodes: {
    ...kinds('macro_definition label inner_attribute_item visibility_modifier', 'skip'),
    mod_item: moduleOf,
    ...kinds('use_declaration extern_crate_declaration', importsOf),
    ...kinds('function_item function_signature_item', FUNCTION),
    ...kinds('struct_item union_item', (to: Lowering, node: NodeId) =>
      deriving(to, node, { ...TYPE, kind: 'class', subkind: 'struct' }),
    ),
    enum_item: (to, node) => deriving(to, node, { ...TYPE, kind: 'enum', subkind: 'enum' }),
    trait_item: {
      ...{ ...TYPE, kind: 'interface', subkind: 'interface' },
      bases: [{ part: 'bounds', relation: 'extends' }],
    },
    ...kinds('type_item associated_type', alias),
    impl_item: implementation,
    enum_variant: variant,
    field_declaration: { ...VALUE, kind: 'field' },
    ordered_field_declaration_list: unnamedFields,
    const_item: { ...VALUE, kind: 'constant' },
    static_item: { ...VALUE, kind: 'variable' },
    let_declaration: (to, node) => {
      const type = to.type(to.part(node, 'type'));
      const value = to.expression(to.part(node, 'value'));
      to.visitChildren(to.part(node, 'alternative'));
      bindPattern(to, to.part(node, 'pattern'), value, { type, from: to.tree.end(node) });
    },
    block: 'block',
  },
  expressions: {
    identifier: 'name',
    self: (to, node) => {
      const at = to.tree.start(node);
      return to.addExpression({ kind: 'this', at, ...(to.extended && { type: to.extended.type }) });
    },
    scoped_identifier: pathAt,
    generic_function: (to, node, use) => to.expression(to.part(node, 'function'), use),
    field_expression: { is: 'member', of: 'value', name: 'field' },
    call_expression: callAt,
    macro_invocation: (to, node) => {
      if (!isQuoting(to, node)) callsIn(to, to.part(node, ':token_tree'));
      return to.unknown;
    },
    struct_expression: {
      is: 'composite',
      type: 'name',
      elements: 'body',
      pair: 'field_initializer',
      key: 'field',
      value: 'value',
    },
    ...kinds('shorthand_field_initializer base_field_initializer parenthesized_expression', 'inside'),
    ...kinds('unsafe_block async_block const_block', (to: Lowering, node: NodeId) =>
      to.expression(to.part(node, ':block')),
    ),
    reference_expression: (to, node, use) => to.expression(to.part(node, 'value'), use),
    unary_expression: (to, node, use) =>
      to.tree.text.charAt(to.tree.start(node)) === '*'
        ? to.expression(to.tree.first(node), use)
        : lowerExpression(to, node, { is: 'unary', of: '#0' }, use),
    try_expression: (to, node) => {
      const at = to.tree.start(node);
      const of = to.expression(to.tree.first(node));
      const base = to.addExpression({ kind: 'member', name: 'unwrap', base: of, at });
      return to.addExpression({ kind: 'call', base, at });
    },
    await_expression: { is: 'await', of: '#0' },
    type_cast_expression: { is: 'convert', type: 'type', of: 'value' },
    binary_expression: { is: 'binary', left: 'left', right: 'right' },
    ...kinds('assignment_expression compound_assignment_expr', {
      is: 'assign',
      target: 'left',
      value: 'right',
    }),
    index_expression: (to, node, use) =>
      lowerExpression(
        to,
        node,
        to.tree.kind(to.part(node, '#-1')) === 'range_expression'
          ? { is: 'slice', of: '#0' }
          : { is: 'index', of: '#0', index: '#-1' },
        use,
      ),
    ...kinds('range_expression array_expression', { is: 'list' }),
    ...kinds('tuple_expression unit_expression', { is: 'tuple' }),
    closure_expression: { is: 'function', parameters: 'parameters', result: 'return_type', body: 'body' },
    block: blockAt,
    if_expression: (to, node) =>
      to.inScope('block', node, () => {
        to.expression(to.part(node, 'condition'));
        const parts = [to.expression(to.part(node, 'consequence'))];
        const other = to.tree.first(to.part(node, 'alternative'));
        if (other !== NONE) parts.push(to.expression(other));
        return either(to, parts, node);
      }),
    let_chain: (to, node) => {
      to.visitChildren(node);
      return to.addExpression({ kind: 'literal', name: 'bool', at: 0 });
    },
    let_condition: (to, node) => {
      const value = to.expression(to.part(node, 'value'));
      bindPattern(to, to.part(node, 'pattern'), value, { from: to.tree.end(node) });
      return to.addExpression({ kind: 'literal', name: 'bool', at: 0 });
    },
    match_expression: matchAt,
    while_expression: (to, node) =>
      to.inScope('block', node, () => {
        to.visitChildren(node);
        return to.unknown;
      }),
    for_expression: (to, node) =>
      to.inScope('block', node, () => {
        const base = to.expression(to.part(node, 'value'));
        const pattern = to.part(node, 'pattern');
        const at = to.tree.start(pattern);
        bindPattern(to, pattern, to.addExpression({ kind: 'element', base, at }), { from: at });
        to.visit(to.part(node, 'body'));
        return to.unknown;
      }),
    ...kinds('string_literal raw_string_literal', { is: 'literal', type: 'str' }),
    char_literal: { is: 'literal', type: 'char' },
    boolean_literal: { is: 'literal', type: 'bool' },
    integer_literal: (to, node) => numberAt(to, node, 'i32'),
    float_literal: (to, node) => numberAt(to, node, 'f64'),
  },
  types: {
    ...kinds(
      'type_identifier scoped_type_identifier generic_type generic_type_with_turbofish bracketed_type qualified_type ' +
        'primitive_type',
      (to: Lowering, node: NodeId) => pathType(to, node),
    ),
    ...kinds(
      'reference_type pointer_type type_binding higher_ranked_trait_bound',
      (to: Lowering, node: NodeId) => to.type(to.part(node, 'type')),
    ),
    ...kinds('dynamic_type abstract_type', (to: Lowering, node: NodeId) => to.type(to.part(node, 'trait'))),
    array_type: { is: 'list', of: 'element' },
    ...kinds('tuple_type unit_type', 'tuple'),
    ...kinds('bounded_type trait_bounds', 'union'),
    ...kinds('removed_trait_bound never_type', 'unknown'),
    function_type: functionType,
  },
  parameters: {
    parameter: { ...PATTERN, names: 'pattern' },
    type_parameter: { names: 'name', type: 'bounds' },
    ...kinds(PATTERNS, PATTERN),
  },
};

/** `a::b`, `Type::f`: what qualifies it is a module or a type. */
function pathAt(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const [of, name] = [to.part(node, 'path'), to.part(node, 'name')];
  if (of === NONE) return nameAt(to, name, use);
  const base = to.addExpression({ kind: 'type', type: pathType(to, of, false), at: tree.start(of) });
  const at = tree.start(name);
  const nodes = { nameNode: name, ofNode: of };
  const row = to.addExpression({ kind: 'member', name: tree.textOf(name), base, at, ...nodes });
  const kind = use === 'path' ? 'read' : use;
  if (kind !== 'callee')
    to.refer({ kind, name, whole: node, receiver: of, receiverRow: base, expression: row });
  return row;
}

function callAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  let callee = to.part(node, 'function');
  const given = to.part(node, 'arguments');
  if (isMacro(to, callee)) return macroCall(to, callee, given);
  while (to.isInside(callee)) callee = tree.first(callee);
  const types = tree.kind(callee) === 'generic_function' ? to.part(callee, 'type_arguments') : NONE;
  const [type = -1] = tree.children(types).map((one) => to.type(one));
  const base = to.expression(callee, 'callee');
  const { name, of } = to.writtenAt(base);
  return callOf(to, node, { base, name, receiver: of, given, type });
}

/** A block's value is that of its last expression. */
function blockAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  return to.inScope('block', node, () => {
    let last = to.unknown;
    for (const one of tree.children(node)) {
      const isStatement = tree.kind(one) === 'expression_statement' && !tree.textOf(one).endsWith(';');
      const given = isStatement ? tree.first(one) : one;
      last = to.unknown;
      if (to.isExpression(given)) last = to.expression(given);
      else to.visit(one);
    }
    return last;
  });
}

function matchAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const value = to.expression(to.part(node, 'value'));
  const arms = tree.children(to.part(node, 'body')).filter((one) => tree.kind(one) === 'match_arm');
  const parts = arms.map((arm) =>
    to.inScope('block', arm, () => {
      const pattern = to.part(arm, 'pattern');
      const condition = to.part(pattern, 'condition');
      const [first = NONE] = tree.children(pattern).filter((one) => one !== condition);
      bindPattern(to, first, value, { from: tree.start(pattern) });
      to.expression(condition);
      return to.expression(to.part(arm, 'value'));
    }),
  );
  return either(to, parts, node);
}

/** Branches give values of one type, but for those that give none. */
function either(to: Lowering, parts: readonly number[], node: NodeId): number {
  const known = parts.filter((one) => one !== to.unknown);
  const [first = to.unknown] = known;
  return known.length < 2
    ? first
    : to.addExpression({ kind: 'either', parts: known, at: to.tree.start(node) });
}

function numberAt(to: Lowering, node: NodeId, type: string): number {
  const said = /[iuf](?:8|16|32|64|128|size)$/.exec(to.tree.textOf(node))?.[0];
  return to.addExpression({ kind: 'literal', name: said ?? type, at: 0 });
}

/** `type A<T> = B<T>;`, of a type or a trait, too. */
function alias(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const definition = to.define({
    kind: 'type',
    name: to.part(node, 'name'),
    modifiers: to.part(node, ':visibility_modifier'),
    start: tree.start(node),
    end: tree.end(node),
    flags: SYMBOL_FLAGS.alias,
  });
  to.inside(definition, 'function', node, () => {
    to.typeParameters(to.part(node, 'type_parameters'), definition, node);
    const stands = to.part(node, 'type');
    to.setSymbol(definition, 'type', to.type(stands === NONE ? to.part(node, 'bounds') : stands));
  });
}

/** Traits of the library that types are given by `#[derive(…)]`. */
const DERIVED = new Set('Clone Copy Default Debug PartialEq Eq Hash PartialOrd Ord'.split(' '));

/** A type and what it derives; `clone` and `default` give the type itself. */
function deriving(to: Lowering, node: NodeId, rule: TypeDeclarationRule): void {
  const { tree } = to;
  const definition = to.definitions.length;
  lowerDeclaration(to, node, rule);
  const at = tree.start(node);
  for (const one of to.definitions[definition]?.decorators ?? [])
    for (const name of /^derive\((.*)\)/s.exec(one)?.[1]?.match(/\w+/g) ?? []) {
      if (!DERIVED.has(name)) continue;
      const self = to.addType({ kind: 'name', name: tree.textOf(to.part(node, 'name')), at });
      to.addBase(definition, to.addType({ kind: 'name', name, parts: [self], at }), node, 'implements', name);
    }
}

/** `impl<T> Trait for Type<T> { … }` */
function implementation(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [trait, type] = [to.part(node, 'trait'), to.part(node, 'type')];
  to.preceding(tree.start(node));
  to.inExtension(
    node,
    () => {
      to.typeParameters(to.part(node, 'type_parameters'), null, node);
      const name = nameOf(to, type);
      const isAny = to.isBound(name, 'type');
      // `impl !Send for T` says what it is not.
      const isNot = trait === NONE || /!\s*$/.test(tree.text.slice(tree.start(node), tree.start(trait)));
      const base = isNot ? -1 : to.type(trait);
      return { type: to.type(type), base, name, ...(isAny && { found: '*' }) };
    },
    () => to.visitChildren(to.part(node, 'body')),
  );
}

/** A variant of an enum: a constant that takes what it holds. */
function variant(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const at = tree.start(node);
  const definition = to.define({
    kind: 'constant',
    name: to.part(node, 'name'),
    start: at,
    end: tree.end(node),
    flags: SYMBOL_FLAGS.static,
    access: PUBLIC,
    isConstant: true,
  });
  to.setSymbol(definition, 'type', to.addType({ kind: 'this', at }));
  to.inside(definition, 'function', node, () => {
    let index = 0;
    for (const one of tree.children(to.part(node, 'body'))) {
      const name = to.part(one, 'name');
      const isNamed = tree.kind(one) === 'field_declaration';
      if (!isNamed && to.typeRule(one) === undefined) continue;
      const type = to.type(isNamed ? to.part(one, 'type') : one);
      to.scopes.bind('parameter', isNamed ? tree.textOf(name) : String(index++), { type });
    }
    to.expression(to.part(node, 'value'));
  });
}

/** `struct Pair(A, B);` */
function unnamedFields(to: Lowering, node: NodeId): void {
  const { tree } = to;
  let index = 0;
  for (const one of tree.children(node)) {
    if (to.typeRule(one) === undefined) continue;
    const place = { name: one, start: tree.start(one), end: tree.end(one) };
    const definition = to.define({ kind: 'field', called: String(index++), ...place });
    to.setSymbol(
      definition,
      'type',
      to.ownedBy(definition, () => to.type(one)),
    );
  }
}
