import { z } from 'zod';

/** An object with any keys, all of them kept: `z.record` leaves out a key `__proto__`. */
export const anyObject = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'expected an object',
  )
  .meta({ type: 'object' });
