import type { Expression } from '../ast.js';
import type { CypherValue } from '../value.js';
import { isList, isMadeOfOthers, wrongKind } from '../values/index.js';
import { truthOf } from './logic.js';
import { type CompilePart, madeOf, type Part, type Scope } from './scope.js';

const BYTES_PER_ITEM = 24;

/** `[x IN list WHERE … | …]`; null of null. */
export function compileComprehension(
  expression: Extract<Expression, { kind: 'list comprehension' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const list = compilePart(expression.list, scope);
  const { slot, scope: inner } = scope.local(expression.variable.name);
  const where = expression.where && compilePart(expression.where, inner);
  const map = expression.map && compilePart(expression.map, inner);
  const span = expression.list.span;
  const whereSpan = expression.where?.span ?? span;
  const parts = [list, where, map].filter((part) => part !== null);
  return madeOf(parts, (row, run) => {
    const items = list.evaluate(row, run);
    if (items === null) return null;
    if (!isList(items)) throw wrongKind('A list comprehension', 'a list', items, span);
    const kept: CypherValue[] = [];
    for (const item of items) {
      run.spend(1);
      row[slot] = item;
      if (where !== null && truthOf(where.evaluate(row, run), 'WHERE', whereSpan) !== true) continue;
      kept.push(map === null ? item : map.evaluate(row, run));
    }
    run.hold(BYTES_PER_ITEM * kept.length);
    if (map !== null && kept.some(isMadeOfOthers)) run.made(kept);
    return kept;
  });
}
