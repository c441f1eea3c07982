import type { Definition } from '../../facts.js';
import { decoratorTexts, define, isLong, wordsBefore } from './define.js';
import type { Findings } from './findings.js';
import { flowTo } from './flows.js';
import { bodyOf, defineFunction } from './functions.js';
import { isFunction, keyOf, unwrapped } from './literals.js';
import { visitObjectAs } from './objects.js';
import { inside, insideUnnamed, type Place, partOf } from './place.js';
import { Scope } from './scopes.js';
import { annotationOf, parameterNodes, partsOfParameter } from './signature.js';
import { folded, type SyntaxNode } from './syntax.js';
import { typeOfValue } from './types.js';

/** Defines the members of a class or interface body and walks what is in them. */
export function walkMembers(body: SyntaxNode, at: Place, found: Findings): void {
  let decorators: SyntaxNode[] = [];
  for (const member of body.children) {
    if (member.type === 'decorator') {
      decorators.push(member);
      continue;
    }
    const own = [...decorators, ...member.children.filter((one) => one.type === 'decorator')];
    decorators = [];
    if (METHODS.has(member.type)) defineMethod(member, own, at, found);
    else if (FIELDS.has(member.type)) defineField(member, own, at, found);
    else if (member.type === 'class_static_block') {
      const block = bodyOf(member) ?? member;
      found.visitChildren(block, insideUnnamed(at, block, new Scope(at.scope, 'function')));
    } else found.visit(member, at);
  }
}

const METHODS = new Set(['method_definition', 'method_signature', 'abstract_method_signature']);
const FIELDS = new Set(['public_field_definition', 'field_definition', 'property_signature']);
const NAMES = [
  'property_identifier',
  'private_property_identifier',
  'string',
  'number',
  'computed_property_name',
] as const;

type Modifiers = Pick<Definition, 'is_static' | 'visibility'>;

function modifiersOf(node: SyntaxNode, name: string, words: ReadonlySet<string>): Modifiers {
  const written = node.child('accessibility_modifier')?.text;
  const hidden = written === 'private' || name.startsWith('#');
  return {
    is_static: words.has('static'),
    visibility: hidden ? 'private' : written === 'protected' ? 'protected' : 'public',
  };
}

/** A member's name and the words before it; null, its children visited, for one without a name. */
function memberName(node: SyntaxNode, at: Place, found: Findings) {
  const nameNode = node.child(...NAMES);
  if (nameNode === null) {
    found.visitChildren(node, at);
    return null;
  }
  if (nameNode.type === 'computed_property_name') found.visit(nameNode, at);
  const name = keyOf(nameNode) ?? folded(nameNode.text, 120);
  return { nameNode, name, words: wordsBefore(found.source, node, nameNode) };
}

function defineMethod(node: SyntaxNode, decorators: readonly SyntaxNode[], at: Place, found: Findings): void {
  const named = memberName(node, at, found);
  if (named === null) return;
  const { nameNode, name, words } = named;
  const definition = found.definitions.length;
  defineFunction(
    node,
    {
      form: 'method',
      name,
      nameNode,
      start: decorators[0]?.start ?? node.start,
      end: node.end,
      head: headAfter(node),
    },
    at,
    found,
    {
      ...modifiersOf(node, name, words),
      is_async: words.has('async'),
      is_generator: words.has('*'),
      is_abstract: node.type === 'abstract_method_signature' || words.has('abstract'),
      decorators: decoratorTexts(decorators),
    },
  );
  for (const decorator of decorators) found.visit(decorator, partOf(at, definition));
  if (name === 'constructor') defineParameterProperties(node, at, found);
}

/** Where a member's signature starts: behind its decorators. */
function headAfter(node: SyntaxNode): number {
  return node.children.findLast((one) => one.type === 'decorator')?.end ?? node.start;
}

/** `constructor(private readonly db: Database)` declares a field. */
function defineParameterProperties(node: SyntaxNode, at: Place, found: Findings): void {
  for (const parameter of parameterNodes(node)) {
    const { pattern, value } = partsOfParameter(parameter);
    const words = wordsBefore(found.source, parameter, pattern);
    const isField =
      parameter.child('accessibility_modifier', 'override_modifier') !== null || words.has('readonly');
    if (!isField || pattern.type !== 'identifier') continue;
    const name = pattern.text;
    define(found, at, {
      form: 'variable',
      name,
      nameNode: pattern,
      start: parameter.start,
      end: parameter.end,
      head: [parameter.start, parameter.end],
      ...modifiersOf(parameter, name, words),
      docstring: null,
      value_type: annotationOf(parameter) ?? constructed(value),
      scope: 'class',
      is_constant: words.has('readonly'),
    });
  }
}

function constructed(value: SyntaxNode | null): string | null {
  const told = value === null ? null : typeOfValue(value);
  return told === null || told.source === 'return' ? null : told.type;
}

function defineField(node: SyntaxNode, decorators: readonly SyntaxNode[], at: Place, found: Findings): void {
  const named = memberName(node, at, found);
  if (named === null) return;
  const { nameNode, name, words } = named;
  const { last } = node;
  const value = last === nameNode || last === null || last.type === 'type_annotation' ? null : last;
  const place = { start: decorators[0]?.start ?? node.start, end: node.end };
  const definition = found.definitions.length;
  const held = value === null ? null : unwrapped(value);
  const shared = { ...modifiersOf(node, name, words), decorators: decoratorTexts(decorators) };
  if (held !== null && isFunction(held)) {
    const named = { form: 'method' as const, name, nameNode, ...place, head: headAfter(node) };
    defineFunction(held, named, at, found, shared);
    found.visitMaybe(node.child('type_annotation'), partOf(at, definition));
  } else {
    const type = node.child('type_annotation');
    define(found, at, {
      form: 'variable',
      name,
      nameNode,
      ...place,
      head: [headAfter(node), value === null || isLong(found, value) ? (type ?? nameNode).end : node.end],
      ...shared,
      is_abstract: words.has('abstract'),
      declaration_only: at.ambient || node.type === 'property_signature' || words.has('declare'),
      value_type: annotationOf(node) ?? constructed(value),
      scope: 'class',
      is_constant: words.has('readonly'),
    });
    const within = inside(at, definition, name, at.scope);
    found.visitMaybe(type, within);
    if (value !== null) {
      if (annotationOf(node) === null) flowTo(`this.${name}`, { node: value }, node, at, found);
      visitObjectAs(value, within, found);
    }
  }
  for (const decorator of decorators) found.visit(decorator, partOf(at, definition));
}
