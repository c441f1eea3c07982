import { SYMBOL_FLAGS } from '../../ir/index.js';
import {
  callOf,
  type FunctionRule,
  kinds,
  type Lowering,
  type LoweringRules,
  NONE,
  type NodeId,
  type Use,
} from '../../lower/index.js';
import { assignments, fileOf, indexOf, metatabled, type Table, typeOfPath } from './tables.js';

const TEST_FILE = /_(?:spec|test)\.lua$|(?:^|\/)test_[^/]*\.lua$|(?:^|\/)(?:spec|tests?)\//;
const FUNCTION: FunctionRule = {
  does: 'function',
  kind: 'function',
  name: 'name',
  parameters: 'parameters',
  body: 'body',
};
const LOCAL = { exported: false, visibility: 'private' } as const;
const PUBLIC = { exported: true, visibility: 'public' } as const;

/** What Lua's syntax means. */
export const rules: LoweringRules = {
  language: 'lua',
  comments: ['comment'],
  unread: ['string_content', 'escape_sequence', 'hash_bang_line'],
  importsAre: 'names',
  builtinTypes: new Set(),
  blank: '_',
  access: (name) => ({ exported: false, visibility: name.startsWith('_') ? 'private' : 'public' }),
  docs: { marks: ['--'], directive: /^--\s*(?:luacheck|vim)\b/ },
  tests: {
    path: TEST_FILE,
    name: /^[Tt]est/,
    base: /^$/,
    collected: { path: TEST_FILE, suite: /^Test/, without: '' },
    calls: [
      ...['it', 'spec', 'test'].map((name) => ({ name, title: 0, body: 1, taking: /^function/ })),
      ...['describe', 'context', 'insulate', 'expose'].map((name) => ({
        ...{ name, title: 0, body: 1, taking: /^function/, isSuite: true },
      })),
    ],
  },
  finish: (to, facts) => {
    const { exported } = fileOf(to);
    const one = facts.definitions[exported];
    if (one)
      facts.exports.push({
        name: 'default',
        local: one.name,
        module: null,
        definition: exported,
        line: one.name_line,
      });
  },
  nodes: {
    function_declaration: functionAt,
    variable_declaration: declaration,
    assignment_statement: assignment,
    return_statement: returned,
    for_generic_clause: (to, node) => {
      const [names = NONE, values = NONE] = to.tree.children(node);
      to.visitChildren(values);
      for (const name of to.tree.children(names)) to.bind('local', name, { from: to.tree.start(name) });
    },
    for_numeric_clause: (to, node) => {
      const [name = NONE, ...bounds] = to.tree.children(node);
      for (const one of bounds) to.expression(one);
      to.bind('local', name, { from: to.tree.start(name) });
    },
    ...kinds('for_statement do_statement while_statement repeat_statement block', 'block'),
    ...kinds('goto_statement label_statement break_statement', 'skip'),
  },
  expressions: {
    identifier: 'name',
    dot_index_expression: { is: 'member', of: 'table', name: 'field' },
    method_index_expression: { is: 'member', of: 'table', name: 'method' },
    bracket_index_expression: { is: 'index', of: 'table', index: 'field' },
    function_call: callAt,
    function_definition: { is: 'function', parameters: 'parameters', body: 'body' },
    parenthesized_expression: 'inside',
    table_constructor: (to, node) => {
      for (const one of to.tree.children(node)) to.visit(one);
      return to.unknown;
    },
    binary_expression: (to, node) => {
      const parts = ['left', 'right'].map((part) => to.expression(to.part(node, part)));
      const between = to.tree.text.slice(
        to.tree.end(to.part(node, 'left')),
        to.tree.start(to.part(node, 'right')),
      );
      return between.trim() === 'or'
        ? to.addExpression({ kind: 'either', parts, at: to.tree.start(node) })
        : to.unknown;
    },
    unary_expression: { is: 'unknown' },
    string: { is: 'literal', type: 'string' },
    number: { is: 'literal', type: 'number' },
    ...kinds('true false', { is: 'literal', type: 'boolean' }),
    nil: { is: 'literal', type: 'nil' },
    vararg_expression: { is: 'unknown' },
  },
  types: {},
  parameters: {
    identifier: (to, node) => {
      const { self, selfParameter } = fileOf(to);
      return { name: node, type: node === selfParameter && self ? typeOfTable(to, self) : -1, written: null };
    },
    vararg_expression: (_, node) => ({ name: node, type: -1, written: null, variadic: true }),
  },
};

