import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** A name of which a condition tells the classes. */
export interface Narrowing {
  readonly name: Syntax;
  /** The class, or several of which it may be any. */
  readonly classes: readonly Syntax[];
  /** Where that holds; null from behind the statement on. */
  readonly block: Syntax | null;
}

/** What `if isinstance(x, A):`, `if not isinstance(x, A): return` and `assert isinstance(x, A)` tell. */
export function narrowingsOf(node: Syntax, text: SourceText): Narrowing[] {
  const [condition, block] = node.children;
  if (!condition) return [];
  if (node.kind === 'assert_statement')
    return conditionsOf(condition, text).flatMap((one) => told(one, null, text));
  if (block?.kind !== 'block') return [];
  const [inside] = condition.children;
  if (condition.kind !== 'not_operator' || !inside || condition.children.length !== 1)
    return conditionsOf(condition, text).flatMap((one) => told(one, block, text));
  const last = block.children[block.children.length - 1];
  const leaves = last?.kind === 'return_statement' || last?.kind === 'raise_statement';
  return leaves && node.children.length === 2 ? told(inside, null, text) : [];
}

/** The conditions that all hold. */
function conditionsOf(condition: Syntax, text: SourceText): readonly Syntax[] {
  if (condition.kind !== 'boolean_operator') return [condition];
  return /\bor\b/.test(text.of(condition)) ? [] : condition.children;
}

function told(call: Syntax, block: Syntax | null, text: SourceText): Narrowing[] {
  const [callee, list] = call.children;
  if (call.kind !== 'call' || !callee || text.of(callee) !== 'isinstance') return [];
  const [name, type] = list?.children ?? [];
  if (name?.kind !== 'identifier' || !type) return [];
  return [{ name, classes: type.kind === 'tuple' ? type.children : [type], block }];
}
