import type { Expression, MapProjectionItem } from '../ast.js';
import { typeOfCall } from './calls.js';
import { bindPatterns, checkBoundPattern } from './patterns.js';
import { demand, fault, insideOf, knowing, noProperties, type Place, undefinedVariable } from './place.js';
import { checkQuery } from './queries.js';
import { itemOf, mayBe, oneOf, type StaticType } from './types.js';

/** What an expression is for: a pattern may only stand where a truth is asked for. */
export type Purpose = 'value' | 'truth';

/** Checks an expression. @returns what is known of its value. */
export function typeOf(expression: Expression, place: Place, purpose: Purpose = 'value'): StaticType {
  switch (expression.kind) {
    case 'literal':
      return typeOfLiteral(expression.value);
    case 'parameter':
      return 'any';
    case 'variable': {
      const type = place.names.typeOf(expression.name);
      if (type === undefined) throw undefinedVariable(place, expression.span, expression.name);
      return type;
    }
    case 'property': {
      const on = typeOf(expression.on, place);
      if (!mayBe(on, ['node', 'relationship', 'map'])) throw noProperties(place, expression.on.span, on);
      return 'any';
    }
    case 'has labels':
      demand(place, expression.on.span, typeOf(expression.on, place), ['node', 'relationship']);
      return 'boolean';
    case 'not':
      demand(place, expression.operand.span, typeOf(expression.operand, place, 'truth'), ['boolean']);
      return 'boolean';
    case 'minus':
    case 'plus': {
      const operand = typeOf(expression.operand, place);
      demand(place, expression.operand.span, operand, ['number']);
      return operand;
    }
    case 'binary':
      return typeOfBinary(expression, place);
    case 'comparison':
      for (const operand of expression.operands) typeOf(operand, place);
      return 'boolean';
    case 'is null':
      typeOf(expression.operand, place);
      return 'boolean';
    case 'list':
      return { listOf: oneOf(expression.items.map((item) => typeOf(item, place))) };
    case 'map':
      for (const { value } of expression.entries) typeOf(value, place);
      return 'map';
    case 'map projection':
      demand(place, expression.on.span, typeOf(expression.on, place), ['node', 'relationship', 'map']);
      for (const item of expression.items) checkProjected(item, place);
      return 'map';
    case 'subscript':
      typeOf(expression.index, place);
      return itemOf(typeOf(expression.on, place));
    case 'slice': {
      const on = typeOf(expression.on, place);
      demand(place, expression.on.span, on, ['list']);
      for (const bound of [expression.from, expression.to]) if (bound !== null) typeOf(bound, place);
      return on;
    }
    case 'case':
      return typeOfCase(expression, place);
    case 'call':
    case 'count star':
      return typeOfCall(expression, place);
    case 'pattern':
      return typeOfPattern(expression, place, purpose);
    case 'subquery':
      return typeOfSubquery(expression, place);
    default:
      return typeOfLoop(expression, place);
  }
}

type Of<Kind extends Expression['kind']> = Extract<Expression, { kind: Kind }>;

function typeOfLiteral(value: Of<'literal'>['value']): StaticType {
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    case 'bigint':
      return 'integer';
    case 'number':
      return 'float';
    default:
      return 'null';
  }
}

function checkProjected(item: MapProjectionItem, place: Place): void {
  if (item.kind === 'entry') typeOf(item.value, place);
  if (item.kind === 'variable' && !place.names.has(item.name))
    throw undefinedVariable(place, item.span, item.name);
}

function typeOfCase({ operand, branches, otherwise }: Of<'case'>, place: Place): StaticType {
  if (operand !== null) typeOf(operand, place);
  const types: StaticType[] = otherwise === null ? [] : [typeOf(otherwise, place)];
  for (const { when, then } of branches) {
    const type = typeOf(when, place, operand === null ? 'truth' : 'value');
    if (operand === null) demand(place, when.span, type, ['boolean']);
    types.push(typeOf(then, place));
  }
  return oneOf(types);
}