/** The table of the file that a node names; undefined for any other. */
function tableOf(to: Lowering, node: NodeId): Table | undefined {
  const name = to.tree.textOf(node);
  if (to.tree.kind(node) !== 'identifier') return undefined;
  if (name === 'self' && fileOf(to).self) return fileOf(to).self;
  return to.isBound(name) ? undefined : fileOf(to).tables.get(name);
}

/** `function f()`, `local function f()`, `function M.f()`, `function M:f()` */
function functionAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const name = to.part(node, 'name');
  if (tree.kind(name) === 'identifier') {
    const isLocal = tree.field(node) === 'local_declaration' || declaredHere(to, tree.textOf(name));
    defineFunction(to, { name, whole: node, value: node, isLocal });
  } else memberFunction(to, node, name, node);
}

/** Whether a name was declared in the file by a `local` without a value. */
function declaredHere(to: Lowering, name: string): boolean {
  return fileOf(to).forward.has(name);
}

/** `M.f = function() end`, `function M:f() end` */
function memberFunction(to: Lowering, whole: NodeId, target: NodeId, value: NodeId): void {
  const isMethod = to.tree.kind(target) === 'method_index_expression';
  const holder = to.part(target, 'table');
  const table = tableOf(to, holder);
  if (!table) to.expression(holder, 'path');
  defineFunction(to, {
    name: to.part(target, isMethod ? 'method' : 'field'),
    whole,
    value,
    holder,
    table,
    isMethod,
  });
}

/** What {@link defineFunction} makes a function of. */
interface NewFunction {
  readonly name: NodeId;
  readonly whole: NodeId;
  /** The node with its parameters and body. */
  readonly value: NodeId;
  readonly isLocal?: boolean;
  /** What it is a member of, and that as a table of the file. */
  readonly holder?: NodeId;
  readonly table?: Table | undefined;
  readonly isMethod?: boolean;
}

function defineFunction(to: Lowering, given: NewFunction): void {
  const { tree } = to;
  const { name, whole, value, isLocal = false, holder, table, isMethod = false } = given;
  const file = fileOf(to);
  const body = to.part(value, 'body');
  const isSeen = table ? table.definition === file.exported : holder === undefined && !isLocal;
  const of = holder === undefined ? '' : tree.textOf(holder).replace(/\s/g, '').slice(0, 80);
  const define = () =>
    to.define({
      ...{ kind: holder === undefined && !table ? 'function' : 'method', name },
      ...{ start: tree.start(whole), end: tree.end(whole), access: isSeen ? PUBLIC : LOCAL },
      headEnd: body === NONE ? tree.end(to.part(value, 'parameters')) : tree.start(body),
      flags: isMethod || (holder === undefined && !table) ? 0 : SYMBOL_FLAGS.static,
      // What is a member of something that the file does not declare is found by nothing.
      ...(table ? { scope: table.scope } : of === '' ? {} : { scope: hiddenScope(to), owner: of }),
    });
  const definition = table ? to.ownedBy(table.definition, define) : define();
  const { self, selfParameter } = file;
  const first = tree.first(to.part(value, 'parameters'));
  const takesSelf = table !== undefined && tree.textOf(first) === 'self';
  if (isMethod || takesSelf) file.self = table;
  file.selfParameter = takesSelf ? first : NONE;
  to.callable(definition, value, FUNCTION, () => {
    if (isMethod) to.scopes.bind('parameter', 'self', { type: table ? typeOfTable(to, table) : -1 });
  });
  file.self = self;
  file.selfParameter = selfParameter;
}

/** The type that a table of the file is. */
function typeOfTable(to: Lowering, { definition }: Table): number {
  return to.addType({ kind: 'name', name: to.definitions[definition]?.name ?? '', at: 0 });
}

/** A scope that nothing is looked up in. */
function hiddenScope(to: Lowering): number {
  return to.inScope('function', 0, () => to.scopes.ownRow());
}

/** `local a, b = x, y` */
function declaration(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const inner = tree.kind(tree.first(node)) === 'assignment_statement' ? tree.first(node) : node;
  const names = tree.children(to.part(inner, ':variable_list'));
  const values = tree.children(to.part(inner, ':expression_list'));
  for (const [at, name] of names.entries())
    localAt(to, names.length === 1 ? node : name, name, values[at] ?? NONE, tree.end(node));
  for (const one of values.slice(names.length)) to.expression(one);
}

