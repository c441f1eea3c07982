import type { ImportedName } from '../../facts.js';
import { defineClass } from './classes.js';
import { wrappedComponent } from './components.js';
import { type DefinitionParts, decoratorsOf } from './define.js';
import type { Findings, Visitor } from './findings.js';
import { flowTo } from './flows.js';
import { defineFunction } from './functions.js';
import { UNBOUND } from './imports.js';
import { isFunction, stringOf, unwrapped } from './literals.js';
import { defineOptions, nameOption, optionsOf } from './options.js';
import { DEEPEST_PATTERN } from './patterns.js';
import { type Place, partOf } from './place.js';
import type { SyntaxNode } from './syntax.js';

/** Everything that begins with `export`. */
const statement: Visitor = (node, at, found) => {
  const source = node.child('string');
  const written = found.source.text.slice(node.start, node.start + 60);
  const module = stringOf(source);
  const clause = node.child('export_clause', 'namespace_export');
  if (module !== null && source === node.last) return reexport(node, clause, module, written, at, found);
  if (clause !== null) return exportList(clause, at, found);
  const { last } = node;
  if (last === null) return;
  if (/^export\s*=/.test(written)) return exportValue(last, 'default', at, found);
  if (/^export\s+as\s+namespace\b/.test(written)) return;
  const head = node.children.filter((one) => one.type === 'decorator').at(-1)?.end ?? node.start;
  if (/^\s*export\s+default\b/.test(found.source.text.slice(head, head + 60)))
    return exportDefault(node, last, at, found);
  if (isTop(at)) for (const name of declaredBy(last)) found.export(name.text, name.text, null, name);
  for (const child of node.children) if (child.type !== 'decorator') found.visit(child, at);
};

/** Only the top of the file is offered to other files; a namespace's exports are reached through it. */
function isTop(at: Place): boolean {
  return at.definition === null && at.scope.parent === null;
}

function reexport(
  node: SyntaxNode,
  clause: SyntaxNode | null,
  module: string,
  written: string,
  at: Place,
  found: Findings,
): void {
  const type_only = /^export\s+type\b/.test(written);
  const names: ImportedName[] = [];
  if (clause?.type === 'export_clause')
    for (const one of clause.children) {
      if (one.type !== 'export_specifier' || one.first === null || one.last === null) continue;
      const imported = nameIn(one.first);
      names.push({ imported, local: null });
      found.export(nameIn(one.last), imported, module, one);
    }
  else {
    names.push(...UNBOUND);
    found.export(clause?.first ? nameIn(clause.first) : '*', clause === null ? null : '*', module, node);
  }
  found.import({ module, kind: 'reexport', type_only, names }, node, at);
}

function nameIn(node: SyntaxNode): string {
  return stringOf(node) ?? node.text;
}

function exportList(clause: SyntaxNode, at: Place, found: Findings): void {
  for (const one of clause.children) {
    if (one.type !== 'export_specifier' || one.first === null || one.last === null || !isTop(at)) continue;
    found.export(nameIn(one.last), nameIn(one.first), null, one);
    found.use('read', one.first, one.first, at);
  }
}

function exportDefault(node: SyntaxNode, value: SyntaxNode, at: Place, found: Findings): void {
  const named = value.child('identifier', 'type_identifier');
  const held = unwrapped(value);
  const isDeclaration = value.type.endsWith('_declaration') || value.type === 'function_signature';
  if (isDeclaration && named !== null) {
    if (isTop(at)) found.export('default', named.text, null, named);
    found.visit(value, at);
    return;
  }
  if (defineDefault(held, node, at, found)) return;
  const options = isTop(at) ? optionsOf(held) : null;
  if (options !== null) {
    const { start, end } = node;
    const name = nameOption(options) ?? 'default';
    const named = { name, nameNode: node, start, end, head: start, exported: true, is_property: true };
    const definition = defineOptions(options, named, at, found);
    found.export('default', null, null, node, definition);
    found.visit(value, partOf(at, definition));
    return;
  }
  const wrapped = wrappedComponent(held, at, found);
  if (wrapped === null || !isTop(at)) {
    exportValue(value, 'default', at, found);
    return;
  }
  // What a wrapped component renders is what importers mean.
  const definition = found.definitions.length;
  if (!defineDefault(wrapped, node, at, found, { is_component: true }))
    found.export('default', wrapped.text, null, node);
  found.visit(value, found.definitions.length > definition ? partOf(at, definition) : at);
}

