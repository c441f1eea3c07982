import type { BinaryOperator, ComparisonOperator, Expression } from '../ast.js';
import { unsupported } from '../cypher-error.js';
import { parseAtom } from './atoms.js';
import { parseLabels } from './labels.js';
import { integerValue } from './numbers.js';
import type { Reader } from './reader.js';

/** How tightly operators bind, as openCypher 9's grammar has it. */
export const POWER = {
  or: 1,
  xor: 2,
  and: 3,
  not: 4,
  comparison: 5,
  predicate: 6,
  sum: 7,
  product: 8,
  power: 9,
};

interface Infix {
  readonly power: number;
  /** How many tokens it takes. */
  readonly length: number;
  readonly operator: BinaryOperator | ComparisonOperator | 'is';
}

const SYMBOLS = new Map<string, Infix>([
  ...(['=', '<>', '<', '<=', '>', '>='] as const).map(
    (operator) => [operator, { power: POWER.comparison, length: 1, operator }] as const,
  ),
  ['=~', { power: POWER.predicate, length: 1, operator: '=~' }],
  ...(['+', '-'] as const).map((operator) => [operator, { power: POWER.sum, length: 1, operator }] as const),
  ...(['*', '/', '%'] as const).map(
    (operator) => [operator, { power: POWER.product, length: 1, operator }] as const,
  ),
  ['^', { power: POWER.power, length: 1, operator: '^' }],
]);
const WORDS = new Map<string, Infix>([
  ['OR', { power: POWER.or, length: 1, operator: 'or' }],
  ['XOR', { power: POWER.xor, length: 1, operator: 'xor' }],
  ['AND', { power: POWER.and, length: 1, operator: 'and' }],
  ['IN', { power: POWER.predicate, length: 1, operator: 'in' }],
  ['STARTS', { power: POWER.predicate, length: 2, operator: 'starts with' }],
  ['ENDS', { power: POWER.predicate, length: 2, operator: 'ends with' }],
  ['CONTAINS', { power: POWER.predicate, length: 1, operator: 'contains' }],
  ['IS', { power: POWER.predicate, length: 1, operator: 'is' }],
]);

/**
 * An expression, by operator precedence; all operators bind to the left.
 *
 * @param weakest Where to stop: only what binds at least that tightly is taken.
 */
export function parseExpression(reader: Reader, weakest = 0): Expression {
  reader.enter();
  const start = reader.at;
  let left = parsePrefixed(reader);
  while (true) {
    const { token } = reader;
    const infix = token.kind === 'symbol' ? SYMBOLS.get(token.text) : WORDS.get(token.word);
    if (infix === undefined || infix.power < weakest) break;
    left = parseInfix(reader, start, left, infix);
  }
  reader.leave();
  return left;
}

function parseInfix(
  reader: Reader,
  start: number,
  left: Expression,
  { power, length, operator }: Infix,
): Expression {
  switch (operator) {
    case 'is':
      return parseNullTest(reader, start, left);
    case 'and':
    case 'or':
      return parseJunction(reader, left, operator, power);
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return parseComparison(reader, start, left);
    default: {
      reader.at++;
      if (length === 2) reader.needWord('WITH');
      const right = parseExpression(reader, power + 1);
      return { kind: 'binary', operator, left, right, span: reader.spanFrom(start) };
    }
  }
}

function parseNullTest(reader: Reader, start: number, operand: Expression): Expression {
  const { token } = reader;
  reader.at++;
  const negated = reader.takeWord('NOT');
  if (reader.takeWord('NULL')) return { kind: 'is null', operand, negated, span: reader.spanFrom(start) };
  const instead = ['TYPED', 'NORMALIZED', 'NFC', 'NFD', 'NFKC', 'NFKD'].includes(reader.token.word);
  if (instead || reader.isSymbol('::'))
    throw unsupported(reader.text, token, `IS ${reader.token.text}`, 'Only IS NULL and IS NOT NULL are.');
  throw reader.expected('NULL');
}

