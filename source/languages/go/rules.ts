import { BINDING_FLAGS, BUILDS, SYMBOL_FLAGS } from '../../ir/index.js';
import {
  type CompositeRule,
  callOf,
  type ExpressionRule,
  type FunctionRule,
  kinds,
  type Lowering,
  type LoweringRules,
  lastName,
  lowerExpression,
  NONE,
  type NodeId,
  type VariableRule,
} from '../../lower/index.js';
import { routes } from './frameworks.js';

const FUNCTION: FunctionRule = {
  does: 'function',
  kind: 'function',
  name: 'name',
  typeParameters: 'type_parameters',
  parameters: 'parameters',
  result: 'result',
  body: 'body',
};

const CALL: ExpressionRule = {
  is: 'call',
  callee: 'function',
  arguments: 'arguments',
  types: 'type_arguments',
};

const COMPOSITE: CompositeRule = {
  is: 'composite',
  elements: '.',
  pair: 'keyed_element',
  key: 'key',
  value: 'value',
};

const CONSTANT: VariableRule = {
  does: 'variables',
  kind: 'constant',
  names: 'name',
  type: 'type',
  values: 'value',
};

/** What Go's syntax means. */
export const rules: LoweringRules = {
  language: 'go',
  buildOf,
  comments: ['comment'],
  tokens: '& * <- ! - + ^ == != < > <= >= && ||'.split(' '),
  lists: ['expression_list', 'var_spec_list', 'type_arguments'],
  spreads: ['variadic_argument'],
  importsAre: 'packages',
  blank: '_',
  builtinTypes: new Set(
    (
      'any bool byte comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 nil rune string ' +
      'uint uint16 uint32 uint64 uint8 uintptr'
    ).split(' '),
  ),
  access: (name) =>
    /^\p{Lu}/u.test(name)
      ? { exported: true, visibility: 'public' }
      : { exported: false, visibility: 'private' },
  docs: {
    marks: ['//', '/*'],
    directive: /^\/\/(?:[a-z]+:|line |export |extern |nolint| ?\+build )/,
    trailing: true,
  },
  tests: {
    path: /_test\.go$/,
    name: /^(?:Test(?!Main$)|Benchmark|Example|Fuzz)(?!\p{Ll})/u,
    calls: [{ name: 'Run', title: 0, body: 1, taking: /^func\(\w+ \*testing\.[TB]\)/ }],
  },
  routes,
  nodes: {
    package_clause: (to, node) => {
      to.setPackage(to.tree.textOf(to.part(node, ':package_identifier')));
      to.documentFile(node);
    },
    import_spec: importSpec,
    function_declaration: FUNCTION,
    method_declaration: method,
    const_declaration: constants,
    ...kinds('var_declaration type_declaration', 'statement'),
    ...kinds('type_spec type_alias', typeSpec),
    var_spec: { does: 'variables', kind: 'variable', names: 'name', type: 'type', values: 'value' },
    field_declaration: { does: 'variables', kind: 'field', names: 'name', type: 'type', embedded: true },
    method_elem: { ...FUNCTION, kind: 'method' },
    type_elem: typeElement,
    ...kinds('short_var_declaration receive_statement', { does: 'locals', names: 'left', values: 'right' }),
    assignment_statement: { does: 'assign', targets: 'left', values: 'right' },
    ...kinds('inc_statement dec_statement', { does: 'assign', targets: '#0' }),
    range_clause: { does: 'loop', names: 'left', over: 'right', gives: ['key', 'element'] },
    type_switch_statement: typeSwitch,
    ...kinds('block if_statement for_statement expression_switch_statement expression_case', 'block'),
    ...kinds('default_case communication_case', 'block'),
    label_name: 'skip',
  },
  expressions: {
    identifier: 'name',
    selector_expression: { is: 'member', of: 'operand', name: 'field' },
    call_expression: (to, node) => made(to, node) ?? lowerExpression(to, node, CALL, 'read'),
    index_expression: { is: 'index', of: 'operand', index: 'index' },
    slice_expression: { is: 'slice', of: 'operand' },
    parenthesized_expression: 'inside',
    type_assertion_expression: { is: 'convert', type: 'type', of: 'operand' },
    type_conversion_expression: conversion,
    unary_expression: { is: 'unary', operator: 'operator', of: 'operand', received: '<-' },
    binary_expression: { is: 'binary', left: 'left', operator: 'operator', right: 'right' },
    composite_literal: { ...COMPOSITE, type: 'type', elements: 'body' },
    literal_value: COMPOSITE,
    literal_element: 'inside',
    func_literal: { is: 'function', parameters: 'parameters', result: 'result', body: 'body' },
    ...kinds('interpreted_string_literal raw_string_literal', { is: 'literal', type: 'string' }),
    ...kinds('int_literal iota', { is: 'literal', type: 'int' }),
    ...kinds('true false', { is: 'literal', type: 'bool' }),
    float_literal: { is: 'literal', type: 'float64' },
    imaginary_literal: { is: 'literal', type: 'complex128' },
    rune_literal: { is: 'literal', type: 'rune' },
    nil: { is: 'literal', type: 'nil' },
  },
  types: {
    ...kinds('type_identifier package_identifier', 'name'),
    qualified_type: { is: 'name', name: 'name', of: 'package' },
    generic_type: { is: 'generic', type: 'type', arguments: ':type_arguments' },
    pointer_type: { is: 'pointer', of: '#0' },
    ...kinds('array_type implicit_length_array_type slice_type', { is: 'list', of: 'element' }),
    map_type: { is: 'map', key: 'key', value: 'value' },
    channel_type: { is: 'channel', of: 'value' },
    function_type: { is: 'function', parameters: 'parameters', result: 'result' },
    ...kinds('type_elem type_constraint', 'union'),
    ...kinds('negated_type parenthesized_type', 'inside'),
    ...kinds('struct_type interface_type', 'members'),
  },
  parameters: {
    parameter_declaration: { names: 'name', type: 'type' },
    variadic_parameter_declaration: { names: 'name', type: 'type', variadic: true },
    type_parameter_declaration: { names: 'name', type: 'type' },
  },
};

