import type { CypherValue } from '../value.js';
import { equals, isList, isMap, kindOf } from '../values/index.js';
import { floatArgument, misfit } from './arguments.js';
import { scalars } from './signature.js';

const predicate = scalars('predicates');

/** Functions that answer a question, or choose by one. */
export const PREDICATE_FUNCTIONS = [
  predicate(
    'coalesce(value…)',
    'The first value that is not null.',
    ["coalesce(null, 'a', 'b')", "'a'"],
    (_, ...values) => values.find((value) => value !== null) ?? null,
    true,
  ),
  predicate(
    'nullIf(value, other)',
    'Null where both are equal, else the first.',
    ['nullIf(4, 4)', 'null'],
    (_, value, other) => (equals(value, other) === true ? null : value),
    true,
  ),
  predicate(
    'exists(value)',
    'Whether it is not null.',
    ["exists({name: 'a'}.name)", 'true'],
    (_, value) => value !== null,
    true,
  ),
  predicate(
    'isEmpty(value)',
    'Whether a list, a map or a text has nothing in it.',
    ['isEmpty([])', 'true'],
    (at, value) => {
      if (isList(value) || typeof value === 'string') return value.length === 0;
      if (isMap(value)) return value.size === 0;
      throw misfit(at, 'a list, a map or a text', value);
    },
  ),
  predicate('isNaN(number)', 'Whether it is no number.', ['isNaN(0.0 / 0.0)', 'true'], (at, value) =>
    Number.isNaN(floatArgument(at, value)),
  ),
  predicate(
    'valueType(value)',
    'What kind of value it is.',
    ['valueType(1.5)', "'FLOAT'"],
    (_, value) => typeText(value),
    true,
  ),
];

function typeText(value: CypherValue): string {
  return kindOf(value).toUpperCase();
}
