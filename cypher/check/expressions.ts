import type { Expression, MapProjectionItem } from '../ast.js';
import { unsupported } from '../cypher-error.js';
import { type CypherFunction, FUNCTIONS, unsupportedFunction } from '../functions/index.js';
import { nearName } from '../near-name.js';
import { partsOf } from './parts.js';
import { bindPatterns, checkBoundPattern } from './patterns.js';
import { demand, fault, insideOf, knowing, noProperties, type Place, undefinedVariable } from './place.js';
import { checkQuery } from './queries.js';
import { itemOf, mayBe, oneOf, type StaticType, type Wanted } from './types.js';

type Call = Extract<Expression, { kind: 'call' }>;

/** What functions ask of their first argument where a query can be refused for it; all else shows when it runs. */
const WANTED: ReadonlyMap<string, readonly Wanted[]> = new Map<string, readonly Wanted[]>([
  ['labels', ['node']],
  ['type', ['relationship']],
  ['startnode', ['relationship']],
  ['endnode', ['relationship']],
  ['length', ['path']],
  ['nodes', ['path']],
  ['relationships', ['path']],
  ['id', ['node', 'relationship']],
  ['elementid', ['node', 'relationship']],
  ['keys', ['node', 'relationship', 'map']],
  ['properties', ['node', 'relationship', 'map']],
  ['size', ['list', 'string']],
  ['head', ['list']],
  ['last', ['list']],
  ['tail', ['list']],
]);

/** What functions give, by what they are given. */
const GIVEN: ReadonlyMap<string, StaticType | ((types: readonly StaticType[]) => StaticType)> = new Map<
  string,
  StaticType | ((types: readonly StaticType[]) => StaticType)
>([
  ['labels', { listOf: 'string' }],
  ['keys', { listOf: 'string' }],
  ['split', { listOf: 'string' }],
  ['range', { listOf: 'integer' }],
  ['nodes', { listOf: 'node' }],
  ['relationships', { listOf: 'relationship' }],
  ['startnode', 'node'],
  ['endnode', 'node'],
  ['properties', 'map'],
  ['count', 'integer'],
  ['length', 'integer'],
  ['size', 'integer'],
  ['tointeger', 'integer'],
  ['tofloat', 'float'],
  ['tostring', 'string'],
  ['toboolean', 'boolean'],
  ['type', 'string'],
  ['collect', ([value = 'any']) => ({ listOf: value })],
  ['head', ([list = 'any']) => itemOf(list)],
  ['last', ([list = 'any']) => itemOf(list)],
  ['tail', ([list = 'any']) => list],
  ['coalesce', (types) => oneOf(types)],
]);

/** Checks a call, `count(*)` included. @returns what is known of its value. */
function typeOfCall(
  expression: Call | Extract<Expression, { kind: 'count star' }>,
  place: Place,
): StaticType {
  if (expression.kind === 'count star') {
    refuseAggregate(expression, place);
    return 'integer';
  }
  const known = FUNCTIONS.get(expression.name.toLowerCase());
  if (known === undefined) throw unknownFunction(expression, place);
  checkCount(expression, known, place);
  if (known.aggregate) refuseAggregate(expression, place);
  else if (expression.distinct)
    throw fault(
      place,
      expression.span,
      'InvalidAggregation',
      `${known.name} is no aggregate: DISTINCT says nothing`,
    );
  const inside: Place = known.aggregate ? { ...place, aggregates: 'NestedAggregation' } : place;
  const types = expression.arguments.map((argument) => typeOf(argument, inside));
  if (known.aggregate) for (const argument of expression.arguments) refuseChance(argument, place);
  const name = known.name.toLowerCase();
  const [first] = expression.arguments;
  const wanted = WANTED.get(name);
  if (wanted !== undefined && first !== undefined) demand(place, first.span, types[0] ?? 'any', wanted);
  const given = GIVEN.get(name) ?? 'any';
  return typeof given === 'function' ? given(types) : given;
}

function refuseAggregate({ span }: Expression, place: Place): void {
  if (place.aggregates === 'allowed') return;
  const nested = place.aggregates === 'NestedAggregation';
  const said = nested
    ? 'an aggregate cannot hold another one'
    : 'an aggregate stands only in the columns of WITH and RETURN';
  throw fault(place, span, place.aggregates, said, 'Make it a column of WITH first.');
}

/** What is different each time cannot be counted or collected in a way that means something. */
function refuseChance(expression: Expression, place: Place): void {
  if (expression.kind === 'call' && expression.name.toLowerCase() === 'rand')
    throw fault(place, expression.span, 'NonConstantExpression', 'rand() cannot stand in an aggregate');
  for (const part of partsOf(expression)) refuseChance(part, place);
}

function checkCount({ arguments: given, span }: Call, known: CypherFunction, place: Place): void {
  if (given.length >= known.minArguments && given.length <= known.maxArguments) return;
  throw fault(place, span, 'InvalidNumberOfArguments', `this is ${known.signature}`);
}

function unknownFunction({ name, span }: Call, place: Place) {
  const family = unsupportedFunction(name);
  if (family !== null) return unsupported(place.text, span, `${name}(): ${family}`, '');
  const near = nearName(
    name,
    [...FUNCTIONS.values()].map((known) => known.name),
  );
  const suggestion = near === undefined ? '' : `Did you mean ${near}?`;
  return fault(place, span, 'UnknownFunction', `there is no function ${name}`, suggestion);
}

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