/** `alias "path"`, `. "path"`, `_ "path"`. Without an alias the last part of the path is the name, most often. */
function importSpec(to: Lowering, node: NodeId): void {
  const module = to.tree.textOf(to.part(node, 'path')).slice(1, -1);
  const name = to.part(node, 'name');
  const kind = to.tree.kind(name);
  const local =
    kind === 'dot' || kind === 'blank_identifier' ? null : to.tree.textOf(name) || packageName(module);
  to.import({
    node,
    module,
    names: [{ imported: '*', local }],
    flags: kind === 'dot' ? BINDING_FLAGS.star : 0,
  });
}

/** The name that a package most often has by its path: `chi` of `github.com/go-chi/chi/v5`, `yaml` of `gopkg.in/yaml.v3`. */
function packageName(path: string): string {
  const parts = path.split('/');
  if (parts.length > 1 && /^v\d+$/.test(parts[parts.length - 1] ?? '')) parts.pop();
  const last = (parts[parts.length - 1] ?? '').replace(/\.v\d+$/, '');
  return last.replace(/^go-|[-.]go$/g, '').replace(/-/g, '_');
}

/** `func (mx *Mux[T]) Get(…)`: a member of `Mux`, wherever that is defined. */
function method(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const receiver = to.part(node, 'receiver');
  const [given = NONE] = tree.children(receiver);
  const written = to.part(given, 'type');
  const name = lastName(to, written);
  const generic = tree.kind(written) === 'pointer_type' ? tree.first(written) : written;
  const body = to.part(node, 'body');
  const definition = to.define({
    kind: 'method',
    name: to.part(node, 'name'),
    owner: tree.textOf(name),
    start: tree.start(node),
    end: tree.end(node),
    headEnd: body === NONE ? tree.end(node) : tree.start(body),
    isDeclaration: body === NONE,
  });
  to.callable(definition, node, FUNCTION, () => {
    // `func (s *Set[T])` declares T.
    for (const one of to.parts(generic, ':type_arguments')) to.bind('type parameter', tree.first(one), {});
    const row = to.type(written);
    to.setSymbol(definition, 'receiver', row);
    to.bind('receiver', to.part(given, 'name'), { type: row });
  });
}

