import type { Expression, Span } from '../ast.js';
import { CypherError } from '../cypher-error.js';
import type { CypherValue } from '../value.js';
import { affirm, isMadeOfOthers, negate, workOf } from '../values/index.js';
import { compileBinary } from './binary.js';
import { compileCall } from './calls.js';
import { compileCase } from './case.js';
import { compileComparison } from './comparison.js';
import { compileComprehension } from './comprehension.js';
import { compileNot } from './logic.js';
import { compileMap, compileMapProjection } from './maps.js';
import { compileParameter } from './parameters.js';
import { compileHasLabels, compileProperty } from './properties.js';
import { compileQuantifier } from './quantifier.js';
import { compileReduce } from './reduce.js';
import { always, type Evaluate, madeOf, NO_RUN, type Part, type Scope } from './scope.js';
import { compileSlice, compileSubscript } from './subscript.js';

/**
 * An expression, ready to be asked once per row. What is constant is calculated here; what fails then fails again when
 * it is asked, since a CASE may never ask it.
 */
export function compile(expression: Expression, scope: Scope): Evaluate {
  return compilePart(expression, scope).evaluate;
}

function compilePart(expression: Expression, scope: Scope): Part {
  const slot = scope.computed(expression);
  if (slot !== undefined) return fromSlot(slot);
  const part = compileKind(expression, scope);
  return part.constant && expression.kind !== 'literal' ? folded(part) : part;
}

/** Work beyond which what is constant is left to a run, which has a deadline: in items of a loop. */
const MOST_FOLDED = 2048;

function folded(part: Part): Part {
  let left = MOST_FOLDED;
  const spend = (items: number) => {
    left -= items;
    if (left < 0) throw TOO_LONG;
  };
  try {
    return always(part.evaluate([], { ...NO_RUN, spend, made: (value) => spend(workOf(value)) }));
  } catch (error) {
    if (error === TOO_LONG || error instanceof CypherError)
      return { evaluate: part.evaluate, constant: false };
    throw error;
  }
}

const TOO_LONG = Symbol('too long to be folded');

function compileKind(expression: Expression, scope: Scope): Part {
  switch (expression.kind) {
    case 'literal':
      return always(expression.value);
    case 'parameter':
      return compileParameter(expression);
    case 'variable':
      return compileVariable(expression.name, expression.span, scope);
    case 'property':
      return compileProperty(expression, scope, compilePart);
    case 'has labels':
      return compileHasLabels(expression, scope, compilePart);
    case 'not':
      return compileNot(expression, scope, compilePart);
    case 'minus':
      return unary(expression.operand, scope, (value) => negate(value, expression.span));
    case 'plus':
      return unary(expression.operand, scope, (value) => affirm(value, expression.span));
    case 'binary':
      return compileBinary(expression, scope, compilePart);
    case 'comparison':
      return compileComparison(expression, scope, compilePart);
    case 'is null':
      return expression.negated
        ? unary(expression.operand, scope, (value) => value !== null)
        : unary(expression.operand, scope, (value) => value === null);
    case 'list': {
      const items = expression.items.map((item) => compilePart(item, scope));
      return madeOf(items, (row, run) => {
        const list = items.map((item) => item.evaluate(row, run));
        if (list.some(isMadeOfOthers)) run.made(list);
        return list;
      });
    }
    case 'map':
      return compileMap(expression, scope, compilePart);
    case 'map projection':
      return compileMapProjection(expression, scope, compilePart);
    case 'subscript':
      return compileSubscript(expression, scope, compilePart);
    case 'slice':
      return compileSlice(expression, scope, compilePart);
    case 'list comprehension':
      return compileComprehension(expression, scope, compilePart);
    case 'quantifier':
      return compileQuantifier(expression, scope, compilePart);
    case 'reduce':
      return compileReduce(expression, scope, compilePart);
    case 'case':
      return compileCase(expression, scope, compilePart);
    case 'call':
      return compileCall(expression, scope, compilePart);
    case 'count star':
    case 'pattern':
    case 'pattern comprehension':
    case 'subquery':
      throw misplaced(expression);
  }
}

function unary(operand: Expression, scope: Scope, calculate: (value: CypherValue) => CypherValue): Part {
  const part = compilePart(operand, scope);
  const { evaluate } = part;
  return madeOf([part], (row, run) => calculate(evaluate(row, run)));
}

function compileVariable(name: string, span: Span, scope: Scope): Part {
  const slot = scope.slotOf(name);
  if (slot !== undefined) return fromSlot(slot);
  throw new CypherError('CYPHER_SYNTAX', `The variable ${name} is not defined here.`, {
    fault: { kind: 'SyntaxError', phase: 'compile time', detail: 'UndefinedVariable' },
    span,
  });
}

function fromSlot(slot: number): Part {
  return { evaluate: (row) => row[slot] ?? null, constant: false, slot };
}

/** Patterns and subqueries that no operator could answer before, such as in a place that is asked many times per row. */
function misplaced(expression: Expression): CypherError {
  const what = expression.kind === 'count star' ? 'count(*)' : `A ${expression.kind}`;
  return new CypherError('CYPHER_UNSUPPORTED', `${what} cannot stand here.`, {
    fault: { kind: 'Unsupported', phase: 'compile time', detail: 'UnexpectedSyntax' },
    span: expression.span,
    suggestion: 'Calculate it in a WITH before, and use its name here.',
  });
}
