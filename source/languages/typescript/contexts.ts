import type { ValueFact } from '../../flow-facts.js';
import { calleeOf, keyOf } from './literals.js';
import { annotationOf } from './signature.js';
import type { SyntaxNode } from './syntax.js';

/**
 * What is expected where an expression stands, as a value of that type: what the called function takes there, what the
 * annotation of the variable or of the function around says. Null where nothing says so.
 */
export function contextOf(
  node: SyntaxNode,
  value: (node: SyntaxNode) => ValueFact | null,
  depth = 0,
): ValueFact | null {
  const { parent } = node;
  if (parent === null || depth > DEEPEST) return null;
  const around = (one: SyntaxNode) => contextOf(one, value, depth + 1);
  switch (parent.type) {
    case 'parenthesized_expression':
      return around(parent);
    case 'ternary_expression':
      return parent.first === node ? null : around(parent);
    case 'binary_expression':
      return around(parent);
    case 'arguments':
      return asArgument(node, parent, value);
    case 'pair':
      return asMember(parent, around);
    case 'array':
      return item(around(parent), placeOf(node, parent));
    case 'as_expression':
    case 'satisfies_expression':
      return parent.last === node || parent.last === null ? null : { typed: parent.last.text };
    case 'variable_declarator':
    case 'public_field_definition':
    case 'field_definition':
    case 'required_parameter':
    case 'optional_parameter':
      return annotated(parent);
    case 'assignment_expression':
      return parent.last === node && parent.first ? value(parent.first) : null;
    case 'return_statement':
      return asResult(enclosingFunction(parent), around);
    case 'arrow_function':
      return parent.last === node ? asResult(parent, around) : null;
    case 'jsx_expression':
      return around(parent);
    case 'jsx_attribute':
      return asMember(parent, around);
    case 'jsx_opening_element':
    case 'jsx_self_closing_element':
      return asProperties(parent, value);
    case 'object':
      // A method of a literal stands in it without a key of its own.
      return node.type === 'method_definition' ? asMember(node, around) : null;
    default:
      return null;
  }
}

/** What stands deeper in what it is made of is not followed to its beginning. */
const DEEPEST = 24;
/** An item or argument behind as many others is not told from them. */
const MOST_BEFORE = 128;

/** The place of a node among the children of its parent; -1 behind many. */
function placeOf(node: SyntaxNode, { children }: SyntaxNode): number {
  for (let at = 0; at < children.length && at < MOST_BEFORE; at += 1) if (children[at] === node) return at;
  return -1;
}

type Around = (node: SyntaxNode) => ValueFact | null;

function annotated(node: SyntaxNode): ValueFact | null {
  const type = annotationOf(node);
  return type === null ? null : { typed: type };
}

function asArgument(
  node: SyntaxNode,
  list: SyntaxNode,
  value: (node: SyntaxNode) => ValueFact | null,
): ValueFact | null {
  const call = list.parent;
  const argument = placeOf(node, list);
  const callee = call && calleeOf(call);
  if (callee === null || argument < 0) return null;
  if (list.children.slice(0, argument).some((one) => one.type === 'spread_element')) return null;
  const expected = value(callee);
  return expected === null ? null : { expected, argument };
}

function asMember(member: SyntaxNode, around: Around): ValueFact | null {
  const name = keyOf(member.child('property_identifier', 'string'));
  const literal = member.parent;
  if (name === null || literal === null) return null;
  const of = around(literal);
  return of === null ? null : { of, member: name };
}

/** The properties that a component takes; the platform's elements, in lower case, are nobody's. */
function asProperties(element: SyntaxNode, value: (node: SyntaxNode) => ValueFact | null): ValueFact | null {
  const name = element.first;
  if (name === null || (name.type === 'identifier' && /^[a-z]/.test(name.text))) return null;
  const of = value(name);
  return of === null ? null : { of, parameter: 0 };
}

function item(of: ValueFact | null, index: number): ValueFact | null {
  return of === null || index < 0 ? null : { of, key: { literal: index } };
}

/** What a function is to give: as it says itself, or as it is expected to. */
function asResult(node: SyntaxNode | null, around: Around): ValueFact | null {
  if (node === null) return null;
  const isAsync = /^(?:\w+\s+)*async\b/.test(node.text.slice(0, 60));
  const own = annotated(node);
  const context = own === null ? around(node) : null;
  const given: ValueFact | null = own ?? (context && { call: context });
  return given && isAsync ? { await: given } : given;
}

function enclosingFunction(node: SyntaxNode): SyntaxNode | null {
  let one = node.parent;
  for (let steps = 0; one !== null && !FUNCTIONS.has(one.type); steps += 1)
    one = steps < MOST_AROUND ? one.parent : null;
  return one;
}

/** A statement behind more `else if` than these is not followed to the function around. */
const MOST_AROUND = 200;

const FUNCTIONS = new Set([
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'generator_function',
  'arrow_function',
  'method_definition',
]);
