import { randomUUID } from 'node:crypto';

/*
 * The name of a file in the journal: seconds since 1970, nanoseconds (a lone 0 where the recorder's clock had none),
 * the recorder's pid, and chance. So names sort by time, and no two are ever the same.
 */

const NAME = /^(\d{10,12})\.(\d{9}|0)\.\d+\.[0-9a-z]{8,64}$/u;
const NANOS = 1_000_000;

/** A name that no other file has, had or will have. @param now Milliseconds since 1970. */
export function newEntryName(now: number, pid: number): string {
  const seconds = Math.floor(now / 1000);
  const nanos = Math.floor((now - seconds * 1000) * NANOS);
  return `${seconds}.${String(nanos).padStart(9, '0')}.${pid}.${randomUUID().replaceAll('-', '')}`;
}

/** What a name tells of the time. */
export interface NamedTime {
  /** Milliseconds since 1970, with a fraction. */
  readonly at: number;
  /** Whether it is told to the second only. */
  readonly coarse: boolean;
}

/** The time in a name; null where no recorder of ours made the name. */
export function timeInName(name: string): NamedTime | null {
  const found = NAME.exec(name);
  if (found === null) return null;
  const [, seconds = '', nanos = ''] = found;
  return { at: Number(seconds) * 1000 + Number(nanos) / NANOS, coarse: nanos === '0' };
}
