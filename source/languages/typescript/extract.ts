import { LIMITS } from '../../../schema/index.js';
import {
  type Definition,
  type ExportFact,
  type FileFacts,
  keyReference,
  type Reference,
  type ReferenceKind,
  type TestFact,
} from '../../facts.js';
import type { ValueFact } from '../../flow-facts.js';
import { Comments } from '../../lower/index.js';
import type { ParsedFile } from '../language.js';
import { isInTestFolder } from '../test-folder.js';
import { blockVisitors } from './blocks.js';
import { callVisitors } from './calls.js';
import { classVisitors } from './classes.js';
import { type ComponentFile, walkComponentFile } from './component-file.js';
import { define, isExported, statementOf } from './define.js';
import { docOfFile } from './docs.js';
import { exportVisitors } from './exports.js';
import {
  Findings,
  type FoundTest,
  type FoundType,
  type FoundUse,
  type Placed,
  type Visitor,
} from './findings.js';
import { neededFlows, Owners } from './flows.js';
import { functionVisitors } from './functions.js';
import { importVisitors } from './imports.js';
import { keyOf } from './literals.js';
import { nameVisitors } from './names.js';
import { objectVisitors } from './objects.js';
import { inside, partOf, topOfFile } from './place.js';
import { routesOf } from './routes/index.js';
import { type Binding, Scope } from './scopes.js';
import { folded, type SyntaxNode, SyntaxSource } from './syntax.js';
import { FRAMEWORK, isTestFile } from './test-files.js';
import { typeVisitors } from './types.js';
import { type Values, valueFact } from './values.js';
import { variableVisitors } from './variables.js';

const ASYNC = /^async\b/;
/** What documents what is found with the definitions. */
const NO_DOCS = { marks: [] };

/** An enum is a class whose members are constants. */
const enumeration: Visitor = (node, at, found) => {
  const nameNode = node.child('identifier');
  if (nameNode === null) return;
  const name = nameNode.text;
  const whole = statementOf(node);
  at.scope.declare(name, true);
  const body = node.child('enum_body');
  const definition = define(found, at, {
    form: 'class',
    subkind: 'enum',
    name,
    nameNode,
    start: whole.start,
    end: whole.end,
    head: [node.start, body?.start ?? node.end],
    exported: isExported(node),
  });
  const within = inside(at, definition, name, new Scope(at.scope, 'block'));
  for (const member of body?.children ?? []) {
    const key = member.type === 'enum_assignment' ? member.first : member;
    const memberName = keyOf(key);
    if (key === null || memberName === null) continue;
    within.scope.bind(memberName, 'definition');
    const own = define(found, within, {
      form: 'variable',
      name: memberName,
      nameNode: key,
      start: member.start,
      end: member.end,
      head: [member.start, member.end],
      scope: 'class',
      is_constant: true,
    });
    if (member !== key && member.last) found.visit(member.last, partOf(within, own));
  }
};

/** Visitors of enums. */
const enumVisitors: ReadonlyMap<string, Visitor> = new Map([['enum_declaration', enumeration]]);

const visitors: ReadonlyMap<string, Visitor> = new Map([
  ...blockVisitors,
  ...callVisitors,
  ...classVisitors,
  ...enumVisitors,
  ...exportVisitors,
  ...functionVisitors,
  ...importVisitors,
  ...nameVisitors,
  ...objectVisitors,
  ...typeVisitors,
  ...variableVisitors,
]);

/** The facts of one TypeScript or JavaScript file, with or without JSX. */
export function extract(language: string, file: ParsedFile): FileFacts {
  return factsOf(language, file, (found) => found.walk(topOfFile()));
}

/** The facts of a file that is one component, of which the scripts and a template were parsed as one text. */
export function extractComponentFile(
  language: string,
  file: ParsedFile,
  component: ComponentFile,
): FileFacts {
  return factsOf(language, file, (found) => walkComponentFile(found, component));
}

