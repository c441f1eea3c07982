import type { Base, ClassSubkind } from '../../facts.js';
import { isComponentClass } from './components.js';
import { decoratorsOf, decoratorTexts, define, isExported, statementOf } from './define.js';
import { behindComments, docBefore } from './docs.js';
import type { Findings, Visitor } from './findings.js';
import { unwrapped } from './literals.js';
import { walkMembers } from './members.js';
import { inside, insideBlock, type Place } from './place.js';
import { knowing, Scope } from './scopes.js';
import { folded, type SyntaxNode } from './syntax.js';
import { bindTypeParameters, typeParametersOf } from './types.js';

/** How a class came by its name. */
export interface NamedClass {
  name: string;
  nameNode: SyntaxNode;
  start: number;
  end: number;
  /** Where its signature starts. */
  head: number;
  exported: boolean;
  /** Decorators that stand outside of it. */
  decorators: readonly SyntaxNode[];
}

/** Defines a class or interface under a name and walks what is in it. */
export function defineClass(node: SyntaxNode, named: NamedClass, at: Place, found: Findings): void {
  const body = node.child('class_body', 'interface_body', 'object_type');
  const subkind: ClassSubkind | null = node.type === 'interface_declaration' ? 'interface' : null;
  const own = node.type === 'class' ? (node.child('type_identifier', 'identifier')?.text ?? '') : '';
  const definition = define(found, at, {
    form: 'class',
    subkind,
    name: named.name,
    nameNode: named.nameNode,
    start: named.start,
    end: named.end,
    head: [named.head, body?.start ?? node.end],
    docstring: docOf(named, found),
    decorators: decoratorTexts(named.decorators),
    is_abstract: node.type === 'abstract_class_declaration',
    exported: named.exported,
    declaration_only: at.ambient && subkind === null,
    bases: basesOf(node, found),
    type_parameters: typeParametersOf(node),
    own_name: own === '' ? undefined : own,
    is_component: subkind === null && isComponentClass(named.name, node, at, found),
  });
  found.defined.set(node, definition);
  const within = inside(at, definition, named.name, new Scope(knowing(at.scope, own), 'block'));
  for (const decorator of named.decorators) found.visit(decorator, within);
  walkClass(node, within, found);
}

/** A class's doc comment stands before its decorators or behind them. */
function docOf({ start, decorators }: NamedClass, found: Findings): string | null {
  const { text } = found.source;
  const last = decorators.at(-1);
  return (
    docBefore(text, start) ?? (last === undefined ? null : docBefore(text, behindComments(text, last.end)))
  );
}

/** Walks the heritage and the members of a class; its name is bound already. */
function walkClass(node: SyntaxNode, at: Place, found: Findings): void {
  for (const child of node.children)
    if (child.type === 'type_parameters') bindTypeParameters(child, at, found);
    else if (child.type === 'class_heritage' || child.type === 'extends_type_clause')
      visitHeritage(child, at, found);
    else if (BODIES.has(child.type)) walkMembers(child, at, found);
}

const BODIES = new Set(['class_body', 'interface_body', 'object_type']);

/** The written bases of a class or interface, without type arguments. */
function basesOf(node: SyntaxNode, found: Findings): Base[] {
  const bases: Base[] = [];
  const add = (base: SyntaxNode, relation: Base['relation'], list?: SyntaxNode) =>
    bases.push(baseOf(base, relation, found, list));
  const clauses = (node.child('class_heritage') ?? node).children;
  for (const clause of clauses) {
    if (clause.type === 'implements_clause') for (const base of clause.children) add(base, 'implements');
    else if (clause.type === 'extends_clause' || clause.type === 'extends_type_clause')
      clause.children.forEach((base, index) => {
        const next = clause.children[index + 1];
        const list = next?.type === 'type_arguments' ? next : undefined;
        if (base.type !== 'type_arguments') add(base, 'extends', list);
      });
  }
  const heritage = node.child('class_heritage');
  // JavaScript's grammar has the expression itself.
  if (heritage?.first && !heritage.first.type.endsWith('_clause')) add(heritage.first, 'extends');
  return bases;
}

function baseOf(
  base: SyntaxNode,
  relation: Base['relation'],
  found: Findings,
  list = base.child('type_arguments'),
): Base {
  const name = base.type === 'generic_type' ? (base.first ?? base) : base;
  const type_arguments = list === null ? undefined : folded(list.text.slice(1, -1), 500);
  return { name: folded(name.text, 120), relation, type_arguments, line: found.source.line(base.start) };
}

/** The interface that an object literal is written for: `const s: Shape = {…}`, `{…} satisfies Partial<Shape>`. */
export function promisedBy(declarator: SyntaxNode, value: SyntaxNode, found: Findings): Base[] {
  if (unwrapped(value).type !== 'object') return [];
  const written = value.type === 'as_expression' || value.type === 'satisfies_expression' ? value.last : null;
  let type = declarator.child('type_annotation')?.first ?? written;
  while (type?.type === 'generic_type' && PARTS.has(type.first?.text ?? ''))
    type = type.child('type_arguments')?.first ?? null;
  return type !== null && NAMED.has(type.type) ? [baseOf(type, 'implements', found)] : [];
}

/** Types of the language that have the members of their argument, or some of them. */
const PARTS = new Set(['Partial', 'Required', 'Readonly', 'Omit', 'Pick']);
const NAMED = new Set(['type_identifier', 'nested_type_identifier', 'generic_type']);

/** A base that is a plain name is used as a type; any other expression is walked. */
function visitHeritage(node: SyntaxNode, at: Place, found: Findings): void {
  for (const child of node.children) {
    if (child.type === 'extends_clause' || child.type === 'implements_clause')
      visitHeritage(child, at, found);
    else if (child.type === 'identifier' || child.type === 'member_expression')
      found.use('type', child, child, at);
    else found.visit(child, at);
  }
}

const declaration: Visitor = (node, at, found) => {
  const nameNode = node.child('type_identifier', 'identifier');
  if (nameNode === null) return visitUnnamed(node, at, found);
  const whole = statementOf(node);
  at.scope.declare(nameNode.text, true);
  const decorators = decoratorsOf(node);
  const head = node.children.filter((one) => one.type === 'decorator').at(-1)?.end ?? node.start;
  defineClass(
    node,
    {
      name: nameNode.text,
      nameNode,
      start: whole.start,
      end: whole.end,
      head,
      exported: isExported(node),
      decorators,
    },
    at,
    found,
  );
};

/** A class value that nothing names but, at best, itself. */
const visitUnnamed: Visitor = (node, at, found) => {
  const nameNode = node.child('type_identifier', 'identifier');
  if (nameNode === null) return walkClass(node, insideBlock(at, node), found);
  const within = insideBlock(at, node);
  within.scope.bind(nameNode.text, 'definition');
  const span = { start: node.start, end: node.end, head: node.start };
  defineClass(
    node,
    { name: nameNode.text, nameNode, ...span, exported: false, decorators: decoratorsOf(node) },
    within,
    found,
  );
};

/** Visitors of classes and interfaces. */
export const classVisitors: ReadonlyMap<string, Visitor> = new Map([
  ['class_declaration', declaration],
  ['abstract_class_declaration', declaration],
  ['interface_declaration', declaration],
  ['class', visitUnnamed],
]);
