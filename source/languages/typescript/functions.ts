import type { DefinitionForm } from '../../facts.js';
import { isComponentFunction } from './components.js';
import { type DefinitionParts, define, isExported, statementOf, wordsBefore } from './define.js';
import type { Findings, Visitor } from './findings.js';
import { flowTo, type Given, returned, takenFrom } from './flows.js';
import { namesOf, readKeys } from './patterns.js';
import { inside, insideScope, insideUnnamed, ownedBy, type Place } from './place.js';
import { knowing, Scope } from './scopes.js';
import { annotationOf, parametersOf, partsOfParameter } from './signature.js';
import type { SyntaxNode } from './syntax.js';
import { bindTypeParameters, typeParametersOf } from './types.js';

/** The body of a function-like node; null for signatures. */
export function bodyOf(node: SyntaxNode): SyntaxNode | null {
  const { last } = node;
  if (last === null) return null;
  return node.type === 'arrow_function' || last.type === 'statement_block' ? last : null;
}

/** How a function value came by its name. */
export interface NamedFunction {
  form: DefinitionForm;
  name: string;
  nameNode: SyntaxNode;
  /** What the definition spans. */
  start: number;
  end: number;
  /** Where its signature starts. */
  head: number;
}

/** Defines a function-like node under a name and walks what is in it. */
export function defineFunction(
  node: SyntaxNode,
  named: NamedFunction,
  at: Place,
  found: Findings,
  more: Partial<DefinitionParts> = {},
): void {
  const body = bodyOf(node);
  const anchor = node.child('formal_parameters', 'identifier') ?? node;
  const words = wordsBefore(found.source, node, anchor);
  const own = VALUES.has(node.type) ? (node.child('identifier')?.text ?? '') : '';
  const definition = define(found, at, {
    form: named.form,
    name: named.name,
    nameNode: named.nameNode,
    start: named.start,
    end: named.end,
    head: [named.head, body === null ? named.end : body.start],
    is_async: words.has('async'),
    is_generator: node.type.startsWith('generator_') || words.has('*'),
    declaration_only: body === null || at.ambient,
    parameters: parametersOf(node),
    return_type: annotationOf(node),
    type_parameters: typeParametersOf(node),
    own_name: own === '' ? undefined : own,
    is_component: named.form === 'function' && body !== null && isComponentFunction(named.name, node, found),
    ...more,
  });
  found.defined.set(node, definition);
  walkFunction(
    node,
    inside(at, definition, named.name, new Scope(knowing(at.scope, own), 'function')),
    found,
  );
}

const VALUES = new Set(['function_expression', 'generator_function']);

/** Binds the parameters of a function-like node in the place's own scope and walks its parts. */
export function walkFunction(node: SyntaxNode, at: Place, found: Findings): void {
  const within = ownedBy(at, node);
  const body = bodyOf(node);
  const single = node.type === 'arrow_function' ? node.first : null;
  for (const child of node.children) {
    if (child === body) {
      if (child.type === 'statement_block') found.visitChildren(child, within);
      else {
        returned(child, within, found);
        found.visit(child, within);
      }
    } else if (child.type === 'formal_parameters')
      child.children.forEach((parameter, index) => {
        walkParameter(parameter, body === null ? null : { node, index }, within, found);
      });
    else if (child.type === 'type_parameters') bindTypeParameters(child, within, found);
    else if (child === single && child.type === 'identifier') {
      at.scope.bind(child.text, 'local');
      flowTo(child.text, { function: node, parameter: 0 }, child, within, found);
    } else if (!NAMES.has(child.type)) found.visit(child, within);
  }
}

const NAMES = new Set([
  'identifier',
  'property_identifier',
  'private_property_identifier',
  'string',
  'number',
  'accessibility_modifier',
  'override_modifier',
  'decorator',
]);

function walkParameter(
  node: SyntaxNode,
  of: { node: SyntaxNode; index: number } | null,
  at: Place,
  found: Findings,
): void {
  const { pattern, value } = partsOfParameter(node);
  const type = annotationOf(node);
  const names = namesOf(pattern, at, found);
  for (const { name } of names) at.scope.bind(name, 'local');
  // The parameters of a signature without a body are nobody's receivers.
  const plain = of !== null && pattern.type === 'identifier' ? names[0]?.name : undefined;
  if (plain !== undefined && type !== null) found.type(plain, type, 'parameter', node, at);
  else if (of !== null) {
    const { index } = of;
    const given: Given =
      type !== null
        ? { typed: type }
        : value !== null
          ? { node: value }
          : { function: of.node, parameter: index };
    for (const { name, way } of names) flowTo(name, way && takenFrom(given, way), node, at, found);
    readKeys(pattern, given, at, found);
  }
  for (const child of node.children)
    if (child.type === 'type_annotation' || child.type === 'decorator') found.visit(child, at);
  if (value !== null) found.visit(value, at);
}

/** `function f() {}`, `function* g() {}`, `function f(): void;` */
const declaration: Visitor = (node, at, found) => {
  const nameNode = node.child('identifier');
  if (nameNode === null) return visitFunctionValue(node, at, found);
  const name = nameNode.text;
  const whole = statementOf(node);
  at.scope.declare(name, true);
  defineFunction(
    node,
    { form: 'function', name, nameNode, start: whole.start, end: whole.end, head: node.start },
    at,
    found,
    { exported: isExported(node) },
  );
};

/** A function value that nothing names but, at best, itself. */
export const visitFunctionValue: Visitor = (node, at, found) => {
  // Defined before, under the name of what it is wrapped in.
  if (found.defined.has(node)) return;
  const scope = new Scope(at.scope, 'function');
  const own = node.type === 'arrow_function' ? null : node.child('identifier');
  if (own !== null && own.text !== '') {
    // Its name is known inside of it only.
    scope.bind(own.text, 'definition');
    const named = { form: 'function' as const, name: own.text, nameNode: own };
    const place = insideScope(at, scope, node);
    return defineFunction(
      node,
      { ...named, start: node.start, end: node.end, head: node.start },
      place,
      found,
    );
  }
  walkFunction(node, insideUnnamed(at, bodyOf(node) ?? node, scope), found);
};

/** Visitors of function declarations and values. */
export const functionVisitors: ReadonlyMap<string, Visitor> = new Map([
  ['function_declaration', declaration],
  ['generator_function_declaration', declaration],
  ['function_signature', declaration],
  ['arrow_function', visitFunctionValue],
  ['function_expression', visitFunctionValue],
  ['generator_function', visitFunctionValue],
]);