/**
 * A function or class that is what a module exports: it has its own name or `default`. False for other values.
 * `node` is the statement.
 */
export function defineDefault(
  held: SyntaxNode,
  node: SyntaxNode,
  at: Place,
  found: Findings,
  more: Partial<DefinitionParts> = {},
): boolean {
  const isClass = held.type === 'class' || held.type === 'class_declaration';
  if (!isClass && !isFunction(held) && !FUNCTIONS.has(held.type)) return false;
  const own = held.type === 'arrow_function' ? null : held.child('identifier', 'type_identifier');
  const name = own?.text ?? 'default';
  if (isTop(at)) found.export('default', name, null, node);
  if (own !== null) at.scope.declare(name, true);
  const named = { name, nameNode: own ?? node, start: node.start, end: node.end, head: held.start };
  if (isClass) defineClass(held, { ...named, exported: true, decorators: decoratorsOf(held) }, at, found);
  else defineFunction(held, { form: 'function', ...named }, at, found, { exported: true, ...more });
  return true;
}

const FUNCTIONS = new Set(['function_declaration', 'generator_function_declaration']);

/** A value that is exported under a name: a plain name is that name's export, anything else is visited. */
export function exportValue(value: SyntaxNode, name: string, at: Place, found: Findings): void {
  const held = unwrapped(value);
  const local = held.type === 'identifier' ? held.text : null;
  if (isTop(at)) found.export(name, local, null, value);
  if (local !== null) {
    found.use('read', held, held, at);
    return;
  }
  if (isTop(at)) flowTo(`exports.${name}`, { node: value }, value, at, found);
  found.visit(value, at);
}

/** The names that an exported declaration declares. */
function declaredBy(node: SyntaxNode): SyntaxNode[] {
  if (node.type === 'ambient_declaration') return node.last === null ? [] : declaredBy(node.last);
  if (node.type === 'lexical_declaration' || node.type === 'variable_declaration')
    return node.children.flatMap((one) => (one.first === null ? [] : leavesOf(one.first)));
  const name = node.child('identifier', 'type_identifier', 'nested_identifier');
  if (name?.type === 'nested_identifier') {
    let root = name;
    while (root.first !== null) root = root.first;
    return [root];
  }
  return name === null ? [] : [name];
}

/** The names that a pattern binds; its defaults are visited with the declaration. */
function leavesOf(pattern: SyntaxNode, depth = 0): SyntaxNode[] {
  if (depth > DEEPEST_PATTERN) return [];
  if (pattern.type === 'identifier' || pattern.type === 'shorthand_property_identifier_pattern')
    return [pattern];
  if (pattern.type === 'pair_pattern') return pattern.last === null ? [] : leavesOf(pattern.last, depth + 1);
  if (pattern.type === 'assignment_pattern' || pattern.type === 'object_assignment_pattern')
    return pattern.first === null ? [] : leavesOf(pattern.first, depth + 1);
  if (!PATTERNS.has(pattern.type)) return [];
  return pattern.children.flatMap((one) => leavesOf(one, depth + 1));
}

const PATTERNS = new Set(['object_pattern', 'array_pattern', 'rest_pattern']);

/** Visitors of exports. */
export const exportVisitors: ReadonlyMap<string, Visitor> = new Map([['export_statement', statement]]);
