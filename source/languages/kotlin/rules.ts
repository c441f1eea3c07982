import { BUILDS, SYMBOL_FLAGS } from '../../ir/index.js';
import {
  callOf,
  kinds,
  type Lowering,
  type LoweringRules,
  lowerExpression,
  type MadeParameter,
  memberAt,
  NONE,
  type NodeId,
} from '../../lower/index.js';

const PUBLIC = { exported: true, visibility: 'public' } as const;

/** What Kotlin's syntax means. */
export const rules: LoweringRules = {
  language: 'kotlin',
  buildOf: (text, path) => BUILDS.indexOf(isOtherBuild(text, path) ? 'asked' : 'all'),
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
      abstract: { flags: 2 },
      const: { isConstant: true },
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
    value_argument: (to, node, use) => to.expression(to.part(node, '#-1'), use),
    annotated_lambda: 'inside',
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
    range_expression: { is: 'list' },
    assignment: { is: 'assign', target: 'left', value: 'right' },
    unary_expression: (to, node, use) =>
      to.tree.text.charAt(to.tree.start(node)) === '!'
        ? lowerExpression(to, node, { is: 'unary', of: 'argument' }, use)
        : to.expression(to.part(node, 'argument'), use),
    binary_expression: (to, node, use) => {
      const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
      if (!to.tree.text.slice(to.tree.end(left), to.tree.start(right)).includes('?:'))
        return lowerExpression(to, node, { is: 'binary', left: 'left', right: 'right' }, use);
      return either(to, [to.expression(left), to.expression(right)], node);
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
        return either(to, parts, node);
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

/**
 * Whether a file of a project for several platforms is of another one than the JVM, or declares what each platform defines: of
 * several definitions of one name that of the JVM counts.
 */
function isOtherBuild(text: string, path: string): boolean {
  const [, set = 'main'] = /(?:^|\/)src\/(\w+)(?:Main|Test)\//.exec(path) ?? [];
  return (
    !/^(?:main|common|jvm|android\w*)$/i.test(set) ||
    /(?:^|\n|[ )])expect (?:\w+ )?(?:class|object|interface|fun|val|var|annotation|enum)\b/.test(text)
  );
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

/** `a.b.C<T>`: the grammar has all names of a path as children. @param count How many of them. */
function userType(to: Lowering, node: NodeId, count = Infinity): number {
  const { tree } = to;
  const children = tree.children(node);
  const names = children.filter((one) => tree.kind(one) === 'identifier').slice(0, count);
  const given = children
    .filter((one) => tree.kind(one) === 'type_arguments')
    .flatMap((one) => tree.children(one));
  let row = -1;
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    row = typeNamed(to, name, row, isLast ? given : [], names[index - 1]);
  }
  return row;
}

function typeNamed(
  to: Lowering,
  name: NodeId,
  base = -1,
  given: readonly NodeId[] = [],
  of: NodeId = NONE,
): number {
  const { tree } = to;
  const at = tree.start(name);
  const text = tree.textOf(name);
  const isBound = base < 0 && to.isBound(text, 'type');
  const parts = given.map((one) => to.type(one));
  const scope = to.head === null || isBound ? {} : { scope: to.head };
  const type = to.addType({ kind: 'name', name: text, base, parts, at, ...scope });
  if (!isBound && /^[A-Z]/.test(text)) to.refer({ kind: 'type', name, whole: name, receiver: of, type });
  return type;
}

function lastIdentifier(to: Lowering, node: NodeId): NodeId {
  const names = to.tree.children(node).filter((one) => to.tree.kind(one) === 'identifier');
  return names[names.length - 1] ?? node;
}

/** The types in the head of a class. */
function basesOf(to: Lowering, node: NodeId): NodeId[] {
  const { tree } = to;
  return tree.children(to.part(node, ':delegation_specifiers')).flatMap((one) => {
    const inner = tree.first(one);
    const type = to.typeRule(inner) === undefined ? to.part(inner, '*type') : inner;
    return type === NONE ? [] : [type];
  });
}

function typeAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const name = to.part(node, 'name');
  const [start, end] = [tree.start(node), tree.end(node)];
  const words = tree.text.slice(start, tree.start(name));
  const isInterface = /\binterface\s+$/.test(words);
  const isEnum = /\benum\b/.test(words);
  const kind = isInterface ? 'interface' : isEnum ? 'enum' : 'class';
  const body = to.part(node, isEnum ? ':enum_class_body' : ':class_body');
  const modifiers = to.part(node, ':modifiers');
  const definition = to.define({
    kind,
    ...(kind === 'class' ? {} : { subkind: kind }),
    name,
    modifiers,
    start,
    end,
    headEnd: body === NONE ? end : tree.start(body),
  });
  if (modifiers !== NONE) to.ownedBy(definition, () => to.visitChildren(modifiers));
  const around = to.scope;
  to.inside(definition, 'type', node, () => {
    to.head = around;
    to.typeParameters(to.part(node, ':type_parameters'), definition, node);
    for (const one of basesOf(to, node)) {
      const isCall = tree.text.charAt(tree.end(one)) === '(';
      to.addBase(definition, to.type(one), one, isCall || isInterface ? 'extends' : 'implements');
    }
    to.head = null;
    const list = to.part(to.part(node, ':primary_constructor'), ':class_parameters');
    for (const one of tree.children(list)) fieldOf(to, one, definition);
    for (const one of tree.children(to.part(node, ':delegation_specifiers')))
      to.visitChildren(to.part(tree.first(one), ':value_arguments'));
    to.body(body);
  });
}

