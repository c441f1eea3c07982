import type { Expression } from '../ast.js';
import { typeOf } from './expressions.js';
import { demand, type Place } from './place.js';
import { oneOf, type StaticType } from './types.js';

/** Checks an operator with two sides. @returns what is known of its value. */
export function typeOfBinary(
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
