import type { ValueFact } from '../../flow-facts.js';
import { calleeOf, keyOf } from './literals.js';
import { annotationOf } from './signature.js';
import type { SyntaxNode } from './syntax.js';

/**
 * What is expected where an expression stands, as a value of that type: what the called function takes there, what the
 * annotation of the variable or of the function around says. Null where nothing says so.
 */
export function contextOf(node: SyntaxNode, value: (node: SyntaxNode) => ValueFact | null): ValueFact | null {
  const { parent } = node;
  if (parent === null) return null;
  switch (parent.type) {
    case 'parenthesized_expression':
      return contextOf(parent, value);
    case 'ternary_expression':
      return parent.first === node ? null : contextOf(parent, value);
    case 'binary_expression':
      return contextOf(parent, value);
    case 'arguments':
      return asArgument(node, parent, value);
    case 'pair':
      return asMember(parent, value);
    case 'array':
      return item(contextOf(parent, value), parent.children.indexOf(node));
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
      return asResult(enclosingFunction(parent), value);
    case 'arrow_function':
      return parent.last === node ? asResult(parent, value) : null;
    case 'object':
      // A method of a literal stands in it without a key of its own.
      return node.type === 'method_definition' ? asMember(node, value) : null;
    default:
      return null;
  }
}

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
  const argument = list.children.indexOf(node);
  const callee = call && calleeOf(call);
  if (callee === null || argument < 0) return null;
  if (list.children.slice(0, argument).some((one) => one.type === 'spread_element')) return null;
  const expected = value(callee);
  return expected === null ? null : { expected, argument };
}

function asMember(member: SyntaxNode, value: (node: SyntaxNode) => ValueFact | null): ValueFact | null {
  const name = keyOf(member.child('property_identifier', 'string'));
  const literal = member.parent;
  if (name === null || literal === null) return null;
  const of = contextOf(literal, value);
  return of === null ? null : { of, member: name };
}

function item(of: ValueFact | null, index: number): ValueFact | null {
  return of === null ? null : { of, key: { literal: index } };
}

/** What a function is to give: as it says itself, or as it is expected to. */
function asResult(node: SyntaxNode | null, value: (node: SyntaxNode) => ValueFact | null): ValueFact | null {
  if (node === null) return null;
  const isAsync = /^(?:\w+\s+)*async\b/.test(node.text.slice(0, 60));
  const own = annotated(node);
  const context = own === null ? contextOf(node, value) : null;
  const given: ValueFact | null = own ?? (context && { call: context });
  return given && isAsync ? { await: given } : given;
}

function enclosingFunction(node: SyntaxNode): SyntaxNode | null {
  let one = node.parent;
  while (one !== null && !FUNCTIONS.has(one.type)) one = one.parent;
  return one;
}

const FUNCTIONS = new Set([
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'generator_function',
  'arrow_function',
  'method_definition',
]);
