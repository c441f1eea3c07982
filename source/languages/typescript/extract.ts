import type { Node } from 'web-tree-sitter';
import type { CommentTag, Definition, FileFacts, Reference, TestFact } from '../../facts.js';
import type { ParsedFile } from '../language.js';
import { blockVisitors } from './blocks.js';
import { callVisitors } from './calls.js';
import { classVisitors } from './classes.js';
import { docOfFile, mayHoldTags, tagsOf } from './docs.js';
import { exportVisitors } from './exports.js';
import { Findings, type FoundDefinition, type FoundUse, type Visitor } from './findings.js';
import { functionVisitors } from './functions.js';
import { importVisitors } from './imports.js';
import { nameVisitors } from './names.js';
import { objectVisitors } from './objects.js';
import { topOfFile } from './place.js';
import { folded, SyntaxSource } from './syntax.js';
import { typeVisitors } from './types.js';
import { variableVisitors } from './variables.js';

const visitors: ReadonlyMap<string, Visitor> = new Map([
  ...blockVisitors,
  ...callVisitors,
  ...classVisitors,
  ...exportVisitors,
  ...functionVisitors,
  ...importVisitors,
  ...nameVisitors,
  ...objectVisitors,
  ...typeVisitors,
  ...variableVisitors,
]);

/** Types whose text is all there is to them. */
const leaves: ReadonlySet<string> = new Set(
  (
    'identifier property_identifier private_property_identifier type_identifier predefined_type string number regex ' +
    'this super true false null undefined import shorthand_property_identifier statement_identifier comment ' +
    'shorthand_property_identifier_pattern accessibility_modifier override_modifier optional_chain jsx_text ' +
    'string_fragment escape_sequence html_character_reference empty_statement literal_type this_type hash_bang_line'
  ).split(' '),
);

/** The facts of one TypeScript or JavaScript file, with or without JSX. */
export function extract(language: string, file: ParsedFile): FileFacts {
  const source = new SyntaxSource(file.text, file.tree, leaves);
  const found = new Findings(source, visitors);
  found.walk(topOfFile());
  const { definitions, numbers } = ordered(found.definitions);
  const renumbered = (from: number | null): number | null => (from === null ? null : (numbers[from] ?? null));
  markExported(definitions, found);
  return {
    language,
    docstring: docOfFile(file.text),
    lines: source.lineCount,
    definitions: definitions.map((one) => ({ ...one, parent: renumbered(one.parent) })),
    references: found.uses
      .sort((a, b) => a.offset - b.offset)
      .flatMap((use) => referenceOf(use, renumbered(use.definition), source)),
    imports: inOrder(found.imports).map((one) => ({ ...one, from: renumbered(one.from) })),
    exports: inOrder(found.exports),
    types: inOrder(found.types).map((one) => ({ ...one, from: renumbered(one.from) })),
    comments: tagsIn(file, source, definitions),
    tests: testsOf(found),
    syntax_errors: file.root.hasError ? errorLines(file.root) : [],
  };
}

/** Facts by where they stand, without their offsets. */
function inOrder<Fact extends { offset: number }>(facts: Fact[]): Omit<Fact, 'offset'>[] {
  return facts
    .sort((a, b) => a.offset - b.offset)
    .map((one) => {
      const { offset: _, ...fact } = one;
      return fact;
    });
}

/** Definitions in source order with their ordinals, and the new number of each old one. */
function ordered(found: readonly FoundDefinition[]): { definitions: Definition[]; numbers: number[] } {
  const order = found.map((_, index) => index);
  order.sort((a, b) => (found[a]?.offset ?? 0) - (found[b]?.offset ?? 0) || a - b);
  const numbers: number[] = [];
  const seen = new Map<string, number>();
  const definitions = order.flatMap((old, index) => {
    numbers[old] = index;
    const one = found[old];
    if (one === undefined) return [];
    const { offset: _, ...definition } = one;
    const key = `${one.form} ${one.qualname}`;
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    const { form, subkind, name, qualname, ...rest } = definition;
    return [{ form, subkind, name, qualname, ordinal, ...rest }];
  });
  return { definitions, numbers };
}

