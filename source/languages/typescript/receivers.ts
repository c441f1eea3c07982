import type { Reference } from '../../facts.js';
import { folded, type SyntaxNode } from './syntax.js';

/** What a reference's receiver is. */
export interface Receiver {
  text: string;
  form: Reference['receiver_form'];
  /** The name it begins with, when it begins with one. */
  root: string | null;
}

const LITERALS = new Set(
  'string template_string number regex array object true false null undefined arrow_function function_expression class'.split(
    ' ',
  ),
);

/**
 * A receiver as written without white space; in plain paths `?.` is a dot and `!` is left out, so that they can be
 * taken apart at the dots.
 */
export function receiverOf(node: SyntaxNode): Receiver {
  const path: string[] = [];
  let one = node;
  for (;;) {
    if (one.type === 'member_expression' && one.first !== null && one.last !== null) {
      path.unshift(one.last.text);
      one = one.first;
    } else if (one.type === 'nested_identifier' && one.first !== null && one.last !== null) {
      path.unshift(one.last.text);
      one = one.first;
    } else if (one.type === 'non_null_expression' && one.first !== null) one = one.first;
    else break;
  }
  if (one.type === 'identifier' || one.type === 'this' || one.type === 'super') {
    const root = one.text;
    path.unshift(root);
    const form = one.type === 'identifier' ? 'path' : one.type;
    return { text: cut(path.join('.')), form, root: form === 'path' ? root : null };
  }
  const text = cut(withoutSpace(node.text.slice(0, 1000)));
  return { text, form: formOf(one), root: rootOf(one) };
}

function formOf(node: SyntaxNode): Reference['receiver_form'] {
  if (LITERALS.has(node.type)) return 'literal';
  let one = node;
  while (one.type === 'parenthesized_expression' || one.type === 'await_expression') {
    if (one.first === null) break;
    one = one.first;
  }
  return one.type === 'call_expression' || one.type === 'new_expression' ? 'call' : 'other';
}

/** The name that the leftmost part of an expression is. */
function rootOf(node: SyntaxNode): string | null {
  let one: SyntaxNode | null = node;
  while (one !== null && LEFTMOST.has(one.type)) one = one.first;
  return one?.type === 'identifier' ? one.text : null;
}

const LEFTMOST = new Set([
  'member_expression',
  'subscript_expression',
  'call_expression',
  'new_expression',
  'non_null_expression',
  'parenthesized_expression',
  'await_expression',
  'as_expression',
  'satisfies_expression',
]);

/** Blanks that keep words apart stay. */
function withoutSpace(text: string): string {
  return folded(text, 1000).replace(/(?<![\w$]) | (?![\w$])/g, '');
}

function cut(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
