import type { ReferenceKind } from '../../facts.js';
import { visitCommonJsExport } from './commonjs.js';
import type { Findings, Visitor } from './findings.js';
import { flowTo } from './flows.js';
import { defineFunction } from './functions.js';
import { isFunction, unwrapped } from './literals.js';
import { DEEPEST_PATTERN } from './patterns.js';
import { type Place, under } from './place.js';
import { memberOf } from './receivers.js';
import type { SyntaxNode } from './syntax.js';

/** A name or member used as a value; anything else is visited as what it is. */
export function visitValue(kind: ReferenceKind, node: SyntaxNode, at: Place, found: Findings): void {
  let value = node;
  while (value.type === 'non_null_expression' && value.first !== null) value = value.first;
  if (USED.has(value.type)) found.use(kind, value, value, at);
  else found.visit(value, at);
}

const USED = new Set(['identifier', 'shorthand_property_identifier_pattern', 'member_expression']);

/** Names and members that an assignment's left side writes to. */
function visitTarget(node: SyntaxNode, at: Place, found: Findings, depth = 0): void {
  if (depth > DEEPEST_PATTERN) return;
  switch (node.type) {
    case 'object_pattern':
    case 'array_pattern':
    case 'rest_pattern':
      for (const child of node.children) visitTarget(child, at, found, depth + 1);
      return;
    case 'pair_pattern':
      if (node.last !== null) visitTarget(node.last, at, found, depth + 1);
      return;
    case 'assignment_pattern':
    case 'object_assignment_pattern':
      if (node.first !== null) visitTarget(node.first, at, found, depth + 1);
      if (node.last !== null && node.last !== node.first) found.visit(node.last, at);
      return;
    default:
      visitValue('write', node, at, found);
  }
}

const assignment: Visitor = (node, at, found) => {
  const target = node.first;
  const value = node.last;
  if (target === null || value === null || target === value) return found.visitChildren(node, at);
  if (target.type === 'identifier' && target.text === 'exports' && isModuleExports(value))
    return found.visit(value, at);
  if (visitCommonJsExport(node, target, value, at, found)) return;
  visitTarget(target, at, found);
  const held = unwrapped(value);
  if (target.type === 'member_expression' && isFunction(held)) {
    defineAssigned(node, target, held, at, found);
    return;
  }
  if (target.type === 'identifier') flowTo(target.text, { node: value }, node, at, found);
  else if (target.type === 'member_expression' && target.first?.type === 'this' && target.last !== null)
    flowTo(`this.${target.last.text}`, { node: value }, target, at, found);
  else if (at.definition === null && at.block === null && PLAIN_MEMBER.test(target.text))
    flowTo(target.text, { node: value }, node, at, found);
  found.visit(value, at);
};

/** `Menu.Item = MenuItem`: what is hung on something that has a name. */
const PLAIN_MEMBER = /^(?!this\.|module\.|exports\.)[\p{ID_Continue}$]+\.[\p{ID_Continue}$]+$/u;

/** `exports = module.exports = value` */
function isModuleExports(value: SyntaxNode): boolean {
  return value.type === 'assignment_expression' && /^module\.exports\s*=/.test(value.text.slice(0, 40));
}

/** `socket.onopen = () => {}`: a function that has its name from the property it is assigned to. */
function defineAssigned(
  node: SyntaxNode,
  target: SyntaxNode,
  value: SyntaxNode,
  at: Place,
  found: Findings,
): void {
  const { name, receiver } = memberOf(target);
  const prefix = receiver.form === 'path' ? `${receiver.text}.` : '';
  const nameNode = target.last ?? target;
  const span = { start: node.start, end: node.end, head: node.start };
  defineFunction(value, { form: 'function', name, nameNode, ...span }, under(at, at.path + prefix), found, {
    is_property: true,
  });
}

const change: Visitor = (node, at, found) => {
  const target = node.first;
  if (target) visitTarget(target, at, found);
  for (const child of node.children) if (child !== target) found.visit(child, at);
};

/** `this.items ??= []`, `cache ||= new Map()`: the value stays when there is one. */
const augmented: Visitor = (node, at, found) => {
  const target = node.first;
  const value = node.last;
  if (
    target !== null &&
    value !== null &&
    /^\s*(?:\?\?|\|\|)=/.test(found.source.text.slice(target.end, value.start))
  ) {
    const held = unwrapped(value);
    if (target.type === 'member_expression' && isFunction(held)) {
      visitTarget(target, at, found);
      return defineAssigned(node, target, held, at, found);
    }
    const name = target.text;
    if (/^(?:this\.)?#?[\p{ID_Continue}$]+$/u.test(name)) flowTo(name, { node: value }, node, at, found);
  }
  change(node, at, found);
};

const read: Visitor = (node, at, found) => visitValue('read', node, at, found);
const shorthand: Visitor = (node, at, found) => found.use('read', node, node, at);
const skip: Visitor = () => undefined;

/** Visitors of names, members and assignments. */
export const nameVisitors: ReadonlyMap<string, Visitor> = new Map([
  ['identifier', read],
  ['member_expression', read],
  ['shorthand_property_identifier', shorthand],
  ['shorthand_property_identifier_pattern', shorthand],
  ['assignment_expression', assignment],
  ['augmented_assignment_expression', augmented],
  ['update_expression', change],
  ['statement_identifier', skip],
  ['property_identifier', skip],
]);
