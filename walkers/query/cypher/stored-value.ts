import { z } from 'zod';
import type { CypherValue } from '../../../cypher/index.js';
import type { Shape } from '../../../schema/index.js';

/** Makes a Cypher value of a stored one. */
export type ValueReader = (stored: unknown) => CypherValue;

/** Properties as they are stored. */
export type Props = Readonly<Record<string, unknown>>;

/** A stored property by its name, which may be anybody's: `__proto__` is none. */
export function ownValue(props: Props, name: string): unknown {
  return Object.hasOwn(props, name) ? props[name] : null;
}

/** An archetype, as far as its values go. */
interface Shaped {
  readonly shape: Shape;
}

const readers = new WeakMap<Shape, ReadonlyMap<string, ValueReader>>();

/**
 * How a property of an archetype is read: numbers are INTEGER, but for those that the schema does not bind to whole
 * ones. A confidence of 1 is 1.0, a line never is.
 */
export function valueReader({ shape }: Shaped, property: string): ValueReader {
  let known = readers.get(shape);
  if (known === undefined) {
    known = new Map(
      Object.entries(shape).map(([name, schema]) => [name, isFloat(schema) ? floatValue : anyValue]),
    );
    readers.set(shape, known);
  }
  return known.get(property) ?? anyValue;
}

/** A value from JSON or from a store: whole numbers are INTEGER, undefined is null. */
export function anyValue(stored: unknown): CypherValue {
  switch (typeof stored) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return stored;
    case 'number':
      return Number.isSafeInteger(stored) ? BigInt(stored) : stored;
    case 'object':
      if (stored === null) return null;
      if (Array.isArray(stored)) return stored.map(anyValue);
      return new Map(Object.entries(stored).map(([name, value]) => [name, anyValue(value)]));
    default:
      return null;
  }
}

function floatValue(stored: unknown): CypherValue {
  return typeof stored === 'number' ? stored : anyValue(stored);
}

function isFloat(schema: unknown): boolean {
  let inner = schema;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodNullable || inner instanceof z.ZodOptional)
    inner = inner.unwrap();
  return inner instanceof z.ZodNumber && !inner.isInt;
}
