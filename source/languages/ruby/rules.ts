import { kinds, type Lowering, type LoweringRules, NONE, type NodeId, type Use } from '../../lower/index.js';
import { blockArgument, blockAt, callAt, identifier, narrowed, superAt } from './calls.js';
import {
  assign,
  bindPattern,
  caseAt,
  eitherOf,
  GONE,
  ifAt,
  loopAt,
  nil,
  returnAt,
  statements,
} from './control.js';
import { constantAt, constantType, methodAt, singletonClass, typeAt } from './declarations.js';
import { documentedType } from './docs.js';
import { alias } from './members.js';
import { findRoutes } from './routes.js';
import { fileOf, isConstant, PUBLIC, selfRow, TEST_FILES, typeRow } from './state.js';

/** `A`, `A::B`, `::A` */
function constantRead(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const isPath = tree.kind(node) === 'scope_resolution';
  const name = isPath ? to.part(node, 'name') : node;
  const of = isPath ? to.part(node, 'scope') : NONE;
  const place = { name: tree.textOf(name), at: tree.start(name), nameNode: name };
  const base = of === NONE ? -1 : to.expression(of, 'path');
  const row =
    of !== NONE
      ? to.addExpression({ kind: 'member', base, ...place, ofNode: of })
      : to.addExpression({ kind: 'name', ...place, ...(isPath && { scope: 0 }) });
  const kind = use === 'path' || use === 'callee' ? 'read' : use;
  to.refer({
    kind,
    name,
    whole: node,
    expression: row,
    ...(of !== NONE && { receiver: of, receiverRow: base }),
  });
  return row;
}

/** `@a`, `@@a`: a member of the object itself. */
function instanceVariable(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const file = fileOf(to);
  if (file.self === 'other' || !file.type) return to.unknown;
  const at = tree.start(node);
  const base = selfRow(to, at);
  const row = to.addExpression({ kind: 'member', name: tree.textOf(node), base, at, nameNode: node });
  to.refer({
    kind: use === 'path' || use === 'callee' ? 'read' : use,
    name: node,
    whole: node,
    expression: row,
  });
  return narrowed(to, node, row, use);
}

/** `a = b`, `a.b = c`, `A = b`, `a, b = c` */
function assignment(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
  if (tree.kind(left) === 'constant') {
    if (constantType(to, node)) return to.unknown;
    return constantAt(to, node, left, () => to.expression(right));
  }
  const value = to.expression(right);
  assign(to, left, value, tree.end(node) - 1);
  return value;
}

/** `a ||= b`, `a += b` */
function operatorAssignment(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
  const isOr = tree.textOf(to.part(node, 'operator')) === '||=';
  if (tree.kind(left) === 'constant') return constantAt(to, node, left, () => to.expression(right));
  const isVariable = /_variable$/.test(tree.kind(left));
  const isNew = tree.kind(left) === 'identifier' && to.scopes.find(tree.textOf(left)) === null;
  const held = isNew ? nil(to) : to.expression(left);
  const given = to.expression(right);
  // A branch may end with it: what it holds there is what is assigned.
  const at = tree.end(node) - 1;
  if (tree.kind(left) === 'identifier' || isVariable)
    assign(to, left, isOr ? (isVariable ? given : eitherOf(to, [held, given], at)) : to.unknown, at);
  return isOr ? eitherOf(to, [held, given], at) : to.unknown;
}

/** `a && b`, `a || b`, `a + b` */
function binary(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
  const operator = tree.textOf(to.part(node, 'operator'));
  const rows = [to.expression(left)];
  const { locals } = fileOf(to);
  let last = GONE;
  const isChoice = /^(?:&&|\|\||and|or)$/.test(operator);
  // What stands right of it may not be run.
  if (isChoice)
    locals.branches([{ node: right, run: () => (last = to.expression(right)) }], false, tree.end(node));
  else last = to.expression(right);
  rows.push(last);
  const at = tree.start(node);
  if (operator === '||' || operator === 'or') return eitherOf(to, rows, at);
  if (operator === '&&' || operator === 'and') return last;
  return /^(?:==|!=|<|>|<=|>=|=~|!~|===)$/.test(operator)
    ? to.addExpression({ kind: 'literal', name: 'bool', at })
    : to.unknown;
}

/** `key: value`, and `key:` for a value of that name. */
function pair(to: Lowering, node: NodeId): number {
  const [key, value] = [to.part(node, 'key'), to.part(node, 'value')];
  to.visit(key);
  return value === NONE ? to.unknown : to.expression(value, 'pass');
}

