import type { ReferenceKind } from '../../facts.js';
import type { Findings, Visitor } from './findings.js';
import { bindDynamic, importedBy } from './imports.js';
import { calleeOf, isFunction, unwrapped } from './literals.js';
import { visitValue } from './names.js';
import type { Place } from './place.js';
import type { SyntaxNode } from './syntax.js';
import { suiteAt } from './test-calls.js';

const call: Visitor = (node, at, found) => {
  const callee = calleeOf(node);
  const { last } = node;
  if (callee === null || last === null) return;
  if (importedBy(node) !== null) return bindDynamic(node, at, found);
  visitCallee('call', callee, node, countOf(last), at, found);
  found.visitMaybe(node.child('type_arguments'), at);
  visitArguments(last, suiteAt(node, callee, last, at, found), found);
};

const construction: Visitor = (node, at, found) => {
  const callee = node.first;
  if (callee === null) return;
  const list = node.child('arguments');
  visitCallee('new', callee, node, list === null ? 0 : countOf(list), at, found);
  found.visitMaybe(node.child('type_arguments'), at);
  if (list !== null) visitArguments(list, at, found);
};

/** The reference that a callee is, and what stands in its receiver. */
function visitCallee(
  kind: ReferenceKind,
  callee: SyntaxNode,
  node: SyntaxNode,
  count: number | null,
  at: Place,
  found: Findings,
): void {
  const target = unwrapped(callee);
  const isNamed =
    CALLED.has(target.type) || (target.type === 'subscript_expression' && target.last?.type === 'string');
  if (isNamed) found.use(kind, target, node, at, count);
  // What a function that is called on the spot does is its surroundings' own.
  else if (kind === 'decorator' || isFunction(target) || target.type === 'class') found.visit(callee, at);
  else found.useComputed(kind, target, node, at, count);
}

const CALLED = new Set(['identifier', 'member_expression', 'super']);

/** How many arguments there are; null when a spread or a tagged template leaves it open. */
function countOf(list: SyntaxNode): number | null {
  if (list.type !== 'arguments') return null;
  const { children } = list;
  return children.some((one) => one.type === 'spread_element') ? null : children.length;
}

function visitArguments(list: SyntaxNode, at: Place, found: Findings): void {
  if (list.type !== 'arguments') {
    found.visit(list, at);
    return;
  }
  for (const argument of list.children) visitValue('pass', argument, at, found);
}

const decorator: Visitor = (node, at, found) => {
  const expression = node.first;
  if (expression === null) return;
  const list = expression.type === 'call_expression' ? expression.last : null;
  const callee = list === null ? expression : (expression.first ?? expression);
  visitCallee('decorator', callee, expression, list === null ? null : countOf(list), at, found);
  if (list !== null) visitArguments(list, at, found);
};

/** `<Name …>`, `<ns.Name …/>`: elements in lower case are the platform's. */
const element: Visitor = (node, at, found) => {
  const name = node.first;
  if (name === null) return;
  if (name.type === 'identifier') {
    if (/^[^a-z]/.test(name.text)) found.use('jsx', name, node, at);
  } else if (name.type === 'member_expression') found.use('jsx', name, node, at);
  const given = { context: name };
  for (const child of node.children) {
    if (child.type === 'jsx_attribute' && child.first !== null) found.useKey('write', child.first, given, at);
    if (child !== name) found.visit(child, at);
  }
};

/** An attribute hands its value over as an argument does. */
const attribute: Visitor = (node, at, found) => {
  const { first, last } = node;
  if (last === null || last === first) return;
  const value = last.type === 'jsx_expression' ? last.first : last;
  if (value !== null) visitValue('pass', value, at, found);
};

/** `</Name>`: no second element, but a place where the name stands. */
const closing: Visitor = (node, at, found) => {
  const name = node.first;
  const opening = node.parent?.first ?? node;
  if (name === null || found.source.line(opening.start) === found.source.line(node.start)) return;
  if (name.type === 'member_expression' || (name.type === 'identifier' && /^[^a-z]/.test(name.text)))
    found.use('read', name, name, at);
};

/** Visitors of calls, constructions, decorators and JSX elements. */
export const callVisitors: ReadonlyMap<string, Visitor> = new Map([
  ['call_expression', call],
  ['new_expression', construction],
  ['decorator', decorator],
  ['jsx_opening_element', element],
  ['jsx_self_closing_element', element],
  ['jsx_attribute', attribute],
  ['jsx_closing_element', closing],
]);
