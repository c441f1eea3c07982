import { temporalText } from '../temporal/index.js';
import type { CypherValue } from '../value.js';
import {
  floatText,
  isDuration,
  isInstant,
  isList,
  LARGEST_INTEGER,
  outOfRange,
  SMALLEST_INTEGER,
  wrongArgument,
  wrongKind,
} from '../values/index.js';
import { type CallSite, type ScalarFunction, scalars } from './signature.js';

const conversion = scalars('conversion');

/** What a value turns into; null where its text says nothing of the kind; undefined where its kind does not fit at all. */
type Convert = (value: CypherValue) => CypherValue | undefined;

const WHOLE = /^[+-]?\d+$/u;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu;

/** Functions that turn a value into one of another kind. */
export const CONVERSION_FUNCTIONS = [
  ...family('Integer', 'An INTEGER from a number, a truth or a text; FLOATs are cut off.', toInteger, {
    plain: ["toInteger('42')", '42'],
    orNull: ['toIntegerOrNull([])', 'null'],
    list: ["toIntegerList(['1', 2.9, 'x'])", '[1, 2, null]'],
    wanted: 'a number, a truth or a text',
  }),
  ...family('Float', 'A FLOAT from a number or a text.', toFloat, {
    plain: ["toFloat('1.5')", '1.5'],
    orNull: ['toFloatOrNull(true)', 'null'],
    list: ["toFloatList(['1', 2, 'x'])", '[1.0, 2.0, null]'],
    wanted: 'a number or a text',
  }),
  ...family('Boolean', "A truth from 'true', 'false', an INTEGER or a truth.", toBoolean, {
    plain: ["toBoolean('TRUE')", 'true'],
    orNull: ['toBooleanOrNull(1.5)', 'null'],
    list: ["toBooleanList(['true', 0, 'x'])", '[true, false, null]'],
    wanted: 'a truth, an INTEGER or a text',
  }),
  ...family('String', 'The text of a number, a truth, a time or a text.', toText, {
    plain: ['toString(1.0)', "'1.0'"],
    orNull: ['toStringOrNull([])', 'null'],
    list: ["toStringList([1, true, 'x'])", "['1', 'true', 'x']"],
    wanted: 'a number, a truth or a text',
  }),
];

interface Examples {
  readonly plain: readonly [string, string];
  readonly orNull: readonly [string, string];
  readonly list: readonly [string, string];
  readonly wanted: string;
}

/** toX, toXOrNull and toXList. */
function family(name: string, doc: string, convert: Convert, examples: Examples): ScalarFunction[] {
  const plain = (at: CallSite, value: CypherValue) => {
    const converted = convert(value);
    if (converted !== undefined) return guarded(at, value, converted);
    throw wrongArgument(`${at.name}()`, examples.wanted, value, at.span);
  };
  const orNull = (value: CypherValue) => {
    const converted = convert(value) ?? null;
    return fits(converted) ? converted : null;
  };
  return [
    conversion(`to${name}(value)`, doc, examples.plain, plain),
    conversion(
      `to${name}OrNull(value)`,
      `As to${name}; null where that fails.`,
      examples.orNull,
      (_, value) => orNull(value),
    ),
    conversion(`to${name}List(list)`, `to${name}OrNull of every item.`, examples.list, (at, list) => {
      if (isList(list)) return list.map(orNull);
      throw wrongKind(`${at.name}()`, 'a list', list, at.span);
    }),
  ];
}

function guarded(at: CallSite, given: CypherValue, value: CypherValue): CypherValue {
  if (fits(value)) return value;
  throw outOfRange('ArithmeticError', `${at.name}(): ${given} does not fit into a 64-bit INTEGER.`, at.span);
}

function fits(value: CypherValue): boolean {
  return typeof value !== 'bigint' || (value >= SMALLEST_INTEGER && value <= LARGEST_INTEGER);
}

/** Not yet held against 64 bits. */
function toInteger(value: CypherValue): CypherValue | undefined {
  switch (typeof value) {
    case 'bigint':
      return value;
    case 'boolean':
      return value ? 1n : 0n;
    case 'number':
      return Number.isFinite(value)
        ? BigInt(Math.trunc(value))
        : Number.isNaN(value)
          ? null
          : LARGEST_INTEGER + 1n;
    case 'string': {
      const text = value.trim();
      if (WHOLE.test(text)) return text.length > 32 ? LARGEST_INTEGER + 1n : BigInt(text.replace(/^\+/u, ''));
      return DECIMAL.test(text) ? toInteger(Number(text)) : null;
    }
  }
  return value === null ? null : undefined;
}

function toFloat(value: CypherValue): CypherValue | undefined {
  switch (typeof value) {
    case 'bigint':
      return Number(value);
    case 'number':
      return value;
    case 'string': {
      const text = value.trim();
      return DECIMAL.test(text) ? Number(text) : (NAMED.get(text) ?? null);
    }
  }
  return value === null ? null : undefined;
}

const NAMED: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function toBoolean(value: CypherValue): CypherValue | undefined {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'bigint':
      return value !== 0n;
    case 'string': {
      const text = value.trim().toLowerCase();
      return text === 'true' ? true : text === 'false' ? false : null;
    }
  }
  return value === null ? null : undefined;
}

function toText(value: CypherValue): CypherValue | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return floatText(value);
    case 'bigint':
    case 'boolean':
      return String(value);
  }
  if (isInstant(value) || isDuration(value)) return temporalText(value);
  return value === null ? null : undefined;
}