function factsOf(language: string, file: ParsedFile, walk: (found: Findings) => void): FileFacts {
  const source = new SyntaxSource(file.text, file.tree);
  const found = new Findings(source, visitors);
  walk(found);
  const { definitions, numbers } = ordered(found.definitions);
  markExported(definitions, found);
  const { references, calls } = referencesOf(found, numbers);
  return {
    language,
    docstring: docOfFile(file.text),
    lines: source.lines,
    definitions,
    references,
    imports: renumbered(inOrder(found.imports), numbers),
    exports: exportsOf(found, numbers),
    types: renumbered(inOrder(found.types.map(withLocal)), numbers),
    flows: neededFlows(found, { definitions: numbers, calls }),
    comments: new Comments(source, source.tree.comments, NO_DOCS).tags(definitions),
    tests: testsOf(file.path, found),
    routes: routesOf(file.path, found, numbers),
    keys: [],
    syntax_errors: errorLines(source),
  };
}

function inOrder<Fact>(facts: Placed<Fact>[]): Fact[] {
  return facts.sort((a, b) => a.offset - b.offset).map(({ fact }) => fact);
}

function exportsOf(found: Findings, numbers: readonly number[]): ExportFact[] {
  const facts = inOrder(found.exports);
  for (const fact of facts) if (fact.definition !== undefined) fact.definition = numbers[fact.definition];
  return facts;
}

/** A told type with what its callee's first name is bound to; annotations have none. */
function withLocal(told: FoundType): FoundType {
  const { type, source } = told.fact;
  const root = source === 'annotation' || source === 'parameter' ? null : /^[^\s.?!]+/.exec(type)?.[0];
  told.fact.local = root != null && told.scope.lookup(root) === 'local';
  return told;
}

/** Facts whose `from` was a number in {@link Findings}, with the final one. */
function renumbered<Fact extends { from: number | null }>(facts: Fact[], numbers: readonly number[]): Fact[] {
  for (const fact of facts) if (fact.from !== null) fact.from = numbers[fact.from] ?? null;
  return facts;
}

/** Definitions in source order with their ordinals and parents, and the new number of each old one. */
function ordered(found: readonly Placed<Definition>[]): { definitions: Definition[]; numbers: number[] } {
  const old = new Map(found.map((one, index) => [one, index]));
  const sorted = [...found].sort((a, b) => a.offset - b.offset);
  const numbers: number[] = [];
  sorted.forEach((one, index) => {
    numbers[old.get(one) ?? index] = index;
  });
  const seen = new Map<string, number>();
  const definitions = sorted.map(({ fact }) => {
    const key = `${fact.form} ${fact.qualname}`;
    fact.ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, fact.ordinal);
    if (fact.parent !== null) fact.parent = numbers[fact.parent] ?? null;
    return fact;
  });
  return { definitions, numbers };
}

/** Export lists and `export default name` come after or before what they export. */
function markExported(definitions: Definition[], found: Findings): void {
  const names = new Set(
    found.exports.flatMap(({ fact }) => (fact.module === null && fact.local !== null ? [fact.local] : [])),
  );
  for (const one of definitions)
    if (one.parent === null && (one.block ?? null) === null && names.has(one.qualname)) one.exported = true;
}

/** The references that uses are, without those of what only their function knows, and which of them calls are. */
function referencesOf(
  found: Findings,
  numbers: readonly number[],
): { references: Reference[]; calls: Map<SyntaxNode, number> } {
  const references: Reference[] = [];
  const calls = new Map<SyntaxNode, number>();
  const kept: FoundUse[] = [];
  const values: Values = { found, numbers: { definitions: numbers, calls }, asked: [] };
  const owners = new Owners(values);
  for (const use of found.uses.sort((a, b) => a.offset - b.offset)) {
    const from = use.definition === null ? null : (numbers[use.definition] ?? null);
    const on = owners.of(use);
    if (on === null) continue;
    const reference = referenceOf(use, from, found.source, on);
    if (reference === null) continue;
    if (use.kind === 'call' || use.kind === 'new') calls.set(use.node, references.length);
    references.push(reference);
    kept.push(use);
  }
  references.forEach((reference, index) => {
    const use = kept[index];
    if (use && reference.on === undefined) tellReceiver(reference, use, values);
  });
  return { references, calls };
}

