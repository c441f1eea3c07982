import { LIMITS } from '../../../schema/index.js';
import type { Reference } from '../../facts.js';
import { stringOf } from './literals.js';
import { folded, type SyntaxNode } from './syntax.js';

/** What a reference's receiver is. */
export interface Receiver {
  text: string;
  form: Reference['receiver_form'];
  /** The name it begins with, when it begins with one. */
  root: string | null;
  /** The receiver itself, when it is more than a path. */
  node?: SyntaxNode;
}

/** The last name of a member expression, and what it is a member of. */
export interface Member {
  name: string;
  /** Where the name stands. */
  offset: number;
  receiver: Receiver;
  /** The receiver when it may hold more than a path; null when there is nothing to visit in it. */
  inner: SyntaxNode | null;
}

const PLAIN = /^[\w$]+(?:\.#?[\w$]+)+$/;

/**
 * Takes `a.b.c`, `a?.b`, `f().x`, `super()` or `o['x']` apart. Nearly all are plain paths: those are taken apart as
 * text, which spares their nodes.
 */
export function memberOf(node: SyntaxNode): Member {
  const { text } = node;
  // The calls of a chain begin alike: what is longer than a path is not read as one again and again.
  if (text.length <= 1000 && PLAIN.test(text)) {
    const dot = text.lastIndexOf('.');
    const path = text.slice(0, dot);
    const first = path.slice(0, path.indexOf('.') < 0 ? dot : path.indexOf('.'));
    const form = first === 'this' || first === 'super' ? first : 'path';
    const receiver: Receiver = { text: cut(path), form, root: form === 'path' ? first : null };
    return { name: text.slice(dot + 1), offset: node.start + dot + 1, receiver, inner: null };
  }
  if (node.type === 'super')
    return { name: 'constructor', offset: node.start, receiver: receiverOf(node), inner: null };
  const { first, last } = node;
  const inner = first ?? node;
  const name = last ?? node;
  return {
    name: stringOf(name) ?? name.text,
    offset: name.start,
    receiver: receiverOf(inner),
    inner: inner === node ? null : inner,
  };
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
      path.push(one.last.text);
      one = one.first;
    } else if (one.type === 'nested_identifier' && one.first !== null && one.last !== null) {
      path.push(one.last.text);
      one = one.first;
    } else if (one.type === 'non_null_expression' && one.first !== null) one = one.first;
    else break;
  }
  if (one.type === 'identifier' || one.type === 'this' || one.type === 'super') {
    const root = one.text;
    path.push(root);
    const form = one.type === 'identifier' ? 'path' : one.type;
    return { text: cut(path.reverse().join('.')), form, root: form === 'path' ? root : null };
  }
  const text = cut(withoutSpace(node.text.slice(0, 1000)));
  return { text, form: formOf(one), root: rootOf(one), node };
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

/** A callee without a name of its own in short: `handlers[]`, `make()`. */
export function spellingOf(node: SyntaxNode): string {
  let one: SyntaxNode | null = node;
  let behind = '';
  while (one !== null && behind.length < 12) {
    const { type, first, last }: SyntaxNode = one;
    if (type === 'identifier' || type === 'this') return one.text + behind;
    if (type === 'member_expression' && last !== null) return last.text + behind;
    if (type === 'call_expression') behind = `()${behind}`;
    else if (type === 'subscript_expression') behind = `[]${behind}`;
    else if (!LEFTMOST.has(type) || type === 'new_expression') break;
    one = first;
  }
  return `expression${behind}`;
}

/** The name that the leftmost part of an expression is. */
function rootOf(node: SyntaxNode): string | null {
  let one: SyntaxNode | null = node;
  // Every call of a chain asks: without an end to it a long chain takes the square of its length.
  for (let links = 0; links < 100 && one !== null && LEFTMOST.has(one.type); links += 1) one = one.first;
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
  return text.length > LIMITS.expression.max ? `${text.slice(0, LIMITS.expression.max - 1)}…` : text;
}
