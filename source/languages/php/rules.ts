import { SYMBOL_FLAGS } from '../../ir/index.js';
import {
  AssignedNames,
  argumentsOf,
  callOf,
  type FunctionRule,
  kinds,
  type Lowering,
  type LoweringRules,
  lowerDeclaration,
  lowerExpression,
  memberAt,
  NONE,
  type NodeId,
  type TypeDeclarationRule,
  type Use,
} from '../../lower/index.js';
import { routes } from './frameworks.js';
import {
  assign,
  factsOf,
  foreach,
  ifStatement,
  loop,
  operatorOf,
  switchStatement,
  tryStatement,
} from './locals.js';
import {
  bindTemplates,
  classString,
  commentAbove,
  commentAt,
  documentedType,
  fullTypeName,
  lastOf,
  NO_DOC,
  type PhpFile,
  readDoc,
  typeNamed,
} from './names.js';

const PUBLIC = { exported: true, visibility: 'public' } as const;

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

function fileOf(to: Lowering): PhpFile {
  const known = to.own as PhpFile | undefined;
  if (known) return known;
  const made: PhpFile = {
    locals: new AssignedNames(to),
    namespace: '',
    types: new Map(),
    class: null,
    doc: NO_DOC,
    promoted: [],
  };
  to.own = made;
  return made;
}

/** `use A\B, C as D;`, `use A\{B, C};`, `use function A\b;` */
function useDeclaration(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const file = fileOf(to);
  const front = to.part(node, ':namespace_name');
  const prefix = front === NONE ? '' : `${tree.textOf(front)}\\`;
  const group = to.part(node, 'body');
  const word = /^use\s+(function|const)\b/i.exec(tree.textOf(node))?.[1];
  for (const clause of tree.children(group === NONE ? node : group)) {
    if (tree.kind(clause) !== 'namespace_use_clause') continue;
    const written = tree.textOf(to.part(clause, '#0'));
    const full = `${prefix}${written}`.replace(/^\\/, '');
    const cut = full.lastIndexOf('\\');
    const imported = full.slice(cut + 1);
    const local = tree.textOf(to.part(clause, 'alias')) || imported;
    const isOther = word !== undefined || /^(?:function|const)\s/i.test(tree.textOf(clause));
    if (!isOther) file.types.set(local.toLowerCase(), full);
    const names = [{ imported, local }];
    to.import({ node: clause, module: full.slice(0, Math.max(0, cut)), names, flags: isOther ? 8 : 0 });
  }
}

/** A class, and properties whose types follow from what its methods assign to them. */
function classAt(to: Lowering, node: NodeId, rule: TypeDeclarationRule): void {
  inClass(to, node, () => lowerDeclaration(to, node, rule));
}

function inClass(to: Lowering, node: NodeId, run: () => void): void {
  const file = fileOf(to);
  const around = file.class;
  const parent = to.tree.textOf(to.part(to.part(node, ':base_clause'), '#0'));
  const comment = commentAt(to, node);
  file.class = { parent, open: new Map(), comment, doc: readDoc(comment.text), isOpen: false };
  file.locals.inFunction(run);
  for (const { definition, values } of file.class.open.values()) {
    const [only = -1] = values;
    const value =
      values.length < 2 ? only : to.addExpression({ kind: 'either', parts: values, at: to.tree.end(node) });
    to.setSymbol(definition, 'value', value);
  }
  file.class = around;
}

function functionAt(to: Lowering, node: NodeId, rule: FunctionRule): void {
  const file = fileOf(to);
  const { doc, promoted } = file;
  file.doc = readDoc(commentAbove(to, node));
  file.promoted = [];
  file.locals.inFunction(() => lowerDeclaration(to, node, rule));
  for (const { node: one, type } of file.promoted)
    property(to, { whole: one, one, name: to.part(one, 'name'), written: to.part(one, 'type'), type });
  file.doc = doc;
  file.promoted = promoted;
}

/** What a comment says of a parameter, or of what a function gives. */
function documented(to: Lowering, node: NodeId, written: number): number {
  const file = fileOf(to);
  const isFunction = /^(?:function_definition|method_declaration)$/.test(to.tree.kind(node));
  if (file.doc.templates.size > 0 && ![...file.doc.templates.keys()].every((name) => to.has(name)))
    bindTemplates(to, file, file.doc, to.tree.start(node));
  const stated = isFunction ? file.doc.returns : file.doc.params.get(to.tree.textOf(to.part(node, 'name')));
  const type = better(to, stated ?? '', written, to.tree.start(node));
  if (to.tree.kind(node) === 'property_promotion_parameter') file.promoted.push({ node, type });
  return type;
}

/** Types that a comment says more of. */
const VAGUE = new Set(['literal', 'this', 'unknown']);

