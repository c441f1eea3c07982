import type { BinaryOperator, Expression, MapProjectionItem, Span } from '../ast.js';
import { CypherError } from '../cypher-error.js';
import type { CypherMap, CypherValue } from '../value.js';
import {
  add,
  affirm,
  divide,
  equals,
  isElement,
  isIn,
  isList,
  isMadeOfOthers,
  isMap,
  keyOf,
  modulo,
  multiply,
  negate,
  power,
  subtract,
  type ValueKey,
  valueFault,
  workOf,
  wrongKind,
} from '../values/index.js';
import { compileCall } from './calls.js';
import { compileComparison } from './comparison.js';
import { both, compileNot, either, oneOf, truthOf } from './logic.js';
import { compileHasLabels, compileProperty, propertyOf } from './properties.js';
import { compileQuantifier } from './quantifier.js';
import { compileReduce } from './reduce.js';
import { compileMatch } from './regular-expression.js';
import { always, type CompilePart, type Evaluate, madeOf, NO_RUN, type Part, type Scope } from './scope.js';
import { compileSlice, compileSubscript } from './subscript.js';

/** From this length on a list that is asked more than once is made into a set. */
const WORTH_A_SET = 8;

/** A list as it is looked at: with a set of its items where all of them are plain. */
interface Seen {
  readonly list: readonly CypherValue[];
  readonly keys: ReadonlySet<ValueKey> | null;
}

const BYTES_PER_ITEM = 24;

type Calculate = (left: CypherValue, right: CypherValue, span: Span) => CypherValue;

const containsText = texts((text, part) => text.includes(part));

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
    contains: (left, part, span) => {
      // A list of texts contains what one of them contains: contexts and tags are lists.
      if (!Array.isArray(left)) return containsText(left, part, span);
      return typeof part === 'string' ? left.some((one) => containsText(one, part, span) === true) : null;
    },
  };

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

/** Text predicates are null for anything but texts. */
function texts(holds: (left: string, right: string) => boolean): Calculate {
  return (left, right) => (typeof left === 'string' && typeof right === 'string' ? holds(left, right) : null);
}

/** Everything with two operands that is not a comparison. */
function compileBinary(
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

/** CASE with a value to compare or with conditions; the first branch that holds, else ELSE, else null. */
function compileCase(
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

/** `[x IN list WHERE … | …]`; null of null. */
function compileComprehension(
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

/** `{key: value}`; a key that is written twice has its last value. */
function compileMap(
  expression: Extract<Expression, { kind: 'map' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const entries = expression.entries.map(({ key, value }) => ({ key, value: compilePart(value, scope) }));
  return madeOf(
    entries.map(({ value }) => value),
    (row, run) => {
      const map = new Map<string, CypherValue>();
      for (const { key, value } of entries) map.set(key, value.evaluate(row, run));
      run.made(map);
      return map;
    },
  );
}

/** `n {.name, .*, key: value, other}`; null of null. */
function compileMapProjection(
  expression: Extract<Expression, { kind: 'map projection' }>,
  scope: Scope,
  compilePart: CompilePart,
): Part {
  const on = compilePart(expression.on, scope);
  const items = expression.items.map((item) => projected(item, scope, compilePart));
  const { span } = expression;
  return madeOf([on, ...items.map(({ part }) => part)], (row, run) => {
    const value = on.evaluate(row, run);
    if (value === null) return null;
    if (!isMap(value) && !isElement(value)) {
      throw wrongKind('A map projection', 'a node, a relationship or a map', value, span);
    }
    const map = new Map<string, CypherValue>();
    for (const { item, part } of items) {
      if (item.kind === 'all') for (const [key, each] of allOf(value)) map.set(key, each);
      else if (item.kind === 'property') map.set(item.key, propertyOf(value, item.key, span));
      else map.set(item.kind === 'entry' ? item.key : item.name, part.evaluate(row, run));
    }
    run.made(map);
    return map;
  });
}

function allOf(value: CypherValue): CypherMap {
  return isMap(value) ? value : isElement(value) ? value.properties() : new Map();
}

/** An item, and the part that gives its value where that is an expression of its own. */
function projected(item: MapProjectionItem, scope: Scope, compilePart: CompilePart) {
  if (item.kind === 'entry') return { item, part: compilePart(item.value, scope) };
  if (item.kind !== 'variable') return { item, part: always(null) };
  return { item, part: compilePart({ kind: 'variable', name: item.name, span: item.span }, scope) };
}

/** `value IN list`. A list that comes again row after row is looked up, not walked. */
function compileIn(left: Part, right: Part, span: Span): Part {
  let last: Seen | null = null;
  return madeOf([left, right], (row, run) => {
    const list = right.evaluate(row, run);
    if (list === null) return null;
    if (!isList(list)) throw wrongKind('IN', 'a list', list, span);
    const value = left.evaluate(row, run);
    if (list.length < WORTH_A_SET) return isIn(value, list);
    if (last?.list !== list) {
      last = { list, keys: right.constant ? plainKeys(list) : null };
    } else if (last.keys === null) {
      last = { list, keys: plainKeys(list) };
    }
    run.spend(1);
    if (last.keys === null || last.keys.size === 0 || !isPlain(value)) {
      run.spend(workOf(list));
      return isIn(value, list);
    }
    return last.keys.has(keyOf(value));
  });
}

/** Keys of all items; none where an item is null, NaN or has items itself: then only a walk can say. */
function plainKeys(list: readonly CypherValue[]): ReadonlySet<ValueKey> {
  return list.every(isPlain) ? new Set(list.map(keyOf)) : new Set();
}

function isPlain(value: CypherValue): boolean {
  return value !== null && typeof value !== 'object' && !Number.isNaN(value);
}

/** `$name`. Never constant: one prepared query runs with many parameters. */
function compileParameter(expression: Extract<Expression, { kind: 'parameter' }>): Part {
  const { name, span } = expression;
  return {
    constant: false,
    evaluate: (_, run) => {
      const value = run.parameters.get(name);
      if (value !== undefined) return value;
      const given = [...run.parameters.keys()].map((key) => `$${key}`).join(', ');
      throw valueFault(
        'ParameterMissing',
        'MissingParameter',
        `The parameter $${name} was not given.`,
        span,
        given === '' ? 'No parameters were given.' : `Given: ${given}.`,
      );
    },
  };
}
