import type { CypherDuration, CypherInstant } from '../value.js';
import { durationLength } from './duration.js';
import { SECOND } from './units.js';

/** How two instants of one kind stand: by when they are, then by their offset. 0: the same. */
export function orderInstants(a: CypherInstant, b: CypherInstant): number {
  const [first, second] = [sinceEpoch(a), sinceEpoch(b)];
  if (first !== second) return first < second ? -1 : 1;
  return a.offset - b.offset;
}

/** How two durations stand: by about how long they are, then by their parts. 0: the same. */
export function orderDurations(a: CypherDuration, b: CypherDuration): number {
  const [first, second] = [durationLength(a), durationLength(b)];
  if (first !== second) return first < second ? -1 : 1;
  return a.months - b.months || a.days - b.days;
}

/** In nanoseconds and UTC; of a time of day since some midnight. */
function sinceEpoch({ day, nanos, offset }: CypherInstant): bigint {
  return BigInt(day) * 86_400n * BigInt(SECOND) + BigInt(nanos) - BigInt(offset) * BigInt(SECOND);
}
