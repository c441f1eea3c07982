import type { Expression } from '../ast.js';
import { unsupported } from '../cypher-error.js';
import { type CypherFunction, FUNCTIONS, unsupportedFunction } from '../functions/index.js';
import { nearName } from '../near-name.js';
import { typeOf } from './expressions.js';
import { partsOf } from './parts.js';
import { demand, fault, type Place } from './place.js';
import { itemOf, oneOf, type StaticType, type Wanted } from './types.js';

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
export function typeOfCall(
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
