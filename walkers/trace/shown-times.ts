const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

export { minuteOf } from '../../present/index.js';

/** The time of day: `12:05:09`; as wide where none is known. */
export function clockOf(iso: string | null): string {
  return iso === null ? ' '.repeat(8) : iso.slice(11, 19);
}

/** How long something took, in at most 7 characters: `12 ms`, `3.4 s`, `12 min`, `2.5 h`. */
export function tookText(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${rounded(ms / SECOND)} s`;
  if (ms < HOUR) return `${rounded(ms / MINUTE)} min`;
  return ms < DAY ? `${rounded(ms / HOUR)} h` : `${Math.round(ms / DAY)} d`;
}

/** From one time to another, as {@link tookText}; null where either is unknown. */
export function between(from: string | null, to: string | null): string | null {
  return from === null || to === null ? null : tookText(Math.max(0, Date.parse(to) - Date.parse(from)));
}

function rounded(number: number): string {
  return number < 10 ? number.toFixed(1) : String(Math.round(number));
}
