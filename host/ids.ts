import { randomBytes } from 'node:crypto';
import type { IdSource } from '../runtime/index.js';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Ids that sort by the time they were made: 10 characters of milliseconds and 16 of chance in Crockford's
 * base 32 (the ULID layout). Within one millisecond a counter keeps the order.
 *
 * @param now milliseconds since 1970
 * @param random that many random bytes; default: the system's
 */
export function timeSortableIds(
  now: () => number,
  random: (size: number) => Uint8Array = randomBytes,
): IdSource {
  let last = 0;
  let counter = 0;
  return () => {
    const time = Math.max(now(), last);
    counter = time === last ? counter + 1 : 0;
    last = time;
    const chance = [...random(12)].map((byte) => ALPHABET[byte % 32]).join('');
    return base32(time, 10) + base32(counter, 4) + chance;
  };
}

function base32(value: number, length: number): string {
  let text = '';
  for (let rest = value, i = 0; i < length; i++, rest = Math.floor(rest / 32))
    text = ALPHABET[rest % 32] + text;
  return text;
}
