/** Milliseconds since 1970 up to the year 9999: what ISO 8601 writes with four digits. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Milliseconds since 1970 of a time as clients give it, ISO 8601 or milliseconds; null for what is none. */
export function timeOf(given: string | number): number | null {
  const asNumber = typeof given === 'string' && /^\d{9,}(?:\.\d+)?$/u.test(given) ? Number(given) : given;
  const time = typeof asNumber === 'number' ? asNumber : Date.parse(asNumber);
  return Number.isFinite(time) && time >= 0 && time <= LAST ? time : null;
}

/** A time as the graph stores it: ISO 8601 in UTC with milliseconds. */
export function isoOf(time: number): string {
  return new Date(time).toISOString();
}