/** A parameter of a class: with `val` or `var` a field of it. */
function fieldOf(to: Lowering, node: NodeId, definition: number): void {
  const { tree } = to;
  const made = parameter(to, node);
  if (!made) return;
  const modifiers = to.part(node, ':modifiers');
  const from = modifiers === NONE ? tree.start(node) : tree.end(modifiers);
  to.definitions[definition]?.parameters.push({
    ...{ name: tree.textOf(made.name), type: made.written },
    ...{ optional: made.default !== undefined, rest: made.variadic ?? false },
  });
  if (!/\bva[lr]\s+$/.test(tree.text.slice(from, tree.start(made.name)))) {
    to.bind('parameter', made.name, { type: made.type });
    return;
  }
  const field = to.define({
    kind: 'field',
    name: made.name,
    modifiers,
    start: tree.start(node),
    end: tree.end(node),
  });
  to.setSymbol(field, 'type', made.type);
}

/** A parameter; what it is without an argument, and `vararg`, stand beside it. */
function parameter(to: Lowering, node: NodeId): MadeParameter | null {
  const { tree } = to;
  const name = to.part(node, ':identifier');
  if (name === NONE) return null;
  const type = to.part(node, '*type');
  const written = type === NONE ? null : to.text.folded(tree.start(type), tree.end(type), 300);
  const row = to.type(type);
  const last = to.part(node, '#-1');
  const inside = to.isExpression(last) && last !== name ? last : NONE;
  const next = tree.next(node);
  const isBeside = /^\s*=(?!=)\s*$/.test(tree.text.slice(tree.end(node), tree.start(next)).slice(0, 80));
  const variadic = /\bvararg\s+$/.test(tree.text.slice(Math.max(0, tree.start(node) - 40), tree.start(name)));
  const value = inside !== NONE ? inside : isBeside ? next : NONE;
  return { name, type: row, written, variadic, ...(value === NONE ? {} : { default: value }) };
}

/** The receiver of an extension and the name behind it, which the grammar takes for a part of the type. */
function extended(to: Lowering, node: NodeId, name: NodeId, before: NodeId) {
  const { tree } = to;
  const receiver = tree
    .children(node)
    .find((one) => to.typeRule(one) !== undefined && tree.start(one) < tree.start(before));
  if (receiver === undefined) return { receiver: NONE, name, count: Infinity };
  if (tree.textOf(name) !== '') return { receiver, name, count: Infinity };
  const names = tree.children(receiver).filter((one) => tree.kind(one) === 'identifier');
  return { receiver, name: names[names.length - 1] ?? NONE, count: names.length - 1 };
}

/** Runs among the members of an extended type, or where there is none as it is. */
function inReceiver(to: Lowering, node: NodeId, found: ReturnType<typeof extended>, run: () => void): void {
  const { receiver, count } = found;
  if (receiver === NONE) {
    run();
    return;
  }
  to.inExtension(
    node,
    () => {
      to.typeParameters(to.part(node, ':type_parameters'), null, node);
      const inner = to.tree.kind(receiver) === 'user_type' ? receiver : to.part(receiver, ':user_type');
      const names = to.tree.children(inner).filter((one) => to.tree.kind(one) === 'identifier');
      const name = to.tree.textOf(names[Math.min(count, names.length) - 1] ?? NONE);
      const type = inner === receiver ? userType(to, receiver, count) : to.type(receiver);
      return { type, base: -1, name, ...(to.isBound(name, 'type') && { found: '*' }) };
    },
    run,
  );
}

function functionAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const list = to.part(node, ':function_value_parameters');
  const found = extended(to, node, to.part(node, 'name'), list);
  const body = to.part(node, ':function_body');
  const modifiers = to.part(node, ':modifiers');
  const around = to.owner === null ? undefined : to.definitions[to.owner];
  inReceiver(to, node, found, () => {
    const definition = to.define({
      kind: to.isMember ? 'method' : 'function',
      name: found.name,
      modifiers,
      start: tree.start(node),
      end: tree.end(node),
      headEnd: body === NONE ? tree.end(node) : tree.start(body),
      isDeclaration: body === NONE,
      flags: body === NONE && around?.subkind === 'interface' ? SYMBOL_FLAGS.abstract : 0,
    });
    if (modifiers !== NONE) to.ownedBy(definition, () => to.visitChildren(modifiers));
    to.inside(definition, 'function', node, () => {
      if (found.receiver === NONE) to.typeParameters(to.part(node, ':type_parameters'), definition, node);
      to.parameters(list, definition);
      const result = tree
        .children(node)
        .find((one) => to.typeRule(one) !== undefined && tree.start(one) >= tree.end(list));
      bodyOf(to, definition, result ?? NONE, body);
    });
  });
}

/** What a function gives, and what it does: a block, or an expression whose value it gives. */
function bodyOf(to: Lowering, definition: number, result: NodeId, body: NodeId): void {
  const { tree } = to;
  const one = to.definitions[definition];
  if (one && result !== NONE) one.return_type = to.text.folded(tree.start(result), tree.end(result), 300);
  to.setSymbol(definition, 'type', to.type(result));
  const inner = tree.first(body);
  if (inner === NONE) return;
  const around = to.values;
  to.values = null;
  if (tree.kind(inner) === 'block') to.body(inner);
  else {
    const value = to.expression(inner);
    if (result === NONE && value >= 0) to.addReturn(value);
  }
  to.values = around;
}

function constructorAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const list = to.part(node, ':function_value_parameters');
  const body = to.part(node, ':block');
  const definition = to.define({
    ...{ kind: 'constructor', called: 'constructor', name: list, modifiers: to.part(node, ':modifiers') },
    ...{ start: tree.start(node), end: tree.end(node) },
    headEnd: body === NONE ? tree.end(node) : tree.start(body),
  });
  to.inside(definition, 'function', node, () => {
    to.parameters(list, definition);
    to.visitChildren(to.part(to.part(node, ':constructor_delegation_call'), ':value_arguments'));
    to.body(body);
  });
}

function propertyAt(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [variable, several] = [
    to.part(node, ':variable_declaration'),
    to.part(node, ':multi_variable_declaration'),
  ];
  const delegate = tree.first(to.part(node, ':property_delegate'));
  const last = tree.children(node).filter((one) => to.isExpression(one) && one !== variable);
  const given = delegate === NONE ? (last[last.length - 1] ?? NONE) : delegate;
  if (to.inFunction) {
    const type = to.type(to.part(variable, '*type'));
    bindNames(to, variable === NONE ? several : variable, to.expression(given), tree.end(node), type);
    return;
  }
  const getter = to.part(node, ':getter');
  const found = extended(to, node, tree.first(variable), variable);
  inReceiver(to, node, found, () => {
    const isConstant = /\bval\b/.test(tree.text.slice(tree.start(node), tree.start(found.name)));
    const definition = to.define({
      kind: to.isMember ? 'field' : 'variable',
      name: found.name,
      modifiers: to.part(node, ':modifiers'),
      start: tree.start(node),
      end: tree.end(node),
      headEnd: given !== NONE ? tree.start(given) : getter === NONE ? tree.end(node) : tree.start(getter),
      isConstant,
    });
    to.ownedBy(definition, () => {
      const written = to.part(variable, '*type');
      to.setSymbol(definition, 'type', to.type(written));
      const one = to.definitions[definition];
      if (one && written !== NONE)
        one.value_type = to.text.folded(tree.start(written), tree.end(written), 300);
      let value = to.expression(given);
      for (const accessor of [getter, to.part(node, ':setter')]) {
        const inner = tree.first(to.part(accessor, ':function_body'));
        if (inner === NONE) continue;
        const made = to.inScope('function', accessor, () => {
          if (accessor !== getter) to.bind('parameter', to.part(accessor, ':identifier'), {});
          return valueIn(to, inner);
        });
        if (accessor === getter && value < 0) value = made;
      }
      to.setSymbol(definition, 'value', value);
    });
  });
}

/** One name, or the parts of a value. */
function bindNames(to: Lowering, node: NodeId, value: number, from: number, type = -1): void {
  const { tree } = to;
  if (tree.kind(node) !== 'multi_variable_declaration') {
    to.bind('local', tree.first(node), { type, value, from });
    return;
  }
  for (const [index, one] of tree.children(node).entries()) {
    const part = to.addExpression({ kind: 'part', base: value, at: index });
    bindNames(to, one, part, from, to.type(to.part(one, '*type')));
  }
}

function callAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const parts = (call: NodeId) => {
    const lambda = to.part(call, ':annotated_lambda');
    return [...tree.children(to.part(call, ':value_arguments')), ...(lambda === NONE ? [] : [lambda])];
  };
  let given = parts(node);
  let call = node;
  let callee = tree.first(node);
  // `f(a) { … }` is one call.
  if (tree.kind(callee) === 'call_expression' && to.part(node, ':value_arguments') === NONE) {
    call = callee;
    given = [...parts(callee), ...given];
    callee = tree.first(callee);
  }
  const [type = -1] = tree.children(to.part(call, ':type_arguments')).map((one) => to.type(one));
  const base = to.expression(callee, 'callee');
  const { name, of } = to.writtenAt(base);
  return callOf(to, node, { base, name, receiver: of, given, type });
}

function lambda(to: Lowering, node: NodeId): number {
  const { tree } = to;
  return to.inScope('function', node, () => {
    const scope = to.scope;
    const list = to.part(node, ':lambda_parameters');
    if (list === NONE) to.scopes.bind('parameter', 'it', {});
    else to.parameters(list, null);
    const parts = to.returned((values) => {
      const inside = tree.children(node).filter((one) => one !== list);
      for (const [index, one] of inside.entries())
        if (index < inside.length - 1) to.visit(one);
        else values.push(valueIn(to, one));
    });
    return to.addExpression({
      kind: 'function',
      scope: to.scopes.ownRow() || scope,
      parts,
      at: tree.start(node),
    });
  });
}

/** The value of a branch: of a block that of its last expression. */
function valueIn(to: Lowering, node: NodeId): number {
  const { tree } = to;
  if (tree.kind(node) !== 'block') {
    if (to.isExpression(node)) return to.expression(node);
    to.visit(node);
    return to.unknown;
  }
  return to.inScope('block', node, () => {
    let last = to.unknown;
    for (const one of tree.children(node)) last = valueIn(to, one);
    return last;
  });
}

function whenAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  return to.inScope('block', node, () => {
    const subject = to.part(node, ':when_subject');
    const variable = to.part(subject, ':variable_declaration');
    const given = to.part(subject, '#-1');
    const value = to.expression(given);
    if (variable !== NONE) bindNames(to, variable, value, tree.end(subject));
    const named = variable === NONE ? given : tree.first(variable);
    const parts = tree.children(node).flatMap((entry) => {
      if (tree.kind(entry) !== 'when_entry') return [];
      return to.inScope('block', entry, () => {
        for (const one of tree.children(entry)) {
          if (tree.field(one) !== 'condition') continue;
          if (tree.kind(one) !== 'type_test') to.expression(one);
          else {
            const type = to.type(to.part(one, '*type'));
            if (tree.kind(named) === 'identifier') to.bind('local', named, { type, from: tree.end(one) });
          }
        }
        return valueIn(to, to.part(entry, '#-1'));
      });
    });
    return either(to, parts, node);
  });
}

/** `a is T && …`: where that holds `a` is one. */
function castsIn(to: Lowering, node: NodeId, from: number): void {
  const { tree } = to;
  const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
  const between = tree.text.slice(tree.end(left), tree.start(right));
  if (tree.kind(node) === 'binary_expression' && between.includes('&&'))
    for (const one of [left, right]) castsIn(to, one, from);
  if (tree.kind(node) !== 'is_expression' || between.includes('!') || tree.kind(left) !== 'identifier')
    return;
  const names = tree.children(right).filter((one) => tree.kind(one) === 'identifier');
  let base = -1;
  for (const name of names)
    base = to.addType({ kind: 'name', name: tree.textOf(name), base, at: tree.start(name) });
  to.bind('local', left, { type: base, from });
}

function either(to: Lowering, parts: readonly number[], node: NodeId): number {
  const known = parts.filter((one) => one >= 0 && one !== to.unknown);
  const [first = to.unknown] = known;
  return known.length < 2
    ? first
    : to.addExpression({ kind: 'either', parts: known, at: to.tree.start(node) });
}

function alias(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const [start, end] = [tree.start(node), tree.end(node)];
  const name = to.part(node, 'type');
  const modifiers = to.part(node, ':modifiers');
  const definition = to.define({ kind: 'type', name, modifiers, start, end, flags: SYMBOL_FLAGS.alias });
  to.inside(definition, 'function', node, () => {
    to.typeParameters(to.part(node, ':type_parameters'), definition, node);
    to.setSymbol(definition, 'type', to.type(to.part(node, '*type')));
  });
}