function localAt(to: Lowering, whole: NodeId, name: NodeId, value: NodeId, from: number): void {
  const { tree } = to;
  const file = fileOf(to);
  const text = tree.textOf(name);
  const isFixed = assignments(to, text, from, to.scopes.current.end) === 0;
  if (isFixed && value === NONE && file.functions.has(text)) file.forward.add(text);
  else if (isFixed && tree.kind(value) === 'function_definition')
    defineFunction(to, { name, whole, value, isLocal: true });
  else if (isFixed && isTable(to, text, value)) tableAt(to, whole, name, value, text);
  else {
    const module = isFixed ? requiredIn(to, value) : null;
    if (module !== null) {
      to.import({ node: value, module, kind: 'require', names: [{ imported: '*', local: text }] });
      return;
    }
    const row = to.expression(value);
    // `local print = print` means what it meant before.
    if (isAlone(to) && tree.textOf(value) === text) return;
    if (isAlone(to)) {
      const definition = variableAt(to, whole, name, value, LOCAL);
      if (isFixed) to.setSymbol(definition, 'value', row);
    } else to.bind('local', name, { value: isFixed ? row : -1, from });
  }
}

/** Whether it stands at the top of the file, in no block. */
function isAlone(to: Lowering): boolean {
  return to.scopes.current.kind === 'file';
}

function variableAt(
  to: Lowering,
  whole: NodeId,
  name: NodeId,
  value: NodeId,
  access: typeof LOCAL | typeof PUBLIC,
): number {
  const { tree } = to;
  const isLong = value !== NONE && to.text.line(tree.start(value)) !== to.text.line(tree.end(value));
  return to.define({
    ...{ kind: 'variable', name, start: tree.start(whole), end: tree.end(whole), access },
    ...(isLong ? { headEnd: tree.end(name) } : {}),
  });
}

/** Whether a table that a name is given at the top of the file has members of its own. */
function isTable(to: Lowering, name: string, value: NodeId): boolean {
  const of = metatabled(to, value)?.of ?? value;
  return to.tree.kind(of) === 'table_constructor' && isAlone(to) && fileOf(to).holders.has(name);
}

/** A table with members. @param called What it is called. */
function tableAt(to: Lowering, whole: NodeId, name: NodeId, value: NodeId, called: string): void {
  const { tree } = to;
  const file = fileOf(to);
  const made = metatabled(to, value);
  const isReturned = called === file.returned || name === value;
  const definition = to.define({
    ...{ kind: 'class', name, called, start: tree.start(whole), end: tree.end(whole) },
    headEnd: name === value ? tree.start(value) + 1 : tree.end(name),
    access: isReturned ? PUBLIC : LOCAL,
  });
  if (isReturned) file.exported = definition;
  to.inside(definition, 'type', whole, () => {
    const table = { definition, scope: to.scopes.ownRow(), fields: new Set<string>() };
    file.tables.set(called, table);
    for (const one of tree.children(made?.of ?? value)) fieldAt(to, one, table);
  });
  if (made) derive(to, definition, made.by);
}

/** `name = value` in a table with members. */
function fieldAt(to: Lowering, node: NodeId, table: Table): void {
  const name = to.part(node, 'name');
  const value = to.part(node, 'value');
  if (to.tree.kind(name) !== 'identifier') to.visit(node);
  else if (to.tree.kind(value) === 'function_definition')
    defineFunction(to, { name, whole: node, value, table });
  else memberAtTable(to, node, name, value, table);
}

/** A member of a table that is no function where it is written: of what is given once the value is known. */
function memberAtTable(to: Lowering, whole: NodeId, name: NodeId, value: NodeId, table: Table): void {
  const { tree } = to;
  const text = tree.textOf(name);
  const isOnce = assignments(to, `.${text}`) < 2;
  const row = to.expression(value, 'pass');
  if (table.fields.has(text) || text === '__index') return;
  table.fields.add(text);
  const isSeen = table.definition === fileOf(to).exported;
  const definition = to.ownedBy(table.definition, () =>
    to.define({
      ...{ kind: 'field', name, start: tree.start(whole), end: tree.end(whole), headEnd: tree.end(name) },
      ...{ scope: table.scope, access: isSeen ? PUBLIC : LOCAL },
    }),
  );
  if (isOnce) to.setSymbol(definition, 'value', row);
}

/** What a table has from the one that its metatable names. */
function derive(to: Lowering, definition: number, by: NodeId): void {
  const index = indexOf(to, by);
  const type = index === NONE ? -1 : typeOfPath(to, index);
  if (type >= 0 && to.tree.textOf(index) !== to.definitions[definition]?.name)
    to.addBase(definition, type, index, 'extends');
}

