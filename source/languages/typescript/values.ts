import type { ValueFact } from '../../flow-facts.js';
import { contextOf } from './contexts.js';
import type { Findings } from './findings.js';
import { importedBy } from './imports.js';
import { calleeOf, isFunction, isMisread, keyOf, stringOf, unwrapped } from './literals.js';
import type { Scope } from './scopes.js';
import type { SyntaxNode } from './syntax.js';
import { typeText } from './types.js';

/** The final numbers of what a walk found. */
export interface Numbers {
  /** Of definitions, by their number in {@link Findings}. */
  definitions: readonly number[];
  /** Of the references that calls are. */
  calls: ReadonlyMap<SyntaxNode, number>;
}

/** What values are made from. */
export interface Values {
  found: Findings;
  numbers: Numbers;
  /** Gets the names of locals as they are asked for, each once. */
  asked: { scope: Scope; name: string }[];
}

/** A chain of more links, or a literal of more parts, is not followed. */
const MOST_LINKS = 24;
const MOST_PARTS = 1000;

/**
 * An expression as a value that can be followed, its names looked up in `scope` and asked for; null for what cannot.
 * `viaReferences`: calls are named by the references that they are.
 */
export function valueFact(
  node: SyntaxNode,
  scope: Scope,
  values: Values,
  viaReferences = false,
  links = 0,
): ValueFact | null {
  if (node.type === 'identifier' || node.type === 'shorthand_property_identifier')
    return node.text === 'undefined' ? { literal: null } : named(node.text, scope, values);
  return links > MOST_LINKS ? null : followed(node, scope, values, viaReferences, links);
}

function followed(
  node: SyntaxNode,
  scope: Scope,
  values: Values,
  viaReferences: boolean,
  links: number,
): ValueFact | null {
  const inner = (one: SyntaxNode | null | undefined): ValueFact | null =>
    one ? valueFact(one, scope, values, viaReferences, links + 1) : null;
  const { first, last } = node;
  switch (node.type) {
    case 'this':
    case 'super':
      return node.type;
    case 'parenthesized_expression':
    case 'non_null_expression':
    case 'satisfies_expression':
      return inner(first);
    case 'as_expression':
    case 'type_assertion':
      return asserted(node, inner);
    case 'member_expression':
      return memberOf(inner(first), last?.text);
    case 'subscript_expression':
      return itemOf(inner(first), last);
    case 'await_expression':
      return wrapped(inner(first), (value) => ({ await: value }));
    case 'call_expression':
    case 'new_expression': {
      const loaded = importedBy(node);
      if (loaded !== null) return { module: loaded.module };
      // `!f<T>(x)` is a truth value, whatever the call gives.
      if (node.first?.type === 'unary_expression') return { literal: null };
      const index = viaReferences ? values.numbers.calls.get(node) : undefined;
      const value = index === undefined ? called(node, inner) : { result: index };
      return isAwaited(node) ? wrapped(value, (one) => ({ await: one })) : value;
    }
    case 'ternary_expression':
      return either(node.children.slice(1).map(inner));
    case 'binary_expression':
      return operated(node, inner, values);
    case 'assignment_expression':
    case 'augmented_assignment_expression':
    case 'sequence_expression':
      return inner(last);
    case 'array':
      return node.children.length > MOST_PARTS ? null : listOf(node.children.map(inner));
    case 'object':
      return dictOf(node, inner, values);
    default:
      return EMPTY.has(node.type) ? { literal: null } : definitionOf(node, values);
  }
}

/** What is expected where an expression stands. */
export function contextValue(node: SyntaxNode, scope: Scope, values: Values): ValueFact | null {
  return contextOf(node, (one) => valueFact(one, scope, values, false, 1));
}

function named(name: string, scope: Scope, { asked }: Values): string | null {
  const home = scope.binding(name);
  if (home && !home.isModule && home.need(name)) asked.push({ scope: home, name });
  return name;
}

function wrapped(value: ValueFact | null, wrap: (value: ValueFact) => ValueFact): ValueFact | null {
  return value === null ? null : wrap(value);
}

function memberOf(of: ValueFact | null, member: string | undefined): ValueFact | null {
  if (of === null || member === undefined) return null;
  return typeof of === 'string' ? `${of}.${member}` : { of, member };
}

function itemOf(of: ValueFact | null, key: SyntaxNode | null): ValueFact | null {
  if (of === null || key === null) return null;
  const name = stringOf(key);
  if (name !== null) return memberOf(of, name);
  return { of, key: key.type === 'number' ? { literal: Number(key.text) } : null };
}

