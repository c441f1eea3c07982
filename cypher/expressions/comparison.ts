import type { ComparisonOperator, Expression } from '../ast.js';
import type { CypherValue } from '../value.js';
import { compare, equals, workOf } from '../values/index.js';
import { type CompilePart, constantOf, type Evaluate, madeOf, type Part, type Scope } from './scope.js';

type Compare = (left: CypherValue, right: CypherValue) => boolean | null;

const COMPARISONS: Readonly<Record<ComparisonOperator, Compare>> = {
  '=': equals,
  '<>': (left, right) => {
    const same = equals(left, right);
    return same === null ? null : !same;
  },
  '<': byOrder((way) => way < 0),
  '<=': byOrder((way) => way <= 0),
  '>': byOrder((way) => way > 0),
  '>=': byOrder((way) => way >= 0),
};

function byOrder(holds: (way: number) => boolean): Compare {
  return (left, right) => {
    const way = compare(left, right);
    return way === null ? null : holds(way);
  };
}

/** `a < b`, and chains: `a < b <= c` is `a < b AND b <= c`, with b calculated once. */
export function compileComparison(
  expression: Extract<Expression, { kind: 'comparison' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const operands = expression.operands.map((operand) => compilePart(operand, scope));
  const [left, right] = operands;
  const [operator] = expression.operators;
  if (left !== undefined && right !== undefined && operator !== undefined && operands.length === 2) {
    return madeOf(operands, withConstant(operator, left, right) ?? plain(operator, left, right));
  }
  return madeOf(operands, chain(operands, expression.operators));
}

function plain(operator: ComparisonOperator, left: Part, right: Part): Evaluate {
  const holds = COMPARISONS[operator];
  const [first, second] = [left.evaluate, right.evaluate];
  return (row, run) => {
    const value = first(row, run);
    if (typeof value === 'object') run.spend(workOf(value));
    return holds(value, second(row, run));
  };
}

/** The case of nearly every filter: against a text or INTEGER that is known, with values of that kind. */
function withConstant(operator: ComparisonOperator, left: Part, right: Part): Evaluate | null {
  const known = constantOf(right);
  if (typeof known !== 'string' && typeof known !== 'bigint') return null;
  const { evaluate } = left;
  const holds = COMPARISONS[operator];
  const kind = typeof known;
  const direct = DIRECT[operator];
  return (row, run) => {
    const value = evaluate(row, run);
    return typeof value === kind ? direct(value, known) : holds(value, known);
  };
}

/** Only for two texts or two INTEGERs, for which JavaScript and Cypher agree. */
const DIRECT: Readonly<Record<ComparisonOperator, (left: CypherValue, right: string | bigint) => boolean>> = {
  '=': (left, right) => left === right,
  '<>': (left, right) => left !== right,
  '<': (left, right) => left !== null && left < right,
  '<=': (left, right) => left !== null && left <= right,
  '>': (left, right) => left !== null && left > right,
  '>=': (left, right) => left !== null && left >= right,
};

function chain(operands: readonly Part[], operators: readonly ComparisonOperator[]): Evaluate {
  const [first, ...others] = operands.map((operand) => operand.evaluate);
  const links = others.map((evaluate, index) => ({ evaluate, holds: COMPARISONS[operators[index] ?? '='] }));
  return (row, run) => {
    let left = first?.(row, run) ?? null;
    let known = true;
    for (const { evaluate, holds } of links) {
      const right = evaluate(row, run);
      const truth = holds(left, right);
      if (truth === false) return false;
      if (truth === null) known = false;
      left = right;
    }
    return known ? true : null;
  };
}
