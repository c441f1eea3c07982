import type { Base } from '../../facts.js';
import { define } from './define.js';
import type { Findings } from './findings.js';
import { calleeOf, isFunction, keyOf, stringOf, unwrapped } from './literals.js';
import { defineMember, visitObjectAs } from './objects.js';
import { inside, type Place, under } from './place.js';
import { Scope } from './scopes.js';
import type { SyntaxNode } from './syntax.js';

/*
 * Components that an object of options describes, as Vue's do. To the graph such an object is a class: its methods and
 * computed properties are methods, its props and data are fields, and `this` in them is an instance.
 */

/** The options that a call makes a component of: `defineComponent({…})`, `Vue.extend({…})`; null for anything else. */
export function optionsOf(value: SyntaxNode): SyntaxNode | null {
  if (value.type !== 'call_expression') return null;
  const callee = calleeOf(value)?.text ?? '';
  if (!MAKERS.test(callee)) return null;
  const given = value.last?.type === 'arguments' ? value.last.first : null;
  const held = given === null ? null : unwrapped(given);
  return held?.type === 'object' ? held : null;
}

const MAKERS = /^(?:(?:Vue\.)?defineComponent|defineNuxtComponent|Vue\.extend)$/;

/** What a component says its name is; null when it says nothing. */
export function nameOption(options: SyntaxNode): string | null {
  const name = stringOf(optionValue(options, 'name'));
  return name === null || name === '' ? null : name;
}

/** The components that options register, by the name of the element: what the name in the file is. */
export function registered(options: SyntaxNode): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const list = optionValue(options, 'components');
  for (const member of list?.type === 'object' ? list.children : []) {
    if (member.type === 'shorthand_property_identifier') found.set(member.text, member.text);
    const key = member.type === 'pair' ? keyOf(member.first) : null;
    const value = member.last === null ? null : unwrapped(member.last);
    if (key !== null && value?.type === 'identifier') found.set(key, value.text);
  }
  return found;
}

/** How a component came by its name. */
export interface NamedOptions {
  name: string;
  nameNode: SyntaxNode;
  start: number;
  end: number;
  head: number;
  exported: boolean;
  is_property?: boolean;
}

/** Defines a component by its options and walks them; the number of its definition. */
export function defineOptions(options: SyntaxNode, named: NamedOptions, at: Place, found: Findings): number {
  const { name, head, ...rest } = named;
  const definition = define(found, at, {
    form: 'class',
    ...rest,
    name,
    head: [head, options.start],
    bases: basesOf(options, found),
    is_component: true,
  });
  found.defined.set(options, definition);
  const within = inside(at, definition, name, new Scope(at.scope, 'block'));
  for (const member of options.children) walkOption(member, within, found);
  return definition;
}

function walkOption(member: SyntaxNode, at: Place, found: Findings): void {
  const key = member.first;
  const name = keyOf(key);
  if (member.type === 'method_definition') {
    defineMember(member, member, at, found, 'method');
    if (name === 'data') defineFields(givenBy(member), at, found);
    return;
  }
  const { last } = member;
  if (member.type !== 'pair' || name === null || last === null || last === key) {
    found.visit(member, at);
    return;
  }
  const value = unwrapped(last);
  if (isFunction(value)) {
    defineMember(member, value, at, found, 'method');
    if (name === 'data') defineFields(givenBy(value), at, found);
    return;
  }
  if (MEMBERS.has(name) && value.type === 'object') {
    for (const one of value.children) walkMember(one, name, at, found);
    return;
  }
  if (name === 'props') defineFields(value, at, found);
  visitObjectAs(last, under(at, `${at.path}${name}.`), found, at);
}

const MEMBERS: ReadonlySet<string> = new Set(['methods', 'computed']);

function walkMember(member: SyntaxNode, group: string, at: Place, found: Findings): void {
  const value = member.type === 'pair' && member.last !== null ? unwrapped(member.last) : null;
  const name = keyOf(member.first);
  if (member.type === 'method_definition') defineMember(member, member, at, found, 'method');
  else if (value !== null && isFunction(value)) defineMember(member, value, at, found, 'method');
  else if (value !== null && name !== null) {
    // `total: { get() {…}, set() {…} }`, `save: debounce(function () {…})`
    defineField(member, at, found);
    visitObjectAs(value, under(at, `${at.path}${group}.${name}.`), found, at);
  } else found.visit(member, at);
}

/** The keys of an object, or the texts of a list, as fields. */
function defineFields(value: SyntaxNode | null, at: Place, found: Findings): void {
  if (value?.type === 'array') for (const one of value.children) defineField(one, at, found);
  else if (value?.type === 'object') for (const member of value.children) defineField(member, at, found);
}

function defineField(member: SyntaxNode, at: Place, found: Findings): void {
  const key = member.type === 'pair' || member.type === 'method_definition' ? member.first : member;
  const name = member.type === 'spread_element' ? null : (stringOf(key) ?? keyOf(key) ?? shorthandOf(member));
  if (key === null || name === null || name === '') return;
  const { start, end } = member;
  const head: [number, number] = [start, key.end];
  define(found, at, {
    form: 'variable',
    name,
    nameNode: key,
    start,
    end,
    head,
    docstring: null,
    scope: 'class',
  });
}

function shorthandOf(member: SyntaxNode): string | null {
  return member.type === 'shorthand_property_identifier' ? member.text : null;
}

/** The object that a function like `data` gives; null when it gives none that is written there. */
function givenBy(node: SyntaxNode): SyntaxNode | null {
  const body = node.last;
  if (body === null) return null;
  const given =
    body.type === 'statement_block'
      ? body.children.find(({ type }) => type === 'return_statement')?.first
      : body;
  const held = given ? unwrapped(given) : null;
  return held?.type === 'object' ? held : null;
}

/** `extends: Base` is what a class would extend. */
function basesOf(options: SyntaxNode, found: Findings): Base[] {
  const value = optionValue(options, 'extends');
  if (value?.type !== 'identifier') return [];
  return [{ name: value.text, relation: 'extends', line: found.source.line(value.start) }];
}

function optionValue(options: SyntaxNode, key: string): SyntaxNode | null {
  const pair = options.children.find((one) => one.type === 'pair' && keyOf(one.first) === key);
  return pair?.last ? unwrapped(pair.last) : null;
}
