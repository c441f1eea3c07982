import { defineClass, promisedBy } from './classes.js';
import { isComponentName, isComponentValue, wrappedComponent } from './components.js';
import { type DefinitionParts, define, endOf, isExported, isLong, statementOf } from './define.js';
import type { Findings, Visitor } from './findings.js';
import { flowTo, type Given, takenFrom } from './flows.js';
import { defineFunction } from './functions.js';
import { bindRequired } from './imports.js';
import { isFunction, unwrapped } from './literals.js';
import { visitObjectAs } from './objects.js';
import { defineOptions, optionsOf } from './options.js';
import { namesOf, readKeys } from './patterns.js';
import { inside, insideScope, type Place, partOf, under } from './place.js';
import { annotationOf } from './signature.js';
import type { SyntaxNode } from './syntax.js';
import { typeOfValue } from './types.js';

/** Where a declarator stands and what was written before it. */
interface Declared {
  node: SyntaxNode;
  keyword: string;
  start: number;
  end: number;
  head: number;
  prefix: string;
  exported: boolean;
  /** The declaring place: of the function for `var`, of the block for others. */
  at: Place;
}

/** `const a = 1`, `let b`, `var c, d`, `using e = f()` */
const declaration: Visitor = (node, at, found) => {
  const declarators = node.children.filter((one) => one.type === 'variable_declarator');
  const whole = statementOf(node);
  const keyword = /^(?:await\s+(?=using))?(\w+)/.exec(node.text.slice(0, 40))?.[1] ?? 'var';
  const isVar = keyword === 'var';
  const declaring = isVar ? insideScope(at, at.scope.varScope, at.functionBlock) : at;
  for (const one of declarators) {
    const alone = declarators.length === 1;
    visitDeclarator(
      {
        node: one,
        keyword,
        start: alone ? whole.start : one.start,
        end: alone ? endOf(found.source, whole) : one.end,
        head: alone ? node.start : one.start,
        prefix: alone ? '' : `${keyword} `,
        exported: isExported(node),
        at: declaring,
      },
      at,
      found,
    );
  }
  for (const child of node.children) if (child.type === 'ERROR') found.visit(child, at);
};

function visitDeclarator(declared: Declared, at: Place, found: Findings): void {
  const { node } = declared;
  const target = node.first;
  if (target === null) return;
  const annotation = node.child('type_annotation');
  const { last } = node;
  const value = last === null || last === target || last === annotation ? null : last;
  if (value !== null && bindRequired(target, value, declared.at, found)) return;
  if (target.type !== 'identifier') {
    visitPattern(declared, target, value, at, found);
    return;
  }
  const held = value === null ? null : unwrapped(value);
  const name = target.text;
  const { start, end, head, exported } = declared;
  const definition = found.definitions.length;
  if (held !== null && isFunction(held)) {
    declared.at.scope.declare(name, true);
    const named = { form: 'function' as const, name, nameNode: target, start, end, head };
    defineFunction(held, named, declared.at, found, { exported, ...headed(declared) });
    found.visitMaybe(annotation, partOf(at, definition));
    if (value !== held) found.visitMaybe(value, partOf(at, definition));
    return;
  }
  const options = held === null ? null : optionsOf(held);
  if (value !== null && options !== null) {
    declared.at.scope.declare(name, true);
    const named = { name, nameNode: target, start, end, head, exported };
    defineOptions(options, named, declared.at, found);
    found.visitMaybe(annotation, partOf(at, definition));
    found.visit(value, partOf(at, definition));
    return;
  }
  const wrapped = held === null ? null : wrappedComponent(held, at, found);
  if (value !== null && wrapped !== null && isFunction(wrapped)) {
    declared.at.scope.declare(name, true);
    const named = { form: 'function' as const, name, nameNode: target, start, end, head };
    const more = { exported, is_component: isComponentName(name), ...headed(declared) };
    defineFunction(wrapped, named, declared.at, found, more);
    found.visitMaybe(annotation, partOf(at, definition));
    found.visit(value, partOf(at, definition));
    return;
  }
  if (held?.type === 'class') {
    declared.at.scope.declare(name, true);
    const named = { name, nameNode: target, start, end, head, exported, decorators: [] };
    defineClass(held, named, declared.at, found);
    return;
  }
  declared.at.scope.declare(name, false);
  tellType(declared, name, value, at, found);
  if (declared.at.scope.isModule) {
    defineVariable(declared, target, value, name, found);
    const within = inside(at, definition, name, at.scope);
    found.visitMaybe(annotation, within);
    if (value !== null) visitObjectAs(value, within, found);
    return;
  }
  found.visitMaybe(annotation, at);
  if (value !== null) visitObjectAs(value, under(at, `${at.path}${name}.`), found, at);
}

