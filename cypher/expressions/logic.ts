import type { Expression, Span } from '../ast.js';
import type { CypherValue } from '../value.js';
import { wrongKind } from '../values/index.js';
import { type CompilePart, madeOf, type Part, type Scope } from './scope.js';

/** A truth, or null for unknown. @throws CypherError for everything else. */
export function truthOf(value: CypherValue, where: string, span: Span): boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  throw wrongKind(where, 'truths', value, span);
}

/** NOT. */
export function compileNot(
  expression: Extract<Expression, { kind: 'not' | 'minus' | 'plus' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const operand = compilePart(expression.operand, scope);
  const { evaluate } = operand;
  const { span } = expression;
  return madeOf([operand], (row, run) => {
    const truth = truthOf(evaluate(row, run), 'NOT', span);
    return truth === null ? null : !truth;
  });
}

/** AND: a false decides, whatever stands on the other side. */
export function both(left: Part, right: Part, span: Span): Part {
  return madeOf([left, right], (row, run) => {
    const first = left.evaluate(row, run);
    if (first === false) return false;
    const second = right.evaluate(row, run);
    if (first === true && typeof second === 'boolean') return second;
    const known = truthOf(first, 'AND', span);
    const other = truthOf(second, 'AND', span);
    return other === false ? false : known === null ? null : other;
  });
}

/** OR: a true decides, whatever stands on the other side. */
export function either(left: Part, right: Part, span: Span): Part {
  return madeOf([left, right], (row, run) => {
    const first = left.evaluate(row, run);
    if (first === true) return true;
    const second = right.evaluate(row, run);
    if (first === false && typeof second === 'boolean') return second;
    const known = truthOf(first, 'OR', span);
    const other = truthOf(second, 'OR', span);
    return other === true ? true : known === null ? null : other;
  });
}

/** XOR. */
export function oneOf(left: Part, right: Part, span: Span): Part {
  return madeOf([left, right], (row, run) => {
    const first = truthOf(left.evaluate(row, run), 'XOR', span);
    const second = truthOf(right.evaluate(row, run), 'XOR', span);
    return first === null || second === null ? null : first !== second;
  });
}
