import type { TypeFact } from '../../facts.js';
import { define, endOf, isExported, statementOf } from './define.js';
import type { Findings, Visitor } from './findings.js';
import { walkFunction } from './functions.js';
import { unwrapped } from './literals.js';
import { inside, insideUnnamed, type Place } from './place.js';
import { Scope } from './scopes.js';
import { annotationOf } from './signature.js';
import { folded, type SyntaxNode } from './syntax.js';

/** What a value tells of the type of the name it is given to. */
export interface ToldType {
  type: string;
  source: TypeFact['source'];
}

/**
 * The class that a construction names, or (`return`) the function whose result it is; null for other values.
 * `await` is looked through.
 */
export function typeOfValue(node: SyntaxNode): ToldType | null {
  let value = node;
  while (value.type === 'await_expression' || value.type === 'parenthesized_expression') {
    if (value.first === null) return null;
    value = value.first;
  }
  if (value.type === 'non_null_expression' || value.type === 'satisfies_expression') value = unwrapped(value);
  if (value.type === 'as_expression') {
    const { last } = value;
    return last === null || value.children.length < 2
      ? null
      : { type: folded(last.text, 300), source: 'annotation' };
  }
  const callee = value.first;
  if (callee === null) return null;
  if (value.type === 'new_expression' && isPath(callee)) return { type: callee.text, source: 'constructor' };
  if (value.type === 'call_expression' && isPath(callee))
    return { type: folded(callee.text, 300), source: 'return' };
  return null;
}

function isPath(node: SyntaxNode): boolean {
  let one: SyntaxNode | null = node;
  while (one?.type === 'member_expression' || one?.type === 'non_null_expression') one = one.first;
  return one?.type === 'identifier' || one?.type === 'this' || one?.type === 'super';
}

/** The type parameters of a declaration as a definition keeps them. */
export function typeParametersOf(node: SyntaxNode): string | undefined {
  const list = node.child('type_parameters');
  return list === null ? undefined : folded(list.text.slice(1, -1), LONGEST);
}

/** Types longer than this are made by programs more than by people; what they say is not worth keeping. */
const LONGEST = 6000;

/** The text of a type, when it is short enough to be kept whole. */
export function typeText(node: SyntaxNode): string | null {
  const text = folded(node.text, LONGEST);
  return text.endsWith('…') ? null : text;
}

/** Binds the names of `<T extends U = V>` and visits their bounds and defaults. */
export function bindTypeParameters(list: SyntaxNode, at: Place, found: Findings): void {
  for (const parameter of list.children) {
    const name = parameter.child('type_identifier');
    if (name !== null) at.scope.bind(name.text, 'local');
  }
  for (const parameter of list.children)
    for (const child of parameter.children) if (child.type !== 'type_identifier') found.visit(child, at);
}

/** `type Name<T> = …` */
const alias: Visitor = (node, at, found) => {
  const nameNode = node.first;
  if (nameNode === null) return;
  const name = nameNode.text;
  const whole = statementOf(node);
  at.scope.declare(name, true);
  const definition = define(found, at, {
    form: 'type',
    name,
    nameNode,
    start: whole.start,
    end: endOf(found.source, whole),
    head: [node.start, node.end],
    exported: isExported(node),
    declaration_only: false,
    type_parameters: typeParametersOf(node),
    value_type: node.last === null || node.last === nameNode ? null : typeText(node.last),
  });
  const within = inside(at, definition, name, new Scope(at.scope, 'block'));
  for (const child of node.children)
    if (child.type === 'type_parameters') bindTypeParameters(child, within, found);
    else if (child !== nameNode) found.visit(child, within);
};

/** A name used as a type. */
const name: Visitor = (node, at, found) => found.use('type', node, node, at);

/** `ns.Type`: the last name, on a receiver. */
const nestedName: Visitor = (node, at, found) => found.use('type', node, node, at);

/** `typeof value` as a type. */
const query: Visitor = (node, at, found) => {
  for (const child of node.children)
    if (child.type === 'identifier' || child.type === 'member_expression')
      found.use('type', child, child, at);
    else found.visit(child, at);
};

/** Signatures and function types: their parameters are bound nowhere else. */
const signature: Visitor = (node, at, found) => {
  if (node.type === 'call_signature' && node.parent?.type === 'interface_body') {
    const text = typeText(node);
    if (text !== null) found.type('()', text, 'annotation', node, at);
  }
  walkFunction(node, insideUnnamed(at, node, new Scope(at.scope, 'function')), found);
};

/** `[K in keyof T]: …` and `infer U` bind a type's name in the type around them. */
const bindsFirst: Visitor = (node, at, found) => {
  const own = node.child('type_identifier');
  if (own !== null) at.scope.bind(own.text, 'local');
  for (const child of node.children) if (child !== own) found.visit(child, at);
};

/** `x is T` and `asserts x`: the parameter's name is no use of a value. */
const predicate: Visitor = (node, at, found) => {
  for (const child of node.children) if (child.type !== 'identifier') found.visit(child, at);
};

/** A tuple's or index signature's element may be named. */
const indexSignature: Visitor = (node, at, found) => {
  const items = node.parent?.type === 'interface_body' ? annotationOf(node) : null;
  if (items !== null) found.type('[]', items, 'annotation', node, at);
  for (const child of node.children) if (child.type !== 'identifier') found.visit(child, at);
};

/** A property of an object type: its name is no use. */
const property: Visitor = (node, at, found) => {
  for (const child of node.children) if (child.type !== 'property_identifier') found.visit(child, at);
};

/** `Options['timeout']` */
const indexed: Visitor = (node, at, found) => {
  const { first, last } = node;
  const text = first === null ? null : typeText(first);
  if (last?.type === 'literal_type' && text !== null) found.useKey('type', last, { typed: text }, at);
  found.visitChildren(node, at);
};

/** A tuple's named element. */
const element: Visitor = (node, at, found) => {
  for (const child of node.children) if (child.type === 'type_annotation') found.visit(child, at);
};

/** Visitors of type declarations and of types. */
export const typeVisitors: ReadonlyMap<string, Visitor> = new Map([
  ['type_alias_declaration', alias],
  ['type_identifier', name],
  ['nested_type_identifier', nestedName],
  ['type_query', query],
  ['function_type', signature],
  ['constructor_type', signature],
  ['call_signature', signature],
  ['construct_signature', signature],
  ['method_signature', signature],
  ['mapped_type_clause', bindsFirst],
  ['infer_type', bindsFirst],
  ['type_predicate', predicate],
  ['asserts', predicate],
  ['lookup_type', indexed],
  ['index_signature', indexSignature],
  ['property_signature', property],
  ['required_parameter', element],
  ['optional_parameter', element],
]);
