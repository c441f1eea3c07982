import type { Expression } from '../ast.js';
import { equals } from '../values/index.js';
import { truthOf } from './logic.js';
import { always, type CompilePart, madeOf, type Part, type Scope } from './scope.js';

/** CASE with a value to compare or with conditions; the first branch that holds, else ELSE, else null. */
export function compileCase(
  expression: Extract<Expression, { kind: 'case' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const operand = expression.operand && compilePart(expression.operand, scope);
  const branches = expression.branches.map(({ when, then }) => ({
    when: compilePart(when, scope),
    then: compilePart(then, scope),
    span: when.span,
  }));
  const otherwise = expression.otherwise ? compilePart(expression.otherwise, scope) : always(null);
  const parts = [otherwise, ...branches.flatMap(({ when, then }) => [when, then])];
  if (operand === null) {
    return madeOf(parts, (row, run) => {
      const taken = branches.find(({ when, span }) => truthOf(when.evaluate(row, run), 'WHEN', span));
      return (taken?.then ?? otherwise).evaluate(row, run);
    });
  }
  return madeOf([operand, ...parts], (row, run) => {
    const value = operand.evaluate(row, run);
    const taken = branches.find(({ when }) => equals(value, when.evaluate(row, run)));
    return (taken?.then ?? otherwise).evaluate(row, run);
  });
}