function asserted(node: SyntaxNode, inner: (one: SyntaxNode | null) => ValueFact | null): ValueFact | null {
  const isPrefix = node.type === 'type_assertion';
  const type = isPrefix ? node.first : node.last;
  // `as const` has no node for its type.
  if (type === null || (!isPrefix && node.children.length < 2)) return inner(node.first);
  const text = typeText(isPrefix ? (type.first ?? type) : type);
  return text === null ? null : { typed: text };
}

function called(node: SyntaxNode, inner: (one: SyntaxNode | null) => ValueFact | null): ValueFact | null {
  const call = inner(calleeOf(node));
  if (call === null) return null;
  const list = node.child('type_arguments');
  const types = list === null ? null : list.text.slice(1, -1);
  const passed = passedTo(node, inner);
  return {
    call,
    ...(types !== null && types.length <= 300 && { types }),
    ...((passed.length > 0 || countOf(node) === 0) && { passed }),
  };
}

/** `await f<T>(x)`, whose `await` the grammar puts into the callee; what follows in a chain is not awaited yet. */
function isAwaited(call: SyntaxNode): boolean {
  return (
    isMisread(call) && call.first?.type === 'await_expression' && call.parent?.type !== 'member_expression'
  );
}

function countOf(node: SyntaxNode): number {
  const list = node.last;
  return list?.type === 'arguments' ? list.children.length : node.type === 'new_expression' ? 0 : -1;
}

/** The arguments that are names or values made on the spot; literals of data tell nothing. */
function passedTo(
  node: SyntaxNode,
  inner: (one: SyntaxNode | null) => ValueFact | null,
): (ValueFact | null)[] {
  const list = node.child('arguments');
  if (list === null || list.children.length > 4) return [];
  const passed = list.children.map((one) => (PASSED.has(one.type) ? inner(one) : null));
  while (passed.at(-1) === null) passed.pop();
  return passed;
}

const PASSED = new Set(['identifier', 'member_expression', 'new_expression', 'this']);

function either(values: (ValueFact | null)[]): ValueFact | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return known.length === 1 && values.length === 1 ? (known[0] ?? null) : { either: values };
}

/** `a || b` and `a ?? b` are one of two, `a && b` is the second. */
function operated(
  node: SyntaxNode,
  inner: (one: SyntaxNode | null) => ValueFact | null,
  { found }: Values,
): ValueFact | null {
  const { first, last } = node;
  if (first === null || last === null || first === last) return null;
  const operator = found.source.text
    .slice(first.end, last.start)
    .replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/.*|\s/g, '');
  if (operator === '&&') return inner(last);
  if (operator !== '||' && operator !== '??') return null;
  const given = [first, last].filter((one) => !EMPTY.has(one.type)).map(inner);
  return either(given);
}

/** What has no members of anybody's own. */
export const EMPTY: ReadonlySet<string> = new Set([
  'regex',
  'null',
  'undefined',
  'string',
  'number',
  'true',
  'false',
  'template_string',
]);

function listOf(list: (ValueFact | null)[]): ValueFact | null {
  return list.some((value) => value !== null) ? { list } : null;
}

function dictOf(
  node: SyntaxNode,
  inner: (one: SyntaxNode | null) => ValueFact | null,
  values: Values,
): ValueFact | null {
  if (node.children.length > MOST_PARTS) return null;
  const dict: [ValueFact | null, ValueFact | null][] = [];
  for (const member of node.children) {
    const isShort = member.type === 'shorthand_property_identifier';
    if (member.type === 'spread_element') dict.push([null, inner(member.first)]);
    else {
      const key = isShort ? member.text : keyOf(member.child(...KEYS));
      const value = isShort
        ? inner(member)
        : member.type === 'pair'
          ? inner(member.last)
          : definitionOf(member, values);
      if (key !== null && value !== null) dict.push([{ literal: key }, value]);
    }
  }
  return dict.length > 0 ? { dict } : null;
}

const KEYS = [
  'property_identifier',
  'private_property_identifier',
  'string',
  'number',
  'computed_property_name',
] as const;

function definitionOf(node: SyntaxNode, { found, numbers }: Values): ValueFact | null {
  const held = isFunction(node) ? node : unwrapped(node);
  const definition = found.defined.get(held);
  const number = definition === undefined ? undefined : numbers.definitions[definition];
  return number === undefined ? null : { definition: number };
}
