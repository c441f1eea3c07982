import { CodewalkError } from '../schema/index.js';
import type { Location } from './refs.js';

/**
 * The locations that somebody named: holes (null and undefined, as `nodes` leaves them) are dropped.
 *
 * @param verb What is done with them, for the message: `visit`.
 * @throws CodewalkError `INVALID_INPUT` naming what is no location.
 */
export function locationsOf(target: unknown, verb: string): readonly Location[] {
  const given: readonly unknown[] = Array.isArray(target) ? target : [target];
  if (given.every(isLocation)) return given;
  return given.filter((item) => item !== undefined && item !== null).map((item) => checked(item, verb));
}

/** Whether a value is a reference of a node or an edge. */
export function isLocation(value: unknown): value is Location {
  if (typeof value !== 'object' || value === null || !('archetype' in value)) return false;
  const { archetype } = value;
  if (typeof archetype !== 'object' && typeof archetype !== 'function') return false;
  return archetype !== null && 'element' in archetype && 'id' in value && typeof value.id === 'string';
}

/** The error of something that cannot be used as a location. */
export function notALocation(value: unknown, verb: string): CodewalkError {
  return new CodewalkError('INVALID_INPUT', `cannot ${verb} ${shown(value)}: it is no node or edge`, {
    suggestion: 'Give references: of a path expression, of ctx.node(id), or of ctx.create(…).',
  });
}

/** A value in a message, cut where it is long. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? `'${value}'` : (jsonOf(value) ?? String(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const LONGEST = 80;

function checked(item: unknown, verb: string): Location {
  if (isLocation(item)) return item;
  throw notALocation(item, verb);
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Circular, or with a big integer.
    return undefined;
  }
}