/** Export lists and `export default name` come after or before what they export. */
function markExported(definitions: Definition[], found: Findings): void {
  const names = new Set(
    found.exports.flatMap((one) => (one.module === null && one.local !== null ? [one.local] : [])),
  );
  for (const one of definitions)
    if (one.parent === null && (one.block ?? null) === null && names.has(one.qualname)) one.exported = true;
}

/** The reference that a use is; none when it uses what only its function knows. */
function referenceOf(use: FoundUse, from: number | null, source: SyntaxSource): Reference[] {
  const { kind, name } = use;
  const isValue = kind === 'read' || kind === 'write' || kind === 'pass';
  if (use.receiver === null) {
    const binding = use.scope.lookup(name);
    if (isValue && (binding === null || binding === 'local')) return [];
    if (kind === 'type' && binding === 'local') return [];
    return [reference(use, from, source, { receiver: null, form: 'none', root: name, binding })];
  }
  const { text, form, root } = use.receiver;
  const binding = root === null ? null : use.scope.lookup(root);
  if (isValue && form !== 'this' && form !== 'super') {
    if (form !== 'path' || binding === null || binding === 'local') return [];
  }
  return [reference(use, from, source, { receiver: text, form, root, binding })];
}

interface ReadReceiver {
  receiver: string | null;
  form: Reference['receiver_form'];
  root: string | null;
  binding: ReturnType<FoundUse['scope']['lookup']>;
}

function reference(use: FoundUse, from: number | null, source: SyntaxSource, read: ReadReceiver): Reference {
  const { node } = use;
  const isName = use.kind !== 'call' && use.kind !== 'new' && use.kind !== 'jsx' && use.kind !== 'decorator';
  return {
    kind: use.kind,
    name: use.name,
    receiver: read.receiver,
    receiver_form: read.form,
    from,
    line: source.lineOf(use.offset),
    column: source.columnOf(use.offset),
    expression:
      read.form === 'none' && isName ? use.name : folded(source.text.slice(node.start, node.end), 120),
    local: read.binding === 'local' || read.binding === 'definition',
    arguments: use.arguments,
  };
}

function testsOf(found: Findings): TestFact[] {
  return found.tests
    .filter(({ scope, root }) => {
      const binding = scope.lookup(root);
      return binding === null || binding === 'import';
    })
    .sort((a, b) => a.node.start - b.node.start)
    .map(({ title, suites, node }) => ({
      title,
      definition: null,
      suites: [...suites],
      span: found.source.span(node.start, node.end),
    }));
}

function tagsIn(file: ParsedFile, source: SyntaxSource, definitions: readonly Definition[]): CommentTag[] {
  if (!mayHoldTags(file.text)) return [];
  const comments = file.root.descendantsOfType('comment').flatMap((one) => (one === null ? [] : [one]));
  return comments.flatMap((one) =>
    tagsOf(file.text.slice(one.startIndex, one.endIndex), one.startIndex).map(({ tag, text, offset }) => {
      const line = source.lineOf(offset);
      return { tag, text, line, from: enclosing(definitions, line, source.columnOf(offset)) };
    }),
  );
}

/** The innermost definition around a position: the last one that begins before it and ends behind it. */
function enclosing(definitions: readonly Definition[], line: number, column: number): number | null {
  for (let index = definitions.length - 1; index >= 0; index -= 1) {
    const span = definitions[index]?.span;
    if (span === undefined) continue;
    const begins = span.start_line < line || (span.start_line === line && span.start_column <= column);
    const ends = span.end_line > line || (span.end_line === line && span.end_column > column);
    if (begins && ends) return index;
  }
  return null;
}

/** Lines of what the grammar could not parse or missed, at most 20. */
function errorLines(root: Node): number[] {
  const lines = new Set<number>();
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined && lines.size < 1000; node = open.pop()) {
    if (node.isError || node.isMissing) lines.add(node.startPosition.row + 1);
    for (const child of node.children) if (child?.hasError || child?.isMissing) open.push(child);
  }
  return [...lines].sort((a, b) => a - b).slice(0, 20);
}
