import type { BinaryOperator, Expression, Span } from '../ast.js';
import type { CypherValue } from '../value.js';
import { add, divide, modulo, multiply, power, subtract, workOf } from '../values/index.js';
import { both, either, oneOf } from './logic.js';
import { compileIn } from './membership.js';
import { compileMatch } from './regular-expression.js';
import { type CompilePart, madeOf, type Part, type Scope } from './scope.js';

type Calculate = (left: CypherValue, right: CypherValue, span: Span) => CypherValue;

/** Operators that only look at their two values. */
const CALCULATIONS: Readonly<Record<Exclude<BinaryOperator, 'and' | 'or' | 'xor' | 'in' | '=~'>, Calculate>> =
  {
    '+': add,
    '-': subtract,
    '*': multiply,
    '/': divide,
    '%': modulo,
    '^': power,
    'starts with': texts((text, start) => text.startsWith(start)),
    'ends with': texts((text, end) => text.endsWith(end)),
    contains: texts((text, part) => text.includes(part)),
  };

/** Text predicates are null for anything but texts. */
function texts(holds: (left: string, right: string) => boolean): Calculate {
  return (left, right) => (typeof left === 'string' && typeof right === 'string' ? holds(left, right) : null);
}

/** Everything with two operands that is not a comparison. */
export function compileBinary(
  expression: Extract<Expression, { kind: 'binary' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const { operator, span } = expression;
  const left = compilePart(expression.left, scope);
  const right = compilePart(expression.right, scope);
  switch (operator) {
    case 'and':
      return both(left, right, span);
    case 'or':
      return either(left, right, span);
    case 'xor':
      return oneOf(left, right, span);
    case 'in':
      return compileIn(left, right, expression.right.span);
    case '=~':
      return compileMatch(left, right, expression.right.span);
  }
  const calculate = CALCULATIONS[operator];
  const [first, second] = [left.evaluate, right.evaluate];
  if (operator !== '+') {
    return madeOf([left, right], (row, run) => {
      const value = first(row, run);
      if (typeof value === 'string') run.spend(workOf(value));
      return calculate(value, second(row, run), span);
    });
  }
  return madeOf([left, right], (row, run) => {
    const sum = add(first(row, run), second(row, run), span);
    if (typeof sum === 'object' && Array.isArray(sum)) {
      run.spend(workOf(sum));
      run.hold(8 * sum.length);
    } else if (typeof sum === 'string') run.hold(2 * sum.length);
    return sum;
  });
}