function headed({ prefix }: Declared): { headPrefix?: string } {
  return prefix === '' ? {} : { headPrefix: prefix };
}

/** Annotations and constructions of module variables are in their definition; other types are facts. */
function tellType(
  declared: Declared,
  name: string,
  value: SyntaxNode | null,
  at: Place,
  found: Findings,
): void {
  const annotation = annotationOf(declared.node);
  const isDefinition = declared.at.scope.isModule;
  const place = insideScope(at, at.scope, declared.at.block);
  if (annotation !== null) {
    if (!isDefinition) found.type(name, annotation, 'annotation', declared.node, place);
  } else if (value !== null) flowTo(name, { node: value }, declared.node, place, found);
}

function defineVariable(
  declared: Declared,
  nameNode: SyntaxNode,
  value: SyntaxNode | null,
  name: string,
  found: Findings,
  more: Partial<DefinitionParts> = {},
): number {
  const { node, start, end, head, exported, at } = declared;
  const told = value === null || nameNode.parent !== node ? null : typeOfValue(value);
  const annotation = nameNode.parent === node ? annotationOf(node) : null;
  const beforeValue = (node.child('type_annotation') ?? node.first ?? node).end;
  return define(found, at, {
    form: 'variable',
    name,
    nameNode,
    start,
    end,
    head: [head, value !== null && isLong(found, value) ? beforeValue : node.end],
    ...headed(declared),
    exported,
    value_type: annotation ?? (told === null || told.source === 'return' ? null : told.type),
    scope: 'module',
    bases: value === null || nameNode.parent !== node ? [] : promisedBy(node, value, found),
    is_component: value !== null && isComponentValue(name, unwrapped(value), at, found),
    is_constant: declared.keyword === 'const' || declared.keyword === 'using',
    ...more,
  });
}

/** Of a pattern's names as many keep the comment before it: it may be long, and so may be the pattern. */
const MOST_DOCUMENTED = 64;

function visitPattern(
  declared: Declared,
  target: SyntaxNode,
  value: SyntaxNode | null,
  at: Place,
  found: Findings,
): void {
  const annotation = annotationOf(declared.node);
  const given: Given | null = annotation !== null ? { typed: annotation } : value && { node: value };
  const place = insideScope(at, declared.at.scope, declared.at.block);
  for (const [index, { node, name, way }] of namesOf(target, at, found).entries()) {
    declared.at.scope.declare(name, false);
    const more = index < MOST_DOCUMENTED ? {} : { docstring: null };
    if (given !== null) flowTo(name, way && takenFrom(given, way), declared.node, place, found);
    if (declared.at.scope.isModule) defineVariable(declared, node, value, name, found, more);
  }
  if (given !== null) readKeys(target, given, at, found);
  found.visitMaybe(declared.node.child('type_annotation'), at);
  found.visitMaybe(value, at);
}

/** Visitors of variable declarations. */
export const variableVisitors: ReadonlyMap<string, Visitor> = new Map([
  ['lexical_declaration', declaration],
  ['variable_declaration', declaration],
  ['using_declaration', declaration],
]);