function better(to: Lowering, stated: string, written: number, at: number): number {
  if (stated === '') return written;
  const isOpen = to.scopes.find(stated)?.known === 'type parameter';
  if (!isOpen && written >= 0 && !VAGUE.has(to.typeAt(written).kind)) return written;
  const row = documentedType(to, fileOf(to), stated, at);
  return row < 0 ? written : row;
}

function properties(to: Lowering, node: NodeId): void {
  const file = fileOf(to);
  const written = to.part(node, 'type');
  const stated = readDoc(commentAbove(to, node)).vars;
  const type = better(
    to,
    stated.get('') ?? [...stated.values()][0] ?? '',
    to.type(written),
    to.tree.start(node),
  );
  for (const one of to.parts(node, ':property_element')) {
    const name = to.part(one, 'name');
    const definition = property(to, { whole: node, one, name, written, type });
    const value = to.part(one, 'default_value');
    if (definition === null) continue;
    const row = value === NONE ? -1 : to.ownedBy(definition, () => to.expression(value));
    const isEmpty = /^(?:null|\[\s*\]|array\(\s*\))?$/i.test(to.tree.textOf(value));
    if (type < 0)
      file.class?.open.set(to.tree.textOf(to.part(name, ':name')), {
        definition,
        values: isEmpty ? [] : [row],
      });
  }
  for (const hook of to.tree.children(to.part(node, ':property_hook_list'))) to.visit(hook);
}

interface PropertyParts {
  readonly whole: NodeId;
  readonly one: NodeId;
  readonly name: NodeId;
  readonly written: NodeId;
  readonly type: number;
}

/** Defines a property; null where broken text has one outside of classes. */
function property(to: Lowering, { whole, name, written, type }: PropertyParts): number | null {
  const { tree } = to;
  const isIn = to.owner !== null && to.definitions[to.owner]?.form === 'class';
  if (!isIn || tree.textOf(to.part(name, ':name')) === '') return null;
  const definition = to.define({
    kind: 'field',
    name: to.part(name, ':name'),
    modifiers: whole,
    start: tree.start(whole),
    end: tree.end(whole),
    headEnd: tree.end(name),
    valueType: written === NONE ? null : to.text.folded(tree.start(written), tree.end(written), 300),
  });
  to.setSymbol(definition, 'type', type);
  return definition;
}

/** `$name` */
function variable(to: Lowering, node: NodeId, use: Use): number {
  const { tree } = to;
  const name = tree.textOf(node);
  const at = tree.start(node);
  if (name === '$this') return narrowed(to, node, to.addExpression({ kind: 'this', at }), use);
  if (!to.scopes.find(name)) return to.unknown;
  return narrowed(to, node, to.addExpression({ kind: 'name', name, at, nameNode: node }), use);
}

/** A place as what conditions around it say that it is. */
function narrowed(to: Lowering, node: NodeId, row: number, use: Use): number {
  const type = use === 'write' ? undefined : fileOf(to).locals.narrowed(to.tree.textOf(node));
  if (type === undefined) return row;
  const { name, of } = to.writtenAt(row);
  return to.addExpression({
    ...{ kind: 'convert', base: row, type, at: to.tree.start(node) },
    ...{ nameNode: name, ofNode: of },
  });
}

/** An expression where something more is known. */
function given(to: Lowering, node: NodeId, facts: ReadonlyMap<string, number> | undefined): number {
  return fileOf(to).locals.knowing(facts, () => to.expression(node));
}

interface MemberParts {
  readonly base: number;
  readonly of: NodeId;
  readonly name: NodeId;
  readonly use: Use;
}

/** A member of what is no expression: of a class, of a namespace. */
function memberOf(to: Lowering, node: NodeId, { base, of, name, use }: MemberParts): number {
  const { tree } = to;
  const place = { at: tree.start(name), nameNode: name, ofNode: of };
  const row = to.addExpression({ kind: 'member', name: tree.textOf(name), base, ...place });
  const kind = use === 'path' ? 'read' : use;
  if (kind !== 'callee')
    to.refer({ kind, name, whole: node, receiver: of, receiverRow: base, expression: row });
  return row;
}

/** The namespace of a qualified name. */
function packageOf(to: Lowering, node: NodeId): number {
  const at = to.tree.start(node);
  const { namespace } = fullTypeName(fileOf(to), to.tree.textOf(node));
  return to.addExpression({ kind: 'type', type: to.addType({ kind: 'package', name: namespace, at }), at });
}

