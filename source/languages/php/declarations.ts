import {
  type FunctionRule,
  type Lowering,
  lowerDeclaration,
  NONE,
  type NodeId,
  type TypeDeclarationRule,
} from '../../lower/index.js';
import {
  bindTemplates,
  commentAbove,
  commentAt,
  documentedType,
  fileOf,
  lastOf,
  readDoc,
  typeNamed,
} from './names.js';

/** What nothing says otherwise of. */
export const PUBLIC = { exported: true, visibility: 'public' } as const;

/** `use A\B, C as D;`, `use A\{B, C};`, `use function A\b;` */
export function useDeclaration(to: Lowering, node: NodeId): void {
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
export function classAt(to: Lowering, node: NodeId, rule: TypeDeclarationRule): void {
  inClass(to, node, () => lowerDeclaration(to, node, rule));
}

/** Runs for a class with what is known of it. */
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

/** A function, with what the comment above it says; parameters that are properties are defined, too. */
export function functionAt(to: Lowering, node: NodeId, rule: FunctionRule): void {
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
export function documented(to: Lowering, node: NodeId, written: number): number {
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

/** A type as it is written, or as a comment states it where that says more. */
function better(to: Lowering, stated: string, written: number, at: number): number {
  if (stated === '') return written;
  const isOpen = to.scopes.find(stated)?.known === 'type parameter';
  if (!isOpen && written >= 0 && !VAGUE.has(to.typeAt(written).kind)) return written;
  const row = documentedType(to, fileOf(to), stated, at);
  return row < 0 ? written : row;
}

/** `private ?Foo $a = null, $b;` */
export function properties(to: Lowering, node: NodeId): void {
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

/** Binds the type parameters of a class before anything in it is lowered: what it extends may name them, too. */
export function openClass(to: Lowering): void {
  const file = fileOf(to);
  if (!file.class || file.class.isOpen) return;
  file.class.isOpen = true;
  bindTemplates(to, file, file.class.doc, 0);
}

const MEMBER =
  /@(?:method[ \t]+(?:static[ \t]+)?(?:(\S+)[ \t]+)?(\w+)[ \t]*\(|property(?:-read|-write)?[ \t]+(\S+)[ \t]+\$(\w+)).*/g;

/** Defines the members that only the comment above a class says that it has: `@method Foo bar()`, `@property Foo $bar`. */
export function documentedMembers(to: Lowering, body: NodeId): void {
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
export function typeAt(to: Lowering, node: NodeId): number {
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

/** `class (…) extends A { … }` behind `new` */
export function anonymousClass(to: Lowering, node: NodeId): number {
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