/** A constant without a type and a value has those of the one before it: `const ( A Kind = iota; B )`. */
function constants(to: Lowering, node: NodeId): void {
  let type = -1;
  let value = -1;
  to.statement(node, (one) => {
    const definitions = to.variables(one, CONSTANT);
    const [first] = definitions;
    if (first === undefined) return;
    if (to.part(one, 'value') !== NONE) {
      type = to.symbol(first, 'type');
      value = to.symbol(first, 'value');
      return;
    }
    for (const definition of definitions) {
      to.setSymbol(definition, 'type', type);
      to.setSymbol(definition, 'value', value);
    }
  });
}

function typeSpec(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const type = to.part(node, 'type');
  const word = tree.kind(type).replace('_type', '');
  const subkind = word === 'struct' || word === 'interface' ? word : null;
  const definition = to.define({
    kind: subkind === 'struct' ? 'class' : (subkind ?? 'type'),
    ...(subkind ? { subkind, headEnd: tree.start(type) + word.length } : {}),
    name: to.part(node, 'name'),
    start: tree.start(node),
    end: tree.end(node),
    flags: tree.kind(node) === 'type_alias' ? SYMBOL_FLAGS.alias : 0,
  });
  to.inside(definition, 'type', type, () => {
    to.typeParameters(to.part(node, 'type_parameters'), definition);
    if (subkind) to.visitChildren(type);
    else to.setSymbol(definition, 'type', to.type(type));
  });
}

/** What an interface embeds; a union of types is none. */
function typeElement(to: Lowering, node: NodeId): void {
  const type = to.type(node);
  const [only = NONE, second] = to.tree.children(node);
  if (second !== undefined || to.tree.kind(only) === 'negated_type') return;
  if (to.inPlace) to.bind('member', lastName(to, only), { type, flags: BINDING_FLAGS.embedded });
  else if (to.owner !== null) to.addBase(to.owner, type, only, 'extends');
}

/** `switch t := x.(type)`: in each case `t` has the case's type. */
function typeSwitch(to: Lowering, node: NodeId): void {
  const { tree } = to;
  to.inScope('block', node, () => {
    to.visit(to.part(node, 'initializer'));
    const [alias = NONE] = to.parts(node, 'alias');
    const value = to.expression(to.part(node, 'value'));
    for (const one of tree.children(node)) {
      const kind = tree.kind(one);
      if (kind !== 'type_case' && kind !== 'default_case') continue;
      to.inScope('block', one, () => {
        const types = to.parts(one, 'type').filter((each) => to.typeRule(each) !== undefined);
        const rows = types.map((each) => to.type(each));
        const [type = -1] = rows.length === 1 ? rows : [];
        if (alias !== NONE)
          to.bind('local', alias, { type, value: type < 0 ? value : -1, from: tree.start(one) });
        for (const each of tree.children(one)) if (tree.field(each) !== 'type') to.visit(each);
      });
    }
  });
}

/** `[]byte(x)`; the grammar takes `f[int](x)` for one, too. */
function conversion(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const written = to.part(node, 'type');
  const at = tree.start(node);
  if (tree.kind(written) !== 'generic_type') {
    const base = to.expression(to.part(node, 'operand'), 'pass');
    return to.addExpression({ kind: 'convert', base, type: to.type(written), at });
  }
  const inner = to.part(written, 'type');
  const [name, of] =
    tree.kind(inner) === 'qualified_type'
      ? [to.part(inner, 'name'), to.part(inner, 'package')]
      : [inner, NONE];
  const path = of === NONE ? -1 : to.addExpression({ kind: 'name', name: tree.textOf(of), at });
  const base = to.addExpression({
    kind: of === NONE ? 'name' : 'member',
    name: tree.textOf(name),
    base: path,
    at: tree.start(name),
    nameNode: name,
    ofNode: of,
  });
  const [type = -1] = to.parts(written, ':type_arguments').map((one) => to.type(one));
  return callOf(to, node, { base, name, receiver: of, given: [to.part(node, 'operand')], type });
}

