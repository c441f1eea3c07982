import { define } from './define.js';
import type { Findings, FoundUse } from './findings.js';
import { unwrapped } from './literals.js';
import { visitValue } from './names.js';
import { defineOptions, nameOption, optionsOf, registered } from './options.js';
import { insideScope, type Place, partOf, topOfFile } from './place.js';
import { Scope } from './scopes.js';
import type { SyntaxNode } from './syntax.js';

/** A file that is one component, written as scripts and a template. Offsets are those of the file's text. */
export interface ComponentFile {
  /** What the component is called, unless it says so itself. */
  readonly name: string;
  /** What its signature is taken from. */
  readonly head: readonly [from: number, to: number];
  readonly end: number;
  readonly scripts: readonly ScriptPart[];
  readonly pieces: readonly TemplatePiece[];
}

/** One script of the file; what a setup script does it does for every instance of the component. */
export interface ScriptPart {
  readonly from: number;
  readonly to: number;
  readonly isSetup: boolean;
  /** The module that is read instead of what stands here; null for none. */
  readonly src: string | null;
}

/** One piece of script in the template, a statement of its own in what was parsed. */
export interface TemplatePiece {
  readonly kind: 'tag' | 'expression' | 'statement';
  /** Where the statement begins. */
  readonly start: number;
  /** The name of an element, as it is written. */
  readonly name: string;
  readonly isPassed: boolean;
  /** Names that the elements around it bind. */
  readonly locals: readonly string[];
}

/** The component of a file: the definition's number, and what its template may name. */
interface Owner {
  readonly definition: number;
  /** Whether the template sees the component's members; else it sees what the file's scripts name. */
  readonly hasMembers: boolean;
  /** What elements are registered; null where every component that the file names may be one. */
  readonly registered: ReadonlyMap<string, string> | null;
}

/** Walks a file that is a component: its scripts as a module, then its template inside the component. */
export function walkComponentFile(found: Findings, file: ComponentFile): void {
  const top = topOfFile();
  const statements = found.source.root.children;
  const scripts = file.scripts.slice(0, MOST_SCRIPTS);
  const scriptOf = (offset: number) => scripts.find(({ from, to }) => from <= offset && offset < to);
  const given = statements.find(
    (one) =>
      scriptOf(one.start)?.isSetup === false &&
      DEFAULT.test(found.source.text.slice(one.start, one.start + 60)),
  );
  for (const one of statements) if (one !== given && scriptOf(one.start)) found.visit(one, top);
  for (const { src } of scripts) if (src !== null) importSource(src, found);
  const owner = ownerOf(file, given ?? null, top, found);
  for (const use of found.uses)
    if (use.definition === null && scriptOf(use.offset)?.isSetup) use.definition = owner.definition;
  walkTemplate(file, owner, top, found);
}

/** A component has two: of more nothing is told. */
const MOST_SCRIPTS = 8;

const DEFAULT = /^export\s+default\b/;

function importSource(module: string, found: Findings): void {
  const names = [{ imported: '*', local: null }];
  const at = topOfFile();
  found.import({ module, kind: 'import', type_only: false, names }, found.source.root, at);
}

function ownerOf(file: ComponentFile, given: SyntaxNode | null, top: Place, found: Findings): Owner {
  const value = given?.last ? unwrapped(given.last) : null;
  const options = value?.type === 'object' ? value : value && optionsOf(value);
  const name = (options && nameOption(options)) ?? file.name;
  const isSetup = file.scripts.some((one) => one.isSetup);
  if (given && options && !isSetup) {
    const named = { name, nameNode: given, start: 0, end: file.end, head: given.start, exported: true };
    const definition = defineOptions(options, { ...named, is_property: true }, top, found);
    found.export('default', null, null, given, definition);
    if (given.last) found.visit(given.last, partOf(top, definition));
    return { definition, hasMembers: true, registered: registered(options) };
  }
  const named = given && !options && !isSetup ? namedDefault(given, top, found) : null;
  if (named !== null) {
    const hasMembers = found.definitions[named]?.fact.form === 'class';
    return { definition: named, hasMembers, registered: null };
  }
  const { root } = found.source;
  const definition = define(found, top, {
    form: 'function',
    name,
    nameNode: root,
    start: 0,
    end: file.end,
    head: file.head,
    docstring: null,
    exported: true,
    is_property: true,
    is_component: true,
  });
  if (isSetup || !given) found.export('default', null, null, root, definition);
  if (given?.last) found.visit(isSetup ? given.last : given, partOf(top, definition));
  return { definition, hasMembers: false, registered: null };
}

