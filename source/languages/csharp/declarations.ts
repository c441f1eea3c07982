import { BINDING_FLAGS, SYMBOL_FLAGS } from '../../ir/index.js';
import {
  bindInHead,
  constructionAbove,
  decorate,
  type FunctionRule,
  type Lowering,
  lowerDeclaration,
  type MadeParameter,
  NONE,
  type NodeId,
  type TypeDeclarationRule,
} from '../../lower/index.js';
import { keyWith, lastName, tuple } from './expressions.js';

/** What is seen everywhere. */
export const PUBLIC = { exported: true, visibility: 'public' } as const;

/** What is known of a file while it is lowered. */
interface CsharpFile {
  namespace: string;
  hasPackage: boolean;
  /** The clauses that say what type parameters are at least. */
  constraints: readonly NodeId[];
}

function fileOf(to: Lowering): CsharpFile {
  to.own ??= { namespace: '', hasPackage: false, constraints: [] } satisfies CsharpFile;
  return to.own as CsharpFile;
}

/** `namespace A.B { … }`, `namespace A.B;` */
export function namespaceAt(to: Lowering, node: NodeId): void {
  const file = fileOf(to);
  const around = file.namespace;
  const name = to.tree.textOf(to.part(node, 'name')).replace(/\s/g, '');
  file.namespace = around === '' ? name : `${around}.${name}`;
  const body = to.part(node, 'body');
  const holdsOthers = to.tree.children(body).every((one) => to.tree.kind(one) === 'namespace_declaration');
  // All of a file is of the first namespace that holds more than namespaces.
  if (!file.hasPackage && (body === NONE || !holdsOthers)) {
    file.hasPackage = true;
    to.setPackage(file.namespace);
  }
  if (body === NONE) to.visitChildren(node);
  else to.visitChildren(body);
  if (body !== NONE) file.namespace = around;
}

/** `using A.B;`, `using static A.B;`, `using C = A.B;` */
export function usingDirective(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const alias = to.part(node, 'name');
  const path = tree.textOf(to.part(node, '#-1')).replace(/\s|<.*$|^global::/gs, '');
  const isStatic = /^(?:global\s+)?using\s+(?:unsafe\s+)?static\b/.test(tree.textOf(node));
  if (alias === NONE) {
    const names = [{ imported: '*', local: null }];
    to.import({
      node,
      module: path,
      names,
      flags: BINDING_FLAGS.star | (isStatic ? BINDING_FLAGS.static : 0),
    });
    return;
  }
  const dot = path.lastIndexOf('.');
  const names = [{ imported: path.slice(dot + 1), local: tree.textOf(alias) }];
  to.import({ node, module: path.slice(0, Math.max(0, dot)), names });
}

function typeParametersOf(to: Lowering, node: NodeId): number {
  return to.tree.children(to.part(node, ':type_parameter_list')).length;
}

/** A class, struct, record, interface or enum, with what its head declares. */
export function classAt(to: Lowering, node: NodeId, rule: TypeDeclarationRule): void {
  const { tree } = to;
  const definition = to.definitions.length;
  const isTop = to.owner === null;
  const bases = tree.children(to.part(node, ':base_list'));
  const parameters = to.part(node, ':parameter_list');
  const isRecord = tree.kind(node) === 'record_declaration';
  let above: { whole: NodeId; name: NodeId; type: number; list: NodeId } | null = null;
  withConstraints(to, node, {
    ...rule,
    found: keyWith(tree.textOf(to.part(node, 'name')), typeParametersOf(to, node)),
    inHead: (made) => {
      for (const [at, one] of bases.entries()) {
        const written = tree.kind(one) === 'primary_constructor_base_type' ? to.part(one, 'type') : one;
        if (to.typeRule(written) === undefined || rule.kind === 'enum') continue;
        const isClass =
          rule.kind === 'class' && at === 0 && !/^(?:\w+\.)*I[A-Z]\w*/.test(tree.textOf(written));
        const relation = isClass || rule.kind === 'interface' ? 'extends' : 'implements';
        const type = to.type(written);
        to.addBase(made, type, written, relation);
        const list = written === one ? tree.next(one) : to.part(one, ':argument_list');
        if (at === 0 && tree.kind(list) === 'argument_list')
          above = { whole: one, name: lastName(to, written), type, list };
      }
    },
    beforeBody: () => {
      for (const one of tree.children(parameters)) primaryParameter(to, one, definition, isRecord);
      if (above) constructionAbove(to, above.whole, above.name, above.type, above.list);
    },
  });
  if (parameters !== NONE) to.addFlag(definition, SYMBOL_FLAGS.called);
  const one = to.definitions[definition];
  if (isTop && one && !/\b(?:public|private)\b/.test(modifiersOf(to, node))) {
    one.visibility = 'protected';
    to.setExported(definition, true);
  }
}

function modifiersOf(to: Lowering, node: NodeId): string {
  const words = to.tree.children(node).filter((one) => to.tree.kind(one) === 'modifier');
  return words.map((one) => to.tree.textOf(one)).join(' ');
}

/** A parameter of a primary constructor: of a record a property, of a class what its members see. */
function primaryParameter(to: Lowering, node: NodeId, owner: number, isRecord: boolean): void {
  const made = to.tree.kind(node) === 'parameter' ? parameter(to, node) : null;
  if (!made) return;
  bindInHead(to, made, owner, true);
  const place = { name: made.name, start: to.tree.start(node), end: to.tree.end(node) };
  const access = isRecord ? PUBLIC : ({ exported: false, visibility: 'private' } as const);
  const definition = to.define({ kind: 'field', ...place, access, valueType: made.written });
  to.setSymbol(definition, 'type', made.type);
}

