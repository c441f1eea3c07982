import { wordsBefore } from './define.js';
import type { Findings, Visitor } from './findings.js';
import { defineFunction } from './functions.js';
import { isFunction, keyOf, unwrapped } from './literals.js';
import { type Place, under } from './place.js';
import type { SyntaxNode } from './syntax.js';

/**
 * Object literals: methods and function-valued properties are definitions of form `function` (a method belongs to
 * a class), qualified by the variable, field or property that holds the literal: `handlers.get`.
 */
const object: Visitor = (node, at, found) => {
  // The options of a component, which are walked as its members.
  if (found.defined.has(node)) return;
  const given = { context: node };
  for (const member of node.children) {
    const key = member.type === 'shorthand_property_identifier' ? member : member.child(...KEYS);
    if (key !== null) found.useKey('write', key, given, at);
    if (member.type === 'method_definition') defineMember(member, member, at, found);
    else if (member.type === 'pair' && member.last !== null && key !== null && member.last !== key) {
      const value = unwrapped(member.last);
      const name = keyOf(key);
      if (name !== null && isFunction(value)) defineMember(member, value, at, found);
      else {
        if (key.type === 'computed_property_name') found.visit(key, at);
        visitObjectAs(member.last, name === null ? at : under(at, `${at.path}${name}.`), found, at);
      }
    } else found.visit(member, at);
  }
};

const KEYS = ['property_identifier', 'string', 'computed_property_name'] as const;

/**
 * Visits the value of a name: the members of an object literal are qualified by `at.path`, everything else is
 * visited as at `otherwise`.
 */
export function visitObjectAs(value: SyntaxNode, at: Place, found: Findings, otherwise: Place = at): void {
  const held = unwrapped(value);
  if (held.type !== 'object') {
    found.visit(value, otherwise);
    return;
  }
  found.visit(held, at);
  // `{…} as Shape`: what stands beside the literal.
  for (let one = value; one !== held; ) {
    const inner = one.type === 'type_assertion' ? one.last : one.first;
    for (const child of one.children) if (child !== inner) found.visit(child, otherwise);
    if (inner === null) break;
    one = inner;
  }
}

/** Defines a member that is a function: a property of a literal, or a method of what the literal describes. */
export function defineMember(
  member: SyntaxNode,
  value: SyntaxNode,
  at: Place,
  found: Findings,
  form: 'function' | 'method' = 'function',
): void {
  const key = member.child(
    'property_identifier',
    'private_property_identifier',
    'string',
    'number',
    'computed_property_name',
  );
  if (key === null) {
    found.visitChildren(member, at);
    return;
  }
  if (key.type === 'computed_property_name') found.visit(key, at);
  const words = wordsBefore(found.source, member, key);
  const method = member === value ? { is_async: words.has('async'), is_generator: words.has('*') } : {};
  const more = { ...method, is_property: form === 'function' };
  const named = { form, name: keyOf(key) ?? key.text, nameNode: key };
  const span = { start: member.start, end: member.end, head: member.start };
  defineFunction(value, { ...named, ...span }, at, found, more);
}

/** Visitors of object literals. */
export const objectVisitors: ReadonlyMap<string, Visitor> = new Map([['object', object]]);
