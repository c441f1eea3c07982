import type { Lowering, NodeId } from '../../lower/index.js';

/*
 * The grammar has what belongs together as siblings: the selectors behind a value, the arguments of a type, the body
 * behind the head of a function.
 */

/** What stands behind a value and goes on with it. */
export const LINKS: ReadonlySet<string> = new Set([
  'selector',
  'unconditional_assignable_selector',
  'conditional_assignable_selector',
]);

/** Blanks and comments. */
const BETWEEN = /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/;
/** Characters between two siblings that are looked at: of more they are not beside each other. */
const MOST_BETWEEN = 400;

/** Whether nothing but blanks and comments stands between two nodes, or what `mark` is. */
export function isNext(to: Lowering, node: NodeId, next: NodeId, mark = ''): boolean {
  const { tree } = to;
  const [from, until] = [tree.end(node), tree.start(next)];
  if (until < from || until - from > MOST_BETWEEN) return false;
  const between = tree.text.slice(from, until);
  if (mark === '') return BETWEEN.test(between);
  return between.trim() === mark;
}

/** The nodes that values in a node begin with. */
export function operands(to: Lowering, node: NodeId): NodeId[] {
  return to.tree.children(node).filter((one) => to.isExpression(one) && !LINKS.has(to.tree.kind(one)));
}
