export {
  add,
  affirm,
  checked,
  divide,
  LARGEST_INTEGER,
  modulo,
  multiply,
  negate,
  power,
  SMALLEST_INTEGER,
  subtract,
} from './arithmetic.js';
export { compare } from './compare.js';
export { equals, isIn } from './equals.js';
export { outOfRange, shown, valueFault, wrongArgument, wrongKind } from './faults.js';
export { keyOf, keyOfAll, type ValueKey } from './hash.js';
export { requireListSize, requireTextLength } from './join.js';
export {
  type CypherElement,
  isDuration,
  isElement,
  isInstant,
  isList,
  isMap,
  isNode,
  isNumber,
  isPath,
  isRelationship,
  kindOf,
} from './kinds.js';
export { order } from './order.js';
export { isMadeOfOthers, sizeOf, workOf } from './size.js';
export { floatText, literalText, shortText } from './text.js';
