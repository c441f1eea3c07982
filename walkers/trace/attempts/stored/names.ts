/** The largest time that there is, in milliseconds (ECMAScript's time values). */
const LAST = 8_640_000_000_000_000;
const DIGITS = String(2 * LAST).length;

/** All that is kept of attempts beside their text indexes begins like this. */
export const ATTEMPTS = 'attempts/';

/** All attempts by time begin like this, the latest first. */
export const BY_TIME = 'attempts/time/';

/** Where an attempt's summary is kept. */
export function summaryName(task: string): string {
  return `attempts/summed/${task}`;
}

/** Where is kept what failed in an attempt. */
export function failuresName(task: string): string {
  return `attempts/failed/${task}`;
}

/** Where is kept how often an attempt that goes on was written since it was indexed. */
export function openName(task: string): string {
  return `attempts/open/${task}`;
}

/** Where it is told when an attempt began: names sort by time, the latest first, then by id. @param time ISO 8601. */
export function timeName(time: string, task: string): string {
  const at = Date.parse(time);
  return `${BY_TIME}${String(LAST - (Number.isNaN(at) ? -LAST : at)).padStart(DIGITS, '0')}/${task}`;
}

/** The attempt that {@link timeName} is of. */
export function taskOfTime(name: string): string {
  return name.slice(BY_TIME.length + DIGITS + 1);
}