/** A call of a built-in type, and of `make(T, …)` and `new(T)`, which give a `T` and a `*T`; null for any other. */
function made(to: Lowering, node: NodeId): number | null {
  const { tree } = to;
  const name = to.part(node, 'function');
  if (tree.kind(name) !== 'identifier') return null;
  const called = tree.textOf(name);
  const [first = NONE, ...others] = tree.children(to.part(node, 'arguments'));
  if (to.isBound(called) || first === NONE) return null;
  const at = tree.start(node);
  if (rules.builtinTypes.has(called)) {
    const type = to.addType({ kind: 'literal', name: called, at });
    return to.addExpression({ kind: 'convert', base: to.expression(first, 'pass'), type, at });
  }
  if (called !== 'make' && called !== 'new') return null;
  const type = to.type(first);
  for (const one of others) to.expression(one, 'pass');
  const base = to.expression(name, 'callee');
  const expression = to.addExpression({ kind: 'call', base, type, at });
  to.refer({ kind: 'call', name, whole: node, arguments: others.length + 1, expression });
  return to.addExpression({
    kind: 'composite',
    type: called === 'new' ? to.addType({ kind: 'pointer', base: type, at }) : type,
    at,
  });
}

/** Systems, processors and what else differs from machine to machine. */
const OF_MACHINES = new Set(
  (
    'aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos ' +
    'unix cgo race msan asan ' +
    '386 amd64 amd64p32 arm arm64 armbe arm64be loong64 mips mips64 mips64le mips64p32 mips64p32le mipsle ppc ppc64 ' +
    'ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm'
  ).split(' '),
);
/** Characters of a condition that are read: longer ones say nothing. */
const LONGEST = 2000;

/** Which builds take a file: by its name, and by the condition above its package clause. */
function buildOf(text: string, path: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.go$/, '');
  const ending = name
    .replace(/_test$/, '')
    .split('_')
    .slice(1);
  const isOfMachine = OF_MACHINES.has(ending[ending.length - 1] ?? '');
  const head = text.slice(0, LONGEST);
  const clause = head.search(/^package\s/m);
  const written = /^\/\/go:build\s+(.+)$/m.exec(clause < 0 ? head : head.slice(0, clause))?.[1];
  const holds = written === undefined ? true : holding(written);
  if (holds === false) return BUILDS.indexOf('asked');
  return BUILDS.indexOf(holds === null || isOfMachine ? 'some' : 'all');
}

/** Whether a condition holds in a build for which no tags are given; null: on some machines. */
function holding(condition: string): boolean | null {
  const tokens = condition.match(/\|\||&&|[!()]|[\w.]+/g) ?? [];
  let at = 0;
  const either = (): boolean | null => {
    let found = both();
    while (tokens[at] === '||') {
      at += 1;
      const other = both();
      found = found === true || other === true ? true : found === null || other === null ? null : false;
    }
    return found;
  };
  const both = (): boolean | null => {
    let found = one();
    while (tokens[at] === '&&') {
      at += 1;
      const other = one();
      found = found === false || other === false ? false : found === null || other === null ? null : true;
    }
    return found;
  };
  const one = (): boolean | null => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '!') {
      const found = one();
      return found === null ? null : !found;
    }
    if (token === '(') {
      const found = either();
      at += 1;
      return found;
    }
    if (OF_MACHINES.has(token)) return null;
    // The usual compiler, and a version of it that has all.
    return token === 'gc' || /^go1\.\d+$/.test(token);
  };
  return either();
}
