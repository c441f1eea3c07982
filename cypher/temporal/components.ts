import type { CypherDuration, CypherInstant, CypherValue } from '../value.js';
import { calendarDay, daysOf } from './calendar.js';
import { offsetText } from './show.js';
import { HOUR, MADE_OF, MINUTE, SECOND } from './units.js';

type Component<T> = (of: T) => number | bigint | string;

const OF_DATES: Readonly<Record<string, Component<CypherInstant>>> = {
  year: ({ day }) => calendarDay(day).year,
  quarter: ({ day }) => Math.ceil(calendarDay(day).month / 3),
  month: ({ day }) => calendarDay(day).month,
  day: ({ day }) => calendarDay(day).day,
  ordinalDay: ({ day }) => day - daysOf({ year: calendarDay(day).year, month: 1, day: 1 }) + 1,
  // 1970-01-01 was a Thursday, the fourth day of its week.
  dayOfWeek: ({ day }) => ((((day + 3) % 7) + 7) % 7) + 1,
  weekDay: ({ day }) => ((((day + 3) % 7) + 7) % 7) + 1,
};

const OF_TIMES: Readonly<Record<string, Component<CypherInstant>>> = {
  hour: ({ nanos }) => Math.floor(nanos / HOUR),
  minute: ({ nanos }) => Math.floor((nanos % HOUR) / MINUTE),
  second: ({ nanos }) => Math.floor((nanos % MINUTE) / SECOND),
  millisecond: ({ nanos }) => Math.floor((nanos % SECOND) / 1_000_000),
  microsecond: ({ nanos }) => Math.floor((nanos % SECOND) / 1000),
  nanosecond: ({ nanos }) => nanos % SECOND,
};

const OF_ZONED: Readonly<Record<string, Component<CypherInstant>>> = {
  timezone: ({ offset }) => offsetText(offset),
  offset: ({ offset }) => offsetText(offset),
  offsetMinutes: ({ offset }) => Math.trunc(offset / 60),
  offsetSeconds: ({ offset }) => offset,
};

const OF_MOMENTS: Readonly<Record<string, Component<CypherInstant>>> = {
  epochSeconds: ({ day, nanos, offset }) => day * 86_400 + Math.floor(nanos / SECOND) - offset,
  epochMillis: ({ day, nanos, offset }) => day * 86_400_000 + Math.floor(nanos / 1_000_000) - offset * 1000,
};

const OF_DURATIONS: Readonly<Record<string, Component<CypherDuration>>> = {
  years: ({ months }) => Math.trunc(months / 12),
  months: ({ months }) => months,
  monthsOfYear: ({ months }) => months % 12,
  weeks: ({ days }) => Math.trunc(days / 7),
  days: ({ days }) => days,
  hours: ({ nanos }) => nanos / BigInt(HOUR),
  minutes: ({ nanos }) => nanos / BigInt(MINUTE),
  seconds: ({ nanos }) => nanos / BigInt(SECOND),
  milliseconds: ({ nanos }) => nanos / 1_000_000n,
  microseconds: ({ nanos }) => nanos / 1000n,
  nanoseconds: ({ nanos }) => nanos,
};

/** `instant.year`, `duration.days`; undefined for what it has not. */
export function componentOf(of: CypherInstant | CypherDuration, name: string): CypherValue | undefined {
  const found =
    of.kind === 'duration' ? own(OF_DURATIONS, name)?.(of) : own(instantParts(of.kind), name)?.(of);
  return typeof found === 'number' ? BigInt(found) : found;
}

function own<T>(parts: Readonly<Record<string, Component<T>>>, name: string): Component<T> | undefined {
  return Object.hasOwn(parts, name) ? parts[name] : undefined;
}

function instantParts(kind: CypherInstant['kind']): Readonly<Record<string, Component<CypherInstant>>> {
  const made = MADE_OF[kind];
  return {
    ...(made.date ? OF_DATES : {}),
    ...(made.time ? OF_TIMES : {}),
    ...(made.zone ? OF_ZONED : {}),
    ...(kind === 'datetime' ? OF_MOMENTS : {}),
  };
}
