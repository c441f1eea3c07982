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

/**
 * What `if isinstance(x, A):`, `if not isinstance(x, A): return`, `assert isinstance(x, A)`, `isinstance(x, A) and …` and
 * `… if isinstance(x, A) else …` tell.
 */
export function narrowingsOf(node: Syntax, text: SourceText): Narrowing[] {
  const [condition, block] = node.children;
  if (!condition) return [];
  if (node.kind === 'assert_statement') return holding(condition, null, text);
  if (node.kind === 'boolean_operator')
    return block && isAnd(node, text) ? holding(condition, block, text) : [];
  if (node.kind === 'conditional_expression') return block ? holding(block, condition, text) : [];
  if (block?.kind !== 'block') return [];
  const [inside] = condition.children;
  if (condition.kind !== 'not_operator' || !inside || condition.children.length !== 1)
    return holding(condition, block, text);
  const last = block.children[block.children.length - 1];
  const leaves = last?.kind === 'return_statement' || last?.kind === 'raise_statement';
  return leaves && node.children.length === 2 ? told(inside, null, text) : [];
}

function holding(condition: Syntax, block: Syntax | null, text: SourceText): Narrowing[] {
  return conditionsOf(condition, text).flatMap((one) => told(one, block, text));
}

/** The conditions that all hold. */
function conditionsOf(condition: Syntax, text: SourceText): readonly Syntax[] {
  const { kind, children } = condition;
  if (kind === 'parenthesized_expression') return children.flatMap((one) => conditionsOf(one, text));
  if (kind !== 'boolean_operator') return [condition];
  return isAnd(condition, text) ? children.flatMap((one) => conditionsOf(one, text)) : [];
}

/** Whether `and` stands between the two operands, not `or`. */
function isAnd({ children: [first, second] }: Syntax, text: SourceText): boolean {
  return (
    first !== undefined && second !== undefined && /\band\b/.test(text.text.slice(first.end, second.start))
  );
}

function told(call: Syntax, block: Syntax | null, text: SourceText): Narrowing[] {
  const [callee, list] = call.children;
  if (call.kind !== 'call' || !callee || text.of(callee) !== 'isinstance') return [];
  const [name, type] = list?.children ?? [];
  if (name?.kind !== 'identifier' || !type) return [];
  return [{ name, classes: type.kind === 'tuple' ? type.children : [type], block }];
}
