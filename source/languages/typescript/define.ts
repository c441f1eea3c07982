import type { Definition, DefinitionForm } from '../../facts.js';
import { behindComments, docBefore } from './docs.js';
import type { Findings } from './findings.js';
import type { Place } from './place.js';
import { headOf } from './signature.js';
import { folded, type SyntaxNode, type SyntaxSource } from './syntax.js';

/** What is particular about a definition; the rest has plain defaults. */
export interface DefinitionParts extends Partial<Omit<Definition, 'form' | 'name' | 'span'>> {
  form: DefinitionForm;
  name: string;
  /** Where the name stands; the definition's own node for an anonymous default export. */
  nameNode: SyntaxNode;
  /** Offsets of the whole definition. */
  start: number;
  end: number;
  /** Offsets of the part that is the signature. */
  head: readonly [start: number, end: number];
  /** What is written before the head, for one declarator of several. */
  headPrefix?: string;
}

/** Keeps a definition found at a place and gives its number. */
export function define(found: Findings, at: Place, parts: DefinitionParts): number {
  const { source } = found;
  const { start, end, head, headPrefix, nameNode } = parts;
  const { block } = at;
  const headStart = head[0] > start ? behindComments(source.text, head[0]) : head[0];
  const fact: Definition = {
    form: parts.form,
    subkind: parts.subkind ?? null,
    name: parts.name,
    qualname: at.path + parts.name,
    ordinal: 1,
    parent: at.definition,
    block: block === null ? null : source.span(block.start, block.end),
    is_property: parts.is_property ?? false,
    is_component: parts.is_component || undefined,
    own_name: parts.own_name,
    branch: undefined,
    span: source.span(start, end),
    name_line: source.line(nameNode.start),
    signature: headOf(source, headStart, head[1], headPrefix),
    docstring: parts.docstring === undefined ? docAt(source.text, start, headStart) : parts.docstring,
    decorators: parts.decorators ?? [],
    is_async: parts.is_async ?? false,
    is_generator: parts.is_generator ?? false,
    is_static: parts.is_static ?? false,
    is_abstract: parts.is_abstract ?? false,
    visibility: parts.visibility ?? 'public',
    exported: parts.exported ?? false,
    declaration_only: parts.declaration_only ?? at.ambient,
    bases: parts.bases ?? [],
    parameters: parts.parameters ?? [],
    return_type: parts.return_type ?? null,
    type_parameters: parts.type_parameters,
    value_type: parts.value_type ?? null,
    scope: parts.scope ?? null,
    is_constant: parts.is_constant ?? false,
  };
  return found.define(fact, start);
}

/** Before the whole definition, or between what stands before its head and the head. */
function docAt(text: string, start: number, headStart: number): string | null {
  return docBefore(text, start) ?? (headStart > start ? docBefore(text, headStart) : null);
}

/** The whole statement of a declaration: with `export`, `declare` and the decorators written before them. */
export function statementOf(node: SyntaxNode): SyntaxNode {
  let whole = node;
  for (;;) {
    const { parent } = whole;
    if (parent === null || !STATEMENTS.has(parent.type)) return whole;
    whole = parent;
  }
}

/**
 * Where a declaration ends. A semicolon that protects the next line (`;(x as any).y = 1`) is the grammar's end of
 * this one, but nobody's who reads it.
 */
export function endOf(source: SyntaxSource, statement: SyntaxNode): number {
  const { end } = statement;
  if (source.text[end - 1] !== ';') return end;
  let inner: SyntaxNode | null = statement;
  while (inner !== null && inner.end === end) inner = inner.last;
  return inner === null || source.line(inner.end) === source.line(end - 1) ? end : inner.end;
}

const STATEMENTS = new Set(['export_statement', 'ambient_declaration']);

/** Whether a declaration stands in an `export` statement. */
export function isExported(node: SyntaxNode): boolean {
  for (let one = node.parent; one !== null && STATEMENTS.has(one.type); one = one.parent)
    if (one.type === 'export_statement') return true;
  return false;
}

/** The key words and `*` written between the start of a node, its decorators apart, and its name. */
export function wordsBefore(source: SyntaxSource, node: SyntaxNode, name: SyntaxNode): ReadonlySet<string> {
  let start = node.start;
  for (const child of node.children) if (child.type === 'decorator') start = child.end;
  if (start >= name.start) return NO_WORDS;
  const text = source.text.slice(start, name.start).replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, ' ');
  return new Set(text.match(/[\w$]+|\*/g));
}

const NO_WORDS: ReadonlySet<string> = new Set();

/** Decorators as written, without `@`. */
export function decoratorTexts(decorators: readonly SyntaxNode[]): string[] {
  return decorators.map((one) => folded(one.text.slice(1), 300));
}

/** The decorators of a declaration: its own and those of the `export` before it. */
export function decoratorsOf(node: SyntaxNode): SyntaxNode[] {
  const own = node.children.filter((one) => one.type === 'decorator');
  const parent = node.parent;
  return parent?.type === 'export_statement'
    ? [...parent.children.filter((one) => one.type === 'decorator'), ...own]
    : own;
}

/** Whether a value is no part of a signature: it does not fit on the line. */
export function isLong(found: Findings, value: SyntaxNode): boolean {
  return found.source.line(value.start) !== found.source.line(value.end) || value.end - value.start > 120;
}
