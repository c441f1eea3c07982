import type { Expression, Name, PathPattern, RelationshipPattern } from '../ast.js';
import { typeOf } from './expressions.js';
import type { Names } from './names.js';
import { demand, fault, knowing, type Place, undefinedVariable } from './place.js';
import { mayBe, type StaticType, typeName, type Wanted } from './types.js';

/**
 * Binds the variables of patterns, where patterns are matched, and checks what else they say.
 *
 * @returns what is known inside and behind them.
 * @throws CypherError `VariableTypeConflict`, `VariableAlreadyBound`, `RelationshipUniquenessViolation`…
 */
export function bindPatterns(patterns: readonly PathPattern[], place: Place): Names {
  const here = new Set<string>();
  let { names } = place;
  for (const pattern of patterns) {
    for (const { variable } of pattern.nodes) names = bind(variable, 'node', knowing(place, names));
    for (const relationship of pattern.relationships) {
      const { variable } = relationship;
      if (variable !== null && here.has(variable.name)) throw usedTwice(place, variable);
      names = bind(variable, typeOfRelationship(relationship), knowing(place, names));
      if (variable !== null) here.add(variable.name);
    }
    names = bindPath(pattern.variable, knowing(place, names));
  }
  for (const pattern of patterns) checkInside(pattern, knowing(place, names));
  return names;
}

/** Checks a pattern whose variables must all be bound: one where a truth is asked for. */
export function checkBoundPattern(pattern: PathPattern, place: Place): void {
  for (const { variable } of [...pattern.nodes, ...pattern.relationships])
    if (variable !== null && !place.names.has(variable.name))
      throw undefinedVariable(place, variable.span, variable.name);
  bindPatterns([pattern], place);
}

function typeOfRelationship({ length }: RelationshipPattern): StaticType {
  return length === null ? 'relationship' : { listOf: 'relationship' };
}

function bind(variable: Name | null, type: StaticType, place: Place): Names {
  if (variable === null) return place.names;
  const { name, span } = variable;
  const bound = place.names.typeOf(name);
  if (bound === undefined) return place.names.and([[name, type]]);
  if (couldBe(bound, type)) return place.names;
  const said = `${name} is ${typeName(bound)} already, here it would be ${typeName(type)}`;
  throw fault(place, span, 'VariableTypeConflict', said);
}

function couldBe(bound: StaticType, type: StaticType): boolean {
  if (typeof bound === 'object' && typeof type === 'object') return couldBe(bound.listOf, type.listOf);
  const wanted: Wanted = typeof type === 'object' ? 'list' : type === 'node' ? 'node' : 'relationship';
  return mayBe(bound, [wanted]);
}

function usedTwice(place: Place, { name, span }: Name) {
  const said = `the relationship ${name} stands twice in one MATCH, which binds each relationship once`;
  return fault(place, span, 'RelationshipUniquenessViolation', said);
}

function bindPath(variable: Name | null, place: Place): Names {
  if (variable === null) return place.names;
  const { name, span } = variable;
  if (place.names.has(name))
    throw fault(place, span, 'VariableAlreadyBound', `the variable ${name} is bound already`);
  return place.names.and([[name, 'path']]);
}

function checkInside({ nodes, relationships }: PathPattern, place: Place): void {
  for (const { properties, where } of [...nodes, ...relationships]) {
    checkProperties(properties, place);
    if (where !== null) demand(place, where.span, typeOf(where, place, 'truth'), ['boolean']);
  }
}

function checkProperties(properties: Expression | null, place: Place): void {
  if (properties === null) return;
  if (properties.kind === 'parameter') {
    const instead = `Write each property: {name: $${properties.name}.name}.`;
    throw fault(
      place,
      properties.span,
      'InvalidParameterUse',
      'a parameter cannot hold all properties',
      instead,
    );
  }
  typeOf(properties, place);
}
