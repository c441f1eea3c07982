import { randomBytes } from 'node:crypto';
import type { IdSource } from '../runtime/index.js';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Ids that sort by time: 10 characters of milliseconds since 1970, a counter of 4 that keeps the order within one
 * millisecond, and 12 of chance, in Crockford's base 32 (the ULID layout).
 */
export function timeSortableIds(now: () => number): IdSource {
  let last = 0;
  let counter = 0;
  return () => {
    const time = Math.max(now(), last);
    counter = time === last ? counter + 1 : 0;
    last = time;
    return (
      base32(time, 10) + base32(counter, 4) + [...randomBytes(12)].map((byte) => ALPHABET[byte % 32]).join('')
    );
  };
}

function base32(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32))
    text = ALPHABET[rest % 32] + text;
  return text;
}