/** What a receiver that is no plain path is made of; and that the types of the names it begins with are asked for. */
function tellReceiver(reference: Reference, use: FoundUse, values: Values): void {
  const { receiver, callee, name, scope, node } = use;
  const { receiver_form: form, local, kind } = reference;
  const root = receiver === null ? name : receiver.root;
  if (callee) reference.callee = valueFact(callee, scope, values, true) ?? undefined;
  if (local && root !== null) scope.binding(root)?.need(root);
  if (receiver !== null && use.isApart && (form === 'path' || form === 'this')) reference.on = receiver.text;
  if (receiver?.node && (form === 'call' || form === 'other' || form === 'this')) {
    const on = valueFact(receiver.node, scope, values, true);
    if (on !== null && typeof on !== 'string') reference.on = on;
  }
  const list = kind === 'call' || kind === 'new' ? node.child('type_arguments') : null;
  if (list !== null) reference.types = folded(list.text.slice(1, -1), 300);
}

function referenceOf(
  use: FoundUse,
  from: number | null,
  source: SyntaxSource,
  on: ValueFact | undefined,
): Reference | null {
  const { kind, name, receiver } = use;
  const place = { from, line: source.line(use.offset), column: source.columnOf(use.offset) };
  if (use.given) return keyReference(kind, name, place, on);
  const root = receiver !== null ? receiver.root : use.callee ? null : name;
  const binding = root === null ? null : use.scope.lookup(root);
  const form = receiver !== null ? receiver.form : use.callee ? 'other' : 'none';
  if (on === undefined && !isKept(kind, form, binding)) return null;
  const { node } = use;
  const isName = kind !== 'call' && kind !== 'new' && kind !== 'jsx' && kind !== 'decorator';
  return {
    kind,
    name,
    receiver: receiver === null ? null : receiver.text,
    receiver_form: form,
    ...place,
    expression:
      receiver === null && isName
        ? name
        : folded(source.text.slice(node.start, node.end), LIMITS.expression.max),
    local: binding === 'local',
    arguments: use.arguments,
    on,
    callee: undefined,
    types: undefined,
    values: undefined,
  };
}

/**
 * Calls and the like are kept whatever they call; types unless they are type parameters; names only when the file
 * or an import binds them; members of names that anything binds, and of `this`.
 */
function isKept(kind: ReferenceKind, form: Reference['receiver_form'], binding: Binding | null): boolean {
  if (kind === 'type') return form !== 'none' || binding !== 'local';
  if (kind !== 'read' && kind !== 'write' && kind !== 'pass') return true;
  if (form === 'none') return binding !== null && binding !== 'local';
  if (form === 'path') return binding !== null;
  return form === 'this' || form === 'super';
}

/** Lines of what the grammar could not parse or missed. */
function errorLines(source: SyntaxSource): number[] {
  return [...new Set(source.tree.errors.map((offset) => source.line(offset)))].slice(
    0,
    LIMITS.syntaxErrors.max,
  );
}

/**
 * The calls that a test framework would run: of a function that a framework's module gives, in any file; of a
 * global, or of what another module passes on, in a file that is a test's by its path. In the order of the text.
 */
function testsOf(path: string, found: Findings): TestFact[] {
  if (found.tests.length === 0) return [];
  const isTests = isTestFile(path) || isInTestFolder(path);
  const ordinals = new Map<string, number>();
  return found.tests
    .filter((one) => isTest(one, found, isTests))
    .sort((a, b) => a.node.start - b.node.start)
    .map(({ title, suites, signature, callback, node }) => {
      const qualname = [...suites, title].join('.');
      const ordinal = (ordinals.get(qualname) ?? 0) + 1;
      ordinals.set(qualname, ordinal);
      return {
        title,
        definition: null,
        suites: [...suites],
        qualname,
        ordinal,
        signature,
        is_async: ASYNC.test(callback.text),
        span: found.source.span(node.start, node.end),
        body: found.source.span(callback.start, callback.end),
      };
    });
}

function isTest({ scope, root, hasText }: FoundTest, found: Findings, isTests: boolean): boolean {
  const binding = scope.lookup(root);
  if (binding === null) return isTests || root === 'Deno';
  if (binding !== 'import') return false;
  const [origin] = found.importsOf(root);
  return FRAMEWORK.test(origin?.module ?? '') || (isTests && hasText);
}
