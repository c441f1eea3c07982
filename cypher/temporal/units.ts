/** Nanoseconds. */
export const SECOND = 1_000_000_000;
/** Nanoseconds. */
export const MINUTE = 60 * SECOND;
/** Nanoseconds. */
export const HOUR = 60 * MINUTE;
/** Nanoseconds. */
export const DAY = 24 * HOUR;

/** What the kinds of instants are made of. */
export const MADE_OF = {
  date: { date: true, time: false, zone: false },
  localtime: { date: false, time: true, zone: false },
  time: { date: false, time: true, zone: true },
  localdatetime: { date: true, time: true, zone: false },
  datetime: { date: true, time: true, zone: true },
} as const;

/** Makes an error out of what is wrong. */
export type Fail = (message: string) => Error;