/** What a type parameter is at least, by the clause behind the head: `where T : IThing`. */
export function constraintOf(to: Lowering, node: NodeId): number {
  const name = to.tree.textOf(to.part(node, 'name'));
  const clause = fileOf(to).constraints.find((one) => to.tree.textOf(to.part(one, '#0')) === name);
  if (clause === undefined) return -1;
  const types = to.parts(clause, ':type_parameter_constraint').map((one) => to.part(one, 'type'));
  const parts = types.filter((one) => one !== NONE).map((one) => to.type(one));
  const [first = -1] = parts;
  return parts.length < 2 ? first : to.addType({ kind: 'union', parts, at: to.tree.start(clause) });
}

/** A method or function. */
export function functionAt(to: Lowering, node: NodeId, rule: FunctionRule): void {
  const { tree } = to;
  const definition = to.definitions.length;
  const [first = NONE] = tree.children(to.part(node, 'parameters'));
  const explicit = to.part(node, ':explicit_interface_specifier');
  // What implements an interface explicitly is no member by its bare name.
  const found = `${tree.textOf(explicit)}${tree.textOf(to.part(node, 'name'))}`;
  withConstraints(to, node, explicit === NONE ? rule : { ...rule, found });
  if (explicit !== NONE) to.visit(explicit);
  if (/\bthis\b/.test(modifiersOf(to, first))) to.addFlag(definition, SYMBOL_FLAGS.extension);
}

/** Lowers a declaration that the clauses behind its head say more of: see {@link constraintOf}. */
function withConstraints(to: Lowering, node: NodeId, rule: FunctionRule | TypeDeclarationRule): void {
  const { tree } = to;
  const file = fileOf(to);
  const around = file.constraints;
  file.constraints = tree
    .children(node)
    .filter((one) => tree.kind(one) === 'type_parameter_constraints_clause');
  lowerDeclaration(to, node, rule);
  file.constraints = around;
}

/** `delegate T F(A a);` */
export function delegate(to: Lowering, node: NodeId): void {
  const name = to.part(node, 'name');
  const count = to.tree.children(to.part(node, 'type_parameters')).length;
  const definition = to.define({
    kind: 'type',
    name,
    found: keyWith(to.tree.textOf(name), count),
    modifiers: node,
    start: to.tree.start(node),
    end: to.tree.end(node),
  });
  to.inside(definition, 'type', node, () => {
    to.typeParameters(to.part(node, 'type_parameters'), definition);
    to.setSymbol(definition, 'type', to.functionType(node, 'parameters', 'type'));
  });
}

/** A property, an indexer or an event, and what its accessors do. */
export function property(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const written = to.part(node, 'type');
  const name = to.part(node, 'name');
  const isIndexer = tree.kind(node) === 'indexer_declaration';
  if (to.owner === null || to.definitions[to.owner]?.form !== 'class') {
    to.visitChildren(node);
    return;
  }
  const explicit = to.part(node, ':explicit_interface_specifier');
  const accessors = to.part(node, 'accessors');
  const value = to.part(node, 'value');
  const end =
    accessors !== NONE ? tree.start(accessors) : value !== NONE ? tree.start(value) : tree.end(node);
  const definition = to.define({
    kind: 'field',
    name: isIndexer ? written : name,
    ...(isIndexer ? { called: 'Item' } : {}),
    ...(explicit === NONE
      ? {}
      : { found: `${tree.textOf(explicit)}${isIndexer ? 'Item' : tree.textOf(name)}` }),
    modifiers: node,
    start: tree.start(node),
    end: tree.end(node),
    headEnd: end,
    valueType: to.text.folded(tree.start(written), tree.end(written), 300),
  });
  decorate(to, definition, node);
  const type = to.type(written);
  to.setSymbol(definition, 'type', type);
  if (explicit !== NONE) to.visit(explicit);
  to.ownedBy(definition, () => {
    to.inScope('function', node, () => {
      const values = to.returned(() => {
        if (isIndexer) to.parameters(to.part(node, 'parameters'), null);
        to.visit(value);
        for (const one of tree.children(accessors))
          to.inScope('function', one, () => {
            to.scopes.bind('parameter', 'value', { type });
            to.visit(to.part(one, 'body'));
          });
      });
      return values;
    });
  });
}

/** A parameter; `params T[] rest` stands as a type with its name behind it. */
export function parameter(to: Lowering, node: NodeId): MadeParameter | null {
  const { tree } = to;
  const isRest = tree.kind(node) === 'array_type';
  const written = isRest ? to.part(node, 'type') : to.part(node, 'type');
  const name = isRest ? tree.next(node) : to.part(node, 'name');
  if (name === NONE) return null;
  const [last = NONE] = tree.children(node).slice(-1);
  const hasDefault = !isRest && tree.start(last) > tree.start(name);
  return {
    name,
    type: to.type(written),
    written: written === NONE ? null : to.text.folded(tree.start(written), tree.end(written), 300),
    variadic: isRest,
    ...(hasDefault ? { default: last } : {}),
  };
}

/** `T a = x, b = y;`, `var (a, b) = x;` */
export function locals(to: Lowering, node: NodeId): void {
  const { tree } = to;
  const written = to.part(node, 'type');
  const type = to.type(written);
  for (const one of to.parts(node, ':variable_declarator')) {
    const name = to.part(one, 'name');
    const value = to.part(one, '#1');
    const around = to.expected;
    to.expected = type;
    const row = value === NONE ? -1 : to.expression(value);
    to.expected = around;
    if (name === NONE) tuple(to, to.part(one, '#0'), row);
    else to.bind('local', name, { type, value: row, from: tree.end(one) });
  }
}
