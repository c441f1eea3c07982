import { z } from 'zod';

/** Whether a value is an object, and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with any keys, all of them kept: `z.record` leaves out a key `__proto__`. */
export const anyObject = z
  .custom<Record<string, unknown>>(isRecord, 'expected an object')
  .meta({ type: 'object' });
