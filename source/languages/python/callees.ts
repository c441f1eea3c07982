import { firstName } from './expressions.js';
import { type CallFacts, isLocal } from './found-references.js';
import type { Scope } from './scopes.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';
import type { ValueReader } from './values.js';

/** What a call hands over, and its callee where that is more than a name that the scopes tell. */
export function callFacts(
  callee: Syntax,
  list: Syntax | null,
  text: SourceText,
  values: ValueReader,
  scope: Scope,
): CallFacts {
  // What is handed to a function of the same file may be a key to a table of functions.
  const isOwn = callee.kind === 'identifier' && scope.lookup(text.of(callee))?.binding === 'definition';
  const passed = list && values.passed(list, scope, 0, isOwn);
  const value = values.value(callee, scope);
  const root = typeof value === 'string' ? firstName(value) : null;
  const isTold = root !== null && ((root === scope.self && root !== value) || !isLocal(root, scope));
  return {
    arguments: list && positional(list),
    ...(value !== null && !isTold && { callee: value }),
    ...(passed && { values: passed }),
  };
}

/** A callee without a name of its own in short: `handlers[]`, `make()`. */
export function spellingOf(node: Syntax, text: SourceText): string {
  const [first, second] = node.children;
  if (node.kind === 'identifier') return text.of(node);
  if (node.kind === 'attribute' && second) return text.of(second);
  if (node.kind === 'parenthesized_expression' && first) return spellingOf(first, text);
  if (first && node.kind === 'call') return `${spellingOf(first, text)}()`;
  if (first && node.kind === 'subscript') return `${spellingOf(first, text)}[]`;
  return node.kind === 'lambda' ? 'lambda' : 'expression';
}

/** Positional arguments; null when a `*spread` hides how many there are. */
function positional(list: Syntax): number | null {
  if (list.kind === 'generator_expression') return 1;
  if (list.kind !== 'argument_list') return 0;
  let count = 0;
  for (const one of list.children) {
    if (one.kind === 'list_splat') return null;
    if (one.kind !== 'keyword_argument' && one.kind !== 'dictionary_splat' && one.kind !== 'ERROR')
      count += 1;
  }
  return count;
}