/** `a, b.c = x, y` */
function assignment(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const names = tree.children(to.part(node, ':variable_list'));
  const values = tree.children(to.part(node, ':expression_list'));
  for (const [at, name] of names.entries())
    assigned(to, names.length === 1 ? node : name, name, values[at] ?? NONE);
  for (const one of values.slice(names.length)) to.expression(one);
}

function assigned(to: Lowering, whole: NodeId, target: NodeId, value: NodeId): void {
  const { tree } = to;
  const text = tree.textOf(target);
  const isFunction = tree.kind(value) === 'function_definition';
  if (tree.kind(target) === 'identifier') {
    const isFixed = assignments(to, text) < 2;
    const isNew = !to.isBound(text) && !to.has(text);
    if (isFunction && isNew && assignments(to, text) === 0)
      defineFunction(to, { name: target, whole, value, isLocal: declaredHere(to, text) });
    else if (isNew && isFixed && isTable(to, text, value)) tableAt(to, whole, target, value, text);
    else if (isNew && isAlone(to)) {
      const row = to.expression(value);
      const definition = variableAt(to, whole, target, value, PUBLIC);
      if (isFixed) to.setSymbol(definition, 'value', row);
    } else {
      to.expression(target, 'write');
      to.expression(value);
    }
    return;
  }
  const table =
    tree.kind(target) === 'dot_index_expression' ? tableOf(to, to.part(target, 'table')) : undefined;
  if (isFunction && tree.kind(target) === 'dot_index_expression') memberFunction(to, whole, target, value);
  else if (table) {
    const name = to.part(target, 'field');
    if (table.fields.has(tree.textOf(name))) to.expression(target, 'write');
    memberAtTable(to, whole, name, value, table);
  } else {
    to.expression(target, 'write');
    to.expression(value);
  }
}

/** `return a, b`: of a file its first value is what others get that require it. */
function returned(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [first = NONE, ...others] = tree.children(tree.first(node));
  if (to.owner === null && isAlone(to) && tree.kind(first) === 'table_constructor') {
    const path = to.path.replace(/\.lua$/, '').replace(/\/init$/, '');
    const called = path.slice(path.lastIndexOf('/') + 1);
    tableAt(to, node, first, first, called);
    return;
  }
  const value = to.expression(first);
  for (const one of others) to.expression(one);
  if (value < 0) return;
  if (to.values) to.values.push(value);
  else if (to.owner !== null) to.addReturn(value);
}

/** The module of `require "a.b"`; null for anything else. */
function requiredIn(to: Lowering, node: NodeId): string | null {
  const { tree } = to;
  if (tree.kind(node) !== 'function_call' || tree.textOf(to.part(node, 'name')) !== 'require') return null;
  const [only = NONE, ...others] = tree.children(to.part(node, 'arguments'));
  if (tree.kind(only) !== 'string' || others.length > 0) return null;
  return /^(["'])([\w./-]+)\1$/.exec(tree.textOf(only))?.[2] ?? null;
}

function callAt(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const module = requiredIn(to, node);
  if (module !== null) {
    // No name of the language has a blank in it.
    const local = `require ${module}`;
    to.import({
      node,
      module,
      kind: 'require',
      names: [{ imported: '*', local: use === 'read' && isStatement(to, node) ? null : local }],
    });
    return to.addExpression({ kind: 'name', name: local, at: tree.start(node) });
  }
  const made = metatabled(to, node);
  if (made) return instance(to, node, made);
  const callee = to.part(node, 'name');
  const base = to.expression(callee, 'callee');
  const { name, of } = to.writtenAt(base);
  return callOf(to, node, { base, name, receiver: of, given: to.part(node, 'arguments') });
}

/** Whether a call is a statement: what it gives is not used. */
function isStatement(to: Lowering, node: NodeId): boolean {
  return to.tree.field(node) === '';
}

/** `setmetatable(of, by)`: a table that is given members, or a value with those of another one. */
function instance(to: Lowering, node: NodeId, { of, by }: { of: NodeId; by: NodeId }): number {
  const table = tableOf(to, of);
  const value = to.expression(of);
  to.expression(by);
  if (table) {
    derive(to, table.definition, by);
    return value;
  }
  const at = to.tree.start(node);
  if (to.tree.textOf(by) === 'self') return to.addExpression({ kind: 'name', name: 'self', at });
  const index = indexOf(to, by);
  const type = index === NONE ? -1 : typeOfPath(to, index);
  return type < 0 ? value : to.addExpression({ kind: 'composite', type, at });
}
