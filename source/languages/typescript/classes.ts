import type { Base, ClassSubkind, Definition } from '../../facts.js';
import { decoratorsOf, decoratorTexts, define, isExported, statementOf, wordsBefore } from './define.js';
import type { Findings, Visitor } from './findings.js';
import { bodyOf, defineFunction } from './functions.js';
import { isFunction, keyOf, unwrapped } from './literals.js';
import { visitObjectAs } from './objects.js';
import { inside, insideBlock, insideUnnamed, type Place } from './place.js';
import { Scope } from './scopes.js';
import { annotationOf, parameterNodes, partsOfParameter } from './signature.js';
import { folded, type SyntaxNode } from './syntax.js';
import { bindTypeParameters, typeOfValue } from './types.js';

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
  const definition = define(found, at, {
    form: 'class',
    subkind,
    name: named.name,
    nameNode: named.nameNode,
    start: named.start,
    end: named.end,
    head: [named.head, body?.start ?? node.end],
    decorators: decoratorTexts(named.decorators),
    is_abstract: node.type === 'abstract_class_declaration',
    exported: named.exported,
    declaration_only: at.ambient && subkind === null,
    bases: basesOf(node, found),
  });
  const within = inside(at, definition, named.name, new Scope(at.scope, 'block'));
  for (const decorator of named.decorators) found.visit(decorator, within);
  walkClass(node, within, found);
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

function walkMembers(body: SyntaxNode, at: Place, found: Findings): void {
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

function defineMethod(node: SyntaxNode, decorators: readonly SyntaxNode[], at: Place, found: Findings): void {
  const nameNode = node.child(...NAMES);
  if (nameNode === null) {
    found.visitChildren(node, at);
    return;
  }
  if (nameNode.type === 'computed_property_name') found.visit(nameNode, at);
  const name = keyOf(nameNode) ?? folded(nameNode.text, 120);
  const words = wordsBefore(found.source, node, nameNode);
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
  for (const decorator of decorators) found.visit(decorator, { ...at, definition });
  if (name === 'constructor') defineParameterProperties(node, at, found);
}

/** Where a member's signature starts: behind its decorators. */
function headAfter(node: SyntaxNode): number {
  return node.children.find((one) => one.type !== 'decorator' && one.start > node.start)?.type ===
    undefined || node.first?.type !== 'decorator'
    ? node.start
    : (node.children.filter((one) => one.type === 'decorator').at(-1)?.end ?? node.start);
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
  const nameNode = node.child(...NAMES);
  if (nameNode === null) {
    found.visitChildren(node, at);
    return;
  }
  if (nameNode.type === 'computed_property_name') found.visit(nameNode, at);
  const name = keyOf(nameNode) ?? folded(nameNode.text, 120);
  const words = wordsBefore(found.source, node, nameNode);
  const { last } = node;
  const value = last === nameNode || last === null || last.type === 'type_annotation' ? null : last;
  const place = { start: decorators[0]?.start ?? node.start, end: node.end };
  const definition = found.definitions.length;
  const held = value === null ? null : unwrapped(value);
  const shared = { ...modifiersOf(node, name, words), decorators: decoratorTexts(decorators) };
  if (held !== null && isFunction(held)) {
    const named = { form: 'method' as const, name, nameNode, ...place, head: headAfter(node) };
    defineFunction(held, named, at, found, shared);
    found.visitMaybe(node.child('type_annotation'), { ...at, definition });
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
      const told = annotationOf(node) === null ? typeOfValue(value) : null;
      if (told?.source === 'return') found.type(`this.${name}`, told.type, 'return', node, at);
      visitObjectAs(value, within, found);
    }
  }
  for (const decorator of decorators) found.visit(decorator, { ...at, definition });
}

/** Whether a value is no part of a signature: it does not fit on the line. */
export function isLong(found: Findings, value: SyntaxNode): boolean {
  return found.source.lineOf(value.start) !== found.source.lineOf(value.end) || value.end - value.start > 120;
}

/** The written bases of a class or interface, without type arguments. */
function basesOf(node: SyntaxNode, found: Findings): Base[] {
  const bases: Base[] = [];
  const add = (base: SyntaxNode, relation: Base['relation']): void => {
    const name = base.type === 'generic_type' ? (base.first ?? base) : base;
    bases.push({ name: folded(name.text, 120), relation, line: found.source.lineOf(base.start) });
  };
  const clauses = (node.child('class_heritage') ?? node).children;
  for (const clause of clauses) {
    if (clause.type === 'implements_clause') for (const base of clause.children) add(base, 'implements');
    else if (clause.type === 'extends_clause' || clause.type === 'extends_type_clause')
      for (const base of clause.children) if (base.type !== 'type_arguments') add(base, 'extends');
  }
  const heritage = node.child('class_heritage');
  // JavaScript's grammar has the expression itself.
  if (heritage?.first && !heritage.first.type.endsWith('_clause')) add(heritage.first, 'extends');
  return bases;
}

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
    if (member !== key && member.last) found.visit(member.last, { ...within, definition: own });
  }
};

/** Visitors of classes, interfaces and enums. */
export const classVisitors: ReadonlyMap<string, Visitor> = new Map([
  ['class_declaration', declaration],
  ['abstract_class_declaration', declaration],
  ['interface_declaration', declaration],
  ['class', visitUnnamed],
  ['enum_declaration', enumeration],
]);