/** AND and OR chains become balanced trees: a query of thousands of them stays flat. */
function parseJunction(reader: Reader, first: Expression, operator: 'and' | 'or', power: number): Expression {
  const operands = [first];
  while (reader.takeWord(operator === 'and' ? 'AND' : 'OR'))
    operands.push(parseExpression(reader, power + 1));
  return balanced(operands, operator, 0, operands.length);
}

function balanced(
  operands: readonly Expression[],
  operator: 'and' | 'or',
  from: number,
  to: number,
): Expression {
  const only = operands[from];
  if (only !== undefined && to - from === 1) return only;
  const middle = (from + to) >> 1;
  const left = balanced(operands, operator, from, middle);
  const right = balanced(operands, operator, middle, to);
  return { kind: 'binary', operator, left, right, span: { start: left.span.start, end: right.span.end } };
}

function parseComparison(reader: Reader, start: number, first: Expression): Expression {
  const operands = [first];
  const operators: ComparisonOperator[] = [];
  while (reader.token.kind === 'symbol') {
    const operator = COMPARISONS.get(reader.token.text);
    if (operator === undefined) break;
    reader.at++;
    operators.push(operator);
    operands.push(parseExpression(reader, POWER.comparison + 1));
  }
  return { kind: 'comparison', operands, operators, span: reader.spanFrom(start) };
}

const COMPARISONS = new Map<string, ComparisonOperator>(
  (['=', '<>', '<', '<=', '>', '>='] as const).map((operator) => [operator, operator]),
);

function parsePrefixed(reader: Reader): Expression {
  const start = reader.at;
  if (reader.takeWord('NOT')) {
    const operand = parseExpression(reader, POWER.not);
    return { kind: 'not', operand, span: reader.spanFrom(start) };
  }
  if (reader.isSymbol('-') || reader.isSymbol('+')) {
    const kind = reader.isSymbol('-') ? 'minus' : 'plus';
    reader.at++;
    const smallest = kind === 'minus' ? parseSmallest(reader, start) : null;
    if (smallest !== null) return smallest;
    reader.enter();
    const operand = parsePrefixed(reader);
    reader.leave();
    return { kind, operand, span: reader.spanFrom(start) };
  }
  return parsePostfixed(reader);
}

/** `-9223372036854775808`: the one integer that cannot be had by negating another. */
function parseSmallest(reader: Reader, start: number): Expression | null {
  const { token } = reader;
  if (token.kind !== 'integer' || token.text.length < 17) return null;
  reader.at++;
  const span = reader.spanFrom(start);
  return { kind: 'literal', value: integerValue(reader.text, span, token.text, true), span };
}

function parsePostfixed(reader: Reader): Expression {
  const start = reader.at;
  let found = parseAtom(reader);
  while (reader.token.kind === 'symbol') {
    if (reader.takeSymbol('.')) {
      const key = reader.needName('a property key').name;
      found = { kind: 'property', on: found, key, span: reader.spanFrom(start) };
    } else if (reader.isSymbol('[')) found = parseSubscript(reader, start, found);
    else if (reader.takeSymbol(':')) {
      const labels = parseLabels(reader);
      found = { kind: 'has labels', on: found, labels, span: reader.spanFrom(start) };
    } else if (reader.isSymbol('::'))
      throw unsupported(reader.text, reader.token, 'a test of types with `::`', '');
    else break;
  }
  return found;
}

function parseSubscript(reader: Reader, start: number, on: Expression): Expression {
  reader.needSymbol('[');
  const { barEnds } = reader;
  reader.barEnds = false;
  const first = reader.isSymbol('..') ? null : parseExpression(reader);
  let found: Expression;
  if (first !== null && !reader.isSymbol('..')) {
    reader.needSymbol(']');
    found = { kind: 'subscript', on, index: first, span: reader.spanFrom(start) };
  } else {
    reader.needSymbol('..');
    const to = reader.isSymbol(']') ? null : parseExpression(reader);
    reader.needSymbol(']');
    found = { kind: 'slice', on, from: first, to, span: reader.spanFrom(start) };
  }
  reader.barEnds = barEnds;
  return found;
}
