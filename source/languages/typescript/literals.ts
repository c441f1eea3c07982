import type { SyntaxNode } from './syntax.js';

/** The text inside a string's quotes, or of a template without substitutions; null for anything else. */
export function stringOf(node: SyntaxNode | null | undefined): string | null {
  if (!node) return null;
  if (node.type === 'string') return node.text.slice(1, -1);
  if (node.type === 'template_string' && node.child('template_substitution') === null)
    return node.text.slice(1, -1);
  return null;
}

/** The name that a property's key spells; null when it is computed. */
export function keyOf(node: SyntaxNode | null): string | null {
  if (node === null) return null;
  if (node.type === 'string' || node.type === 'literal_type')
    return /^['"](.*).$/s.exec(node.text)?.[1] ?? null;
  if (node.type === 'computed_property_name') return stringOf(node.first);
  return KEYS.has(node.type) ? node.text : null;
}

const KEYS = new Set([
  'property_identifier',
  'private_property_identifier',
  'number',
  'identifier',
  'type_identifier',
]);

/** The node inside wrappers that do not change which value it is: parentheses, `as`, `satisfies`, `!`. */
export function unwrapped(node: SyntaxNode): SyntaxNode {
  let inner = node;
  for (;;) {
    if (!WRAPPERS.has(inner.type)) return inner;
    const next = inner.type === 'type_assertion' ? inner.last : inner.first;
    if (next === null) return inner;
    inner = next;
  }
}

/**
 * What a call calls. Behind `await f<T>(x)` and `!f<T>(x)` the grammar sees a call of `await f` or `!f`.
 */
export function calleeOf(call: SyntaxNode): SyntaxNode | null {
  const { first } = call;
  return first !== null && isMisread(call) ? first.first : first;
}

/** Whether a call was read as one of `await f`, which without parentheses no call is. */
export function isMisread(call: SyntaxNode): boolean {
  const type = call.first?.type;
  return type === 'await_expression' || type === 'unary_expression';
}

const WRAPPERS = new Set([
  'parenthesized_expression',
  'as_expression',
  'satisfies_expression',
  'non_null_expression',
  'type_assertion',
]);

/** Whether a node is a function value. */
export function isFunction(node: SyntaxNode): boolean {
  return (
    node.type === 'arrow_function' ||
    node.type === 'function_expression' ||
    node.type === 'generator_function'
  );
}