/** The class, function or variable that a script says its component is; null where that is nothing of the file. */
function namedDefault(given: SyntaxNode, top: Place, found: Findings): number | null {
  const before = found.exports.length;
  found.visit(given, top);
  const exported = found.exports[before]?.fact;
  const local = exported?.local ?? null;
  const index =
    exported?.definition ??
    found.definitions.findIndex(({ fact }) => fact.parent === null && !fact.block && fact.name === local);
  const definition = found.definitions[index]?.fact;
  if (!definition) return null;
  definition.is_component = true;
  return index;
}

function walkTemplate(file: ComponentFile, owner: Owner, top: Place, found: Findings): void {
  const pieces = new Map(file.pieces.map((piece) => [piece.start, piece]));
  const values = valuesOf(found);
  for (const node of found.source.root.children) {
    const piece = pieces.get(node.start);
    if (piece === undefined) continue;
    if (piece.kind === 'tag') {
      addElement(node, piece, owner, top, found, values);
      continue;
    }
    const scope = new Scope(top.scope, 'block');
    for (const name of piece.locals) scope.bind(name, 'local');
    const at = partOf(insideScope(top, scope, null), owner.definition);
    const before = found.uses.length;
    if (piece.kind === 'statement') found.visitChildren(node, at);
    else visitExpression(node, piece, at, found);
    if (owner.hasMembers) for (const use of found.uses.slice(before)) toMember(use);
  }
}

/** `(expression)`, in the brackets that were put around it. */
function visitExpression(node: SyntaxNode, { isPassed }: TemplatePiece, at: Place, found: Findings): void {
  const inner = node.first?.type === 'parenthesized_expression' ? node.first.first : null;
  if (inner === null) found.visit(node, at);
  else visitValue(isPassed ? 'pass' : 'read', inner, at, found);
}

/** A template of options sees the members of the component, as `this` has them. */
function toMember(use: FoundUse): void {
  const root = use.receiver === null ? use.name : use.receiver.root;
  if (root === null || use.scope.lookup(root) === 'local') return;
  if (use.receiver === null) use.receiver = { text: 'this', form: 'this', root: null };
  else if (use.receiver.form === 'path')
    use.receiver = { text: `this.${use.receiver.text}`, form: 'this', root: null };
}

/** An element is a component when its name, in one of its spellings, is registered or known in the file. */
function addElement(
  node: SyntaxNode,
  { name }: TemplatePiece,
  owner: Owner,
  top: Place,
  found: Findings,
  values: ReadonlySet<string>,
): void {
  const at = partOf(top, owner.definition);
  const target = node.first;
  if (target?.type === 'member_expression' && owner.registered === null) {
    if (values.has(name.slice(0, name.indexOf('.')))) found.use('jsx', target, target, at);
    return;
  }
  for (const spelling of spellingsOf(name)) {
    const local = owner.registered === null ? spelling : owner.registered.get(spelling);
    if (local === undefined || !values.has(local)) continue;
    found.uses.push({
      kind: 'jsx',
      name: local,
      offset: node.start,
      receiver: null,
      node: target ?? node,
      arguments: null,
      definition: owner.definition,
      scope: top.scope,
    });
    return;
  }
}

/** The names that stand for values of the file: imports, and what a script defines at its top. */
function valuesOf({ imports, definitions }: Findings): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { fact } of imports)
    if (!fact.type_only) for (const { local } of fact.names) if (local !== null) names.add(local);
  for (const { fact } of definitions) {
    const isAtTop = fact.parent === null && !fact.block && !fact.is_property;
    if (isAtTop && fact.form !== 'type' && fact.subkind !== 'interface') names.add(fact.name);
  }
  return names;
}

/** `user-card`, `userCard`, `UserCard`. */
function spellingsOf(name: string): readonly string[] {
  const camel = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [...new Set([name, camel, camel.charAt(0).toUpperCase() + camel.slice(1)])];
}
