import type { Span } from '../ast.js';
import { type CypherError, placed, syntaxError } from '../cypher-error.js';
import { nearName } from '../near-name.js';
import type { Names } from './names.js';
import { mayBe, type StaticType, typeName, type Wanted, wantedNames } from './types.js';

/** Where an expression stands. */
export interface Place {
  readonly text: string;
  readonly names: Names;
  /** What an aggregate is here: `allowed`, or refused under this word. */
  readonly aggregates: 'allowed' | 'InvalidAggregation' | 'NestedAggregation';
}

/** The same place with other names. */
export function knowing(place: Place, names: Names): Place {
  return { ...place, names };
}

/** Inside of what runs once per item: no row is there to be counted. */
export function insideOf(place: Place, names: Names): Place {
  return {
    ...place,
    names,
    aggregates: place.aggregates === 'allowed' ? 'InvalidAggregation' : place.aggregates,
  };
}

/** A fault of the query at a span of it. @param detail openCypher's word for it. */
export function fault(
  place: Place,
  span: Span,
  detail: string,
  message: string,
  suggestion = '',
): CypherError {
  return syntaxError(place.text, span, detail, message, suggestion);
}

/** @throws CypherError `InvalidArgumentType` where a value cannot be what is asked for. */
export function demand(place: Place, span: Span, type: StaticType, wanted: readonly Wanted[]): void {
  if (mayBe(type, wanted)) return;
  throw fault(place, span, 'InvalidArgumentType', `expected ${wantedNames(wanted)}, found ${typeName(type)}`);
}

/** That a property is asked of what has none: a `TypeError` in openCypher's words. */
export function noProperties(place: Place, span: Span, type: StaticType): CypherError {
  const of = { kind: 'TypeError', phase: 'compile time', detail: 'InvalidArgumentType' } as const;
  return placed('CYPHER_SYNTAX', place.text, span, of, `${typeName(type)} has no properties`, '');
}

/** That nothing has bound a name. */
export function undefinedVariable(place: Place, span: Span, name: string): CypherError {
  const near = nearName(name, place.names.all());
  const suggestion = near === undefined ? hintOf(name, place) : `Did you mean ${near}?`;
  return fault(place, span, 'UndefinedVariable', `the variable ${name} is not defined here`, suggestion);
}

function hintOf(name: string, { names }: Place): string {
  const known = names.all();
  if (known.length === 0) return `No variable is known here; a text stands in quotes: '${name}'.`;
  return `Known here: ${known.slice(0, 10).join(', ')}${known.length > 10 ? '…' : '.'}`;
}