function typeOfPattern({ pattern, span }: Of<'pattern'>, place: Place, purpose: Purpose): StaticType {
  if (pattern.shortest === null && purpose !== 'truth') {
    const instead = 'Write EXISTS { … }, COUNT { … }, or a comprehension: [(a)-->(b) | b].';
    throw fault(place, span, 'UnexpectedSyntax', 'a pattern is no value; it may stand in WHERE', instead);
  }
  checkBoundPattern(pattern, insideOf(place, place.names));
  if (pattern.shortest === null) return 'boolean';
  return pattern.shortest === 'one' ? 'path' : { listOf: 'path' };
}

function typeOfSubquery({ query, which, span }: Of<'subquery'>, place: Place): StaticType {
  const end = which === 'collect' ? 'must return' : 'may end anywhere';
  const columns = checkQuery(query, place.text, place.names.within(), end);
  if (which === 'exists') return 'boolean';
  if (which === 'count') return 'integer';
  const [column, ...more] = columns;
  const last = query.parts[0]?.clauses.at(-1);
  // What `*` stands for would depend on the query around.
  if (column === undefined || more.length > 0 || (last?.kind === 'return' && last.all))
    throw fault(place, span, 'InvalidClauseComposition', 'COLLECT { … } returns exactly one column');
  return { listOf: column[1] };
}

type Loop = Of<'list comprehension' | 'pattern comprehension' | 'quantifier' | 'reduce'>;

/** What makes names of its own and runs once per item. */
function typeOfLoop(expression: Loop, place: Place): StaticType {
  if (expression.kind === 'pattern comprehension') {
    const inside = insideOf(place, place.names);
    const names = bindPatterns([expression.pattern], inside);
    checkTruth(expression.where, knowing(inside, names));
    return { listOf: typeOf(expression.map, knowing(inside, names)) };
  }
  const list = typeOf(expression.list, place);
  demand(place, expression.list.span, list, ['list']);
  const item = [expression.variable.name, itemOf(list)] as const;
  if (expression.kind === 'reduce') {
    const initial = typeOf(expression.initial, place);
    const names = place.names.and([[expression.accumulator.name, 'any'], item]);
    const step = typeOf(expression.expression, insideOf(place, names));
    return oneOf([initial, step]);
  }
  const inside = insideOf(place, place.names.and([item]));
  checkTruth(expression.where, inside);
  if (expression.kind === 'quantifier') return 'boolean';
  return expression.map === null ? list : { listOf: typeOf(expression.map, inside) };
}

function checkTruth(where: Expression | null, place: Place): void {
  if (where !== null) demand(place, where.span, typeOf(where, place, 'truth'), ['boolean']);
}

/** Checks an operator with two sides. @returns what is known of its value. */
function typeOfBinary(
  { operator, left, right }: Extract<Expression, { kind: 'binary' }>,
  place: Place,
): StaticType {
  switch (operator) {
    case 'and':
    case 'or':
    case 'xor':
      for (const side of [left, right]) demand(place, side.span, typeOf(side, place, 'truth'), ['boolean']);
      return 'boolean';
    case 'in':
      typeOf(left, place);
      demand(place, right.span, typeOf(right, place), ['list']);
      return 'boolean';
    case 'starts with':
    case 'ends with':
    case 'contains':
    case '=~':
      // Of what is no text the answer is null.
      typeOf(left, place);
      typeOf(right, place);
      return 'boolean';
    case '+':
      return typeOfSum(typeOf(left, place), typeOf(right, place));
    default: {
      const types = [left, right].map((side) => {
        const type = typeOf(side, place);
        demand(place, side.span, type, ['number']);
        return type;
      });
      return operator === '^' ? 'float' : typeOfNumbers(types);
    }
  }
}

/** A sum joins lists and texts too. */
function typeOfSum(left: StaticType, right: StaticType): StaticType {
  if (typeof left === 'object' && typeof right === 'object')
    return { listOf: oneOf([left.listOf, right.listOf]) };
  if (typeof left === 'object' || typeof right === 'object') return { listOf: 'any' };
  return typeOfNumbers([left, right]);
}

function typeOfNumbers(types: readonly StaticType[]): StaticType {
  if (types.every((type) => type === 'integer')) return 'integer';
  const numbers = types.every((type) => type === 'integer' || type === 'float' || type === 'number');
  return numbers && types.includes('float') ? 'float' : 'any';
}