/** What Ruby's syntax means. */
export const rules: LoweringRules = {
  language: 'ruby',
  comments: ['comment'],
  tokens:
    '&& || and or === == != =~ !~ <= >= < > + - * / % ** << >> & | ^ <=> ||= &&= += -= *= /= |= <<= ! not'.split(
      ' ',
    ),
  unread: 'string_content heredoc_content heredoc_end escape_sequence uninterpreted empty_statement'.split(
    ' ',
  ),
  chains: ['binary'],
  spreads: ['splat_argument', 'hash_splat_argument'],
  importsAre: 'names',
  namesApart: true,
  builtinTypes: new Set(),
  access: () => PUBLIC,
  docs: { marks: ['#'], directive: /^#\s*(?:rubocop:|frozen_string_literal:|-\*-|encoding:|typed:|!)/ },
  documented: (to, node) => {
    const name = to.part(node, 'name');
    const written = fileOf(to).doc.params.get(to.tree.textOf(name === NONE ? node : name)) ?? '';
    return documentedType(to, written, to.tree.start(node));
  },
  tests: {
    path: TEST_FILES,
    name: /^test_/,
    base: /(?:^|::)(?:Test|TestCase|Spec)$|Test(?:Case)?$/,
    files: TEST_FILES,
    calls: 'it specify example scenario test should describe context feature'.split(' ').map((name) => ({
      ...{ name, title: 0, body: 1, taking: /^(?:do\b|\{)/ },
      isSuite: /^(?:describe|context|feature)$/.test(name),
    })),
  },
  finish: findRoutes,
  nodes: {
    ...kinds('class module', typeAt),
    singleton_class: singletonClass,
    alias: (to, node) => alias(to, node, to.part(node, 'name'), to.part(node, 'alias')),
    undef: 'skip',
    match_pattern: (to, node) => {
      to.expression(to.part(node, 'value'));
      bindPattern(to, to.part(node, 'pattern'));
    },
  },
  expressions: {
    identifier,
    ...kinds('constant scope_resolution', constantRead),
    ...kinds('instance_variable class_variable', instanceVariable),
    self: (to, node) => selfRow(to, to.tree.start(node)),
    super: (to, node) => superAt(to, node),
    call: callAt,
    ...kinds('block do_block lambda', (to: Lowering, node: NodeId) => blockAt(to, node)),
    block_argument: blockArgument,
    ...kinds('method singleton_method', methodAt),
    ...kinds('assignment', assignment),
    operator_assignment: operatorAssignment,
    ...kinds('if unless elsif conditional if_modifier unless_modifier', ifAt),
    ...kinds('case case_match', caseAt),
    ...kinds('while until for while_modifier until_modifier', loopAt),
    ...kinds('return next break', returnAt),
    ...kinds('redo retry', () => GONE),
    ...kinds(
      'begin then else do parenthesized_statements body_statement block_body begin_block end_block',
      statements,
    ),
    rescue_modifier: (to, node) => {
      const rows = ['body', 'handler'].map((part) => to.expression(to.part(node, part)));
      return eitherOf(to, rows, to.tree.start(node));
    },
    binary,
    unary: { is: 'unknown' },
    element_reference: { is: 'index', of: 'object', index: '#1' },
    ...kinds('array right_assignment_list string_array symbol_array', { is: 'list' } as const),
    pair,
    hash: { is: 'literal', type: 'hash' },
    ...kinds('string chained_string heredoc_beginning subshell bare_string character', {
      is: 'literal',
      type: 'string',
    } as const),
    ...kinds('simple_symbol delimited_symbol bare_symbol hash_key_symbol', {
      is: 'literal',
      type: 'symbol',
    } as const),
    integer: { is: 'literal', type: 'integer' },
    ...kinds('float rational complex', { is: 'literal', type: 'float' } as const),
    regex: { is: 'literal', type: 'regex' },
    range: { is: 'literal', type: 'range' },
    nil: { is: 'literal', type: 'nil' },
    ...kinds('true false', { is: 'literal', type: 'bool' } as const),
    yield: { is: 'unknown' },
  },
  types: {
    constant: 'name',
    scope_resolution: (to, node) => {
      const [name, of] = [to.part(node, 'name'), to.part(node, 'scope')];
      if (of !== NONE && isConstant(to, of)) to.type(of);
      else if (of !== NONE) to.visit(of);
      const type = typeRow(to, node);
      to.refer({ kind: 'type', name, whole: node, type });
      return type;
    },
  },
  parameters: {
    identifier: { names: '.', type: ':none' },
    optional_parameter: { names: 'name', type: ':none', default: 'value' },
    keyword_parameter: { names: 'name', type: ':none', default: 'value' },
    splat_parameter: { names: 'name', type: ':none', variadic: true },
    hash_splat_parameter: { names: 'name', type: ':none' },
    block_parameter: { names: 'name', type: ':none' },
    destructured_parameter: { names: ':identifier', type: ':none' },
  },
};