/** What stands left of `::`. */
function classOf(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  switch (tree.kind(node)) {
    case 'name':
    case 'qualified_name':
    case 'relative_name':
      return to.addExpression({ kind: 'type', type: typeAt(to, node), at });
    case 'relative_scope': {
      const word = tree.textOf(node).toLowerCase();
      if (word !== 'parent') return to.addExpression({ kind: 'this', at });
      return to.addExpression({ kind: 'super', type: typeNamed(to, fileOf(to), 'parent', at), at });
    }
    default:
      return to.expression(node, 'path');
  }
}

/** Binds the type parameters of a class before anything in it is lowered: what it extends may name them, too. */
function openClass(to: Lowering): void {
  const file = fileOf(to);
  if (!file.class || file.class.isOpen) return;
  file.class.isOpen = true;
  bindTemplates(to, file, file.class.doc, 0);
}

const MEMBER =
  /@(?:method[ \t]+(?:static[ \t]+)?(?:(\S+)[ \t]+)?(\w+)[ \t]*\(|property(?:-read|-write)?[ \t]+(\S+)[ \t]+\$(\w+)).*/g;

/** Defines the members that only the comment above a class says that it has: `@method Foo bar()`, `@property Foo $bar`. */
function documentedMembers(to: Lowering, body: NodeId): void {
  const file = fileOf(to);
  const { owner } = to;
  if (owner === null || file.class === null) return;
  const { text, start } = file.class.comment;
  for (const { 0: whole, 1: gives, 2: method, 3: holds, 4: field, index } of text.matchAll(MEMBER)) {
    const at = start + index;
    const definition = to.define({
      kind: method === undefined ? 'field' : 'method',
      ...{ name: body, called: method ?? field ?? '', nameAt: at, access: PUBLIC },
      ...{ start: at, end: at + whole.trimEnd().length, isDeclaration: true, docstring: null },
    });
    to.setSymbol(definition, 'type', documentedType(to, file, gives ?? holds ?? '', at));
  }
}

/** A type that is written by its name. */
function typeAt(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const file = fileOf(to);
  openClass(to);
  const written = tree.textOf(node);
  const at = tree.start(node);
  const stated = to.head === null ? undefined : file.class?.doc.bases.get(written);
  const full = stated === undefined ? -1 : documentedType(to, file, stated, at);
  const row = full < 0 ? typeNamed(to, file, written, at) : full;
  if (row < 0) return to.addType({ kind: 'unknown', at: tree.start(node) });
  if (!/^(?:self|static|parent)$/i.test(written))
    to.refer({ kind: 'type', name: lastOf(to, node), whole: node, type: row });
  return row;
}

/** `f(...)`, `$x->f(...)`: a function that is given by its name. */
function isReference(to: Lowering, node: NodeId): boolean {
  return to.part(to.part(node, 'arguments'), ':variadic_placeholder') !== NONE;
}

function called(to: Lowering, node: NodeId, base: number, name: NodeId, receiver: NodeId): number {
  if (isReference(to, node)) return to.addExpression({ kind: 'function', base, at: to.tree.start(node) });
  return callOf(to, node, { base, name, receiver, given: to.part(node, 'arguments') });
}

/** What is called by a name that is a value. */
function dynamic(to: Lowering, node: NodeId): number {
  const name = to.part(node, 'name');
  const isCall = to.part(node, 'arguments') !== NONE;
  for (const one of to.tree.children(node)) if (one !== name || !isCall) to.visit(one);
  if (isCall) to.refer({ kind: 'call', name, whole: node, expression: to.unknown });
  return to.unknown;
}

const CONSTRUCTS = new Set(['isset', 'empty', 'unset', 'exit', 'die', 'eval', 'list', 'array']);

function functionCall(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const file = fileOf(to);
  const callee = to.part(node, 'function');
  const list = to.part(node, 'arguments');
  const kind = tree.kind(callee);
  const text = kind === 'name' ? tree.textOf(callee).toLowerCase() : '';
  if (CONSTRUCTS.has(text)) {
    argumentsOf(to, list);
    return to.unknown;
  }
  const use = isReference(to, node) ? 'read' : 'callee';
  const row = called(
    to,
    node,
    to.expression(callee, use),
    /name$/.test(kind) ? lastOf(to, callee) : callee,
    NONE,
  );
  const [first = NONE] = tree.children(list);
  if (text === 'assert') file.locals.narrow(factsOf(to, file, to.part(first, '#-1'), true));
  // `preg_match($pattern, $text, $found)` gives names that are nothing yet a value.
  for (const one of tree.children(list)) {
    const passed = to.part(one, '#-1');
    if (tree.kind(passed) === 'variable_name' && !to.scopes.find(tree.textOf(passed)))
      file.locals.assign(tree.textOf(passed), tree.end(node), { value: to.unknown });
  }
  if (text === 'define' && !to.inFunction) {
    const name = to.part(to.part(first, ':string'), ':string_content');
    if (name !== NONE)
      to.define({ kind: 'constant', name, start: tree.start(node), end: tree.end(node), isConstant: true });
  }
  return row;
}

/** `new A(…)`, `new class(…) extends A { … }`, `new $name` */
function creation(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  const made = to.part(node, '#0');
  const anonymous = tree.kind(made) === 'anonymous_class';
  const { rows, count } = argumentsOf(to, to.part(anonymous ? made : node, ':arguments'));
  if (anonymous) return anonymousClass(to, made);
  if (!/^(?:name|qualified_name|relative_name)$/.test(tree.kind(made))) {
    to.expression(made);
    return to.unknown;
  }
  const type = typeNamed(to, fileOf(to), tree.textOf(made), at, [], false);
  const row = to.addExpression({ kind: 'new', type, parts: rows, at });
  to.refer({ kind: 'new', name: lastOf(to, made), whole: node, arguments: count, expression: row });
  return row;
}

function anonymousClass(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  const bases = (['base_clause', 'class_interface_clause'] as const).flatMap((clause) =>
    tree.children(to.part(node, `:${clause}`)).map((one) => ({ one, clause })),
  );
  const [first] = bases;
  const definition = to.define({
    kind: 'class',
    name: first ? lastOf(to, first.one) : node,
    called: first ? `anonymous-${tree.textOf(lastOf(to, first.one))}` : 'anonymous',
    start: at,
    end: tree.end(node),
    headEnd: tree.start(to.part(node, 'body')),
    access: { exported: false, visibility: 'private' },
  });
  for (const { one, clause } of bases)
    to.addBase(definition, to.type(one), one, clause === 'base_clause' ? 'extends' : 'implements');
  inClass(to, node, () => to.inside(definition, 'type', node, () => to.body(to.part(node, 'body'))));
  return to.addExpression({ kind: 'symbol', at: definition });
}

function assignment(to: Lowering, node: NodeId, vars?: ReadonlyMap<string, string>): number {
  const value = to.expression(to.part(node, 'right'));
  assign(to, fileOf(to), to.part(node, 'left'), value, to.tree.end(node), vars);
  return value;
}

const TRUTHS = /^(?:&&|\|\||and|or|xor|[=!]==?|<>|[<>]=?)$/;

function binary(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const file = fileOf(to);
  const [left, right] = [to.part(node, 'left'), to.part(node, 'right')];
  const operator = operatorOf(to, node);
  const at = tree.start(node);
  const first = to.expression(left);
  if (operator === 'instanceof') {
    const isName = /name$/.test(tree.kind(right)) && tree.kind(right) !== 'variable_name';
    const type = isName ? typeAt(to, right) : -1;
    if (!isName) to.expression(right);
    return to.addExpression({ kind: 'is', base: first, type, at });
  }
  const isAnd = operator === '&&' || operator === 'and';
  const isOr = operator === '||' || operator === 'or';
  const second = given(to, right, isAnd || isOr ? factsOf(to, file, left, isAnd) : undefined);
  if (operator === '??') return to.addExpression({ kind: 'either', parts: [first, second], at });
  const name = TRUTHS.test(operator) ? 'bool' : operator === '.' ? 'string' : 'int';
  return to.addExpression({ kind: 'literal', name, at });
}

/** `[a, 'key' => b]`; `[$object, 'method']` and `[Type::class, 'method']` are functions that are given by their names. */
function array(to: Lowering, node: NodeId): number {
  const { tree } = to;
  const at = tree.start(node);
  const elements = tree.children(node).map((one) => tree.children(one));
  const [[of = NONE] = [], [text = NONE] = []] = elements;
  const name = tree.kind(text) === 'string' ? to.part(text, ':string_content') : NONE;
  const isClass = /::class$/i.test(tree.textOf(of));
  const rows = elements.map((one) => {
    for (const key of one.slice(0, -1)) to.expression(key);
    return one.length === 0 ? to.unknown : to.expression(one.at(-1) ?? NONE, 'pass');
  });
  if (elements.length === 2 && name !== NONE && (isClass || /^\$\w+$/.test(tree.textOf(of)))) {
    const owner = isClass ? to.part(of, '#0') : of;
    const typed = () => typeNamed(to, fileOf(to), tree.textOf(owner), at, [], false);
    const base = isClass ? to.addExpression({ kind: 'type', type: typed(), at }) : (rows[0] ?? to.unknown);
    if (/^\w+$/.test(tree.textOf(name)) && to.kindOf(base) !== 'unknown')
      memberOf(to, node, { base, of: owner, name, use: 'pass' });
  }
  const [only = -1] = rows;
  const part = rows.length < 2 ? only : to.addExpression({ kind: 'either', parts: rows.slice(0, 32), at });
  return to.addExpression({ kind: 'list', parts: part < 0 ? [] : [part], at });
}
