import type { Expression } from '../ast.js';
import { isList, wrongKind } from '../values/index.js';
import { type CompilePart, madeOf, type Part, type Scope } from './scope.js';

/** `reduce(total = 0, x IN list | total + x)`; null where the list is null. */
export function compileReduce(
  expression: Extract<Expression, { kind: 'reduce' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const initial = compilePart(expression.initial, scope);
  const list = compilePart(expression.list, scope);
  const accumulator = scope.local(expression.accumulator.name);
  const { slot, scope: inner } = accumulator.scope.local(expression.variable.name);
  const step = compilePart(expression.expression, inner);
  const span = expression.list.span;
  return madeOf([initial, list, step], (row, run) => {
    const items = list.evaluate(row, run);
    if (items === null) return null;
    if (!isList(items)) throw wrongKind('reduce()', 'a list', items, span);
    let reached = initial.evaluate(row, run);
    for (const item of items) {
      run.spend(1);
      row[accumulator.slot] = reached;
      row[slot] = item;
      reached = step.evaluate(row, run);
    }
    return reached;
  });
}
