import type { CypherInstant, CypherMap, CypherValue } from '../value.js';
import { daysInMonth, daysOf } from './calendar.js';
import { readOffset } from './read.js';
import { DAY, type Fail, HOUR, MADE_OF, MINUTE, SECOND } from './units.js';

/** Fields of a map, each with its bounds; the larger ones may not be left out in front of smaller ones. */
const DATE_FIELDS = { year: [-999_999_999, 999_999_999], month: [1, 12], day: [1, 31] } as const;
const TIME_FIELDS = { hour: [0, 23], minute: [0, 59], second: [0, 59] } as const;
const FRACTIONS = { millisecond: 1_000_000, microsecond: 1000, nanosecond: 1 } as const;

/** `date({year: 2024, month: 5})` and the like: what is left out is the first day, or midnight, in UTC. */
export function instantFromMap(kind: CypherInstant['kind'], map: CypherMap, fail: Fail): CypherInstant {
  const made = MADE_OF[kind];
  if (kind === 'datetime' && (map.has('epochMillis') || map.has('epochSeconds'))) return fromEpoch(map, fail);
  const allowed = [
    ...(made.date ? Object.keys(DATE_FIELDS) : []),
    ...(made.time ? [...Object.keys(TIME_FIELDS), ...Object.keys(FRACTIONS)] : []),
    ...(made.zone ? ['timezone'] : []),
  ];
  for (const key of map.keys())
    if (!allowed.includes(key)) throw fail(`a ${kind} is made of ${allowed.join(', ')}, not of ${key}`);
  return {
    kind,
    day: made.date ? dayFrom(map, fail) : 0,
    nanos: made.time ? nanosFrom(map, fail) : 0,
    offset: made.zone ? offsetFrom(map.get('timezone') ?? null, fail) : 0,
  };
}

/** The parts of an instant that another kind has too: midnight UTC for what it lacks. */
export function converted(kind: CypherInstant['kind'], from: CypherInstant, fail: Fail): CypherInstant {
  const [made, given] = [MADE_OF[kind], MADE_OF[from.kind]];
  if ((made.date && !given.date) || (made.time && !made.date && !given.time))
    throw fail(`a ${from.kind} does not say all of a ${kind}`);
  return {
    kind,
    day: made.date ? from.day : 0,
    nanos: made.time ? from.nanos : 0,
    offset: made.zone ? from.offset : 0,
  };
}

/** An instant of a clock, in UTC. @param millis Since 1970. */
export function instantOf(kind: CypherInstant['kind'], millis: number): CypherInstant {
  const day = Math.floor(millis / 86_400_000);
  const nanos = Math.round((millis - day * 86_400_000) * 1e6);
  return {
    kind,
    day: MADE_OF[kind].date ? day : 0,
    nanos: MADE_OF[kind].time ? nanos : 0,
    offset: 0,
  };
}

function fromEpoch(map: CypherMap, fail: Fail): CypherInstant {
  for (const key of map.keys())
    if (!['epochMillis', 'epochSeconds', 'nanosecond', 'timezone'].includes(key))
      throw fail(`beside an epoch stand nanosecond and timezone, not ${key}`);
  const bound = 8_640_000_000_000_000;
  const millis = map.has('epochMillis')
    ? whole(map, 'epochMillis', [-bound, bound], fail)
    : whole(map, 'epochSeconds', [-bound / 1000, bound / 1000], fail) * 1000;
  const offset = offsetFrom(map.get('timezone') ?? null, fail);
  const most = map.has('epochMillis') ? 999_999 : 999_999_999;
  const more = map.has('nanosecond') ? whole(map, 'nanosecond', [0, most], fail) : 0;
  const local = instantOf('datetime', millis + offset * 1000);
  return { ...local, nanos: local.nanos + more, offset };
}

function dayFrom(map: CypherMap, fail: Fail): number {
  requireInOrder(map, Object.keys(DATE_FIELDS), true, fail);
  const year = whole(map, 'year', DATE_FIELDS.year, fail);
  const month = map.has('month') ? whole(map, 'month', DATE_FIELDS.month, fail) : 1;
  const day = map.has('day') ? whole(map, 'day', DATE_FIELDS.day, fail) : 1;
  if (day > daysInMonth(year, month)) throw fail(`month ${month} of ${year} has no day ${day}`);
  return daysOf({ year, month, day });
}

function nanosFrom(map: CypherMap, fail: Fail): number {
  requireInOrder(map, Object.keys(TIME_FIELDS), false, fail);
  const part = (name: keyof typeof TIME_FIELDS) =>
    map.has(name) ? whole(map, name, TIME_FIELDS[name], fail) : 0;
  let fraction = 0;
  let below = SECOND;
  for (const [name, size] of Object.entries(FRACTIONS)) {
    if (!map.has(name)) continue;
    fraction += whole(map, name, [0, below / size - 1], fail) * size;
    below = size;
  }
  return part('hour') * HOUR + part('minute') * MINUTE + part('second') * SECOND + fraction;
}

function requireInOrder(map: CypherMap, fields: readonly string[], firstToo: boolean, fail: Fail): void {
  const given = fields.map((field) => map.has(field));
  const gap = given.findIndex((has, at) => !has && given.slice(at + 1).includes(true));
  const missing = gap >= 0 ? gap : firstToo && given[0] === false ? 0 : -1;
  if (missing >= 0) throw fail(`${fields[missing]} is missing`);
}

function offsetFrom(zone: CypherValue, fail: Fail): number {
  if (zone === null) return 0;
  if (typeof zone !== 'string') throw fail("timezone is a text like '+01:00'");
  return readOffset(zone, fail);
}

function whole(map: CypherMap, name: string, [least, most]: readonly [number, number], fail: Fail): number {
  const value = map.get(name) ?? null;
  if (typeof value !== 'bigint') throw fail(`${name} is an INTEGER`);
  if (value < BigInt(least) || value > BigInt(most))
    throw fail(`${name} is between ${least} and ${most}, not ${value}`);
  return Number(value);
}

/** Moves an instant by months, then days, then nanoseconds. A day that a month lacks becomes its last one. */
export function moved(
  instant: CypherInstant,
  by: { readonly months: number; readonly days: number; readonly nanos: bigint },
  shifted: (day: number, months: number) => number,
): CypherInstant {
  const made = MADE_OF[instant.kind];
  const total = BigInt(instant.nanos) + by.nanos;
  const size = BigInt(DAY);
  const over = total / size - (total % size < 0n ? 1n : 0n);
  // A date moves by the whole days that hours make, whichever time of day it would begin at.
  const carried = made.time ? Number(over) : Number(by.nanos / size);
  return {
    ...instant,
    day: made.date ? shifted(instant.day, by.months) + by.days + carried : 0,
    nanos: made.time ? Number(total - over * size) : 0,
  };
}
