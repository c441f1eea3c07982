import type { CypherDuration, CypherInstant, CypherMap } from '../value.js';
import { calendarDay, daysInMonth, daysOf } from './calendar.js';
import { moved } from './instant.js';
import { DAY, type Fail, HOUR, MINUTE, SECOND } from './units.js';

/** How much of what one of each field is. */
const FIELDS: ReadonlyMap<string, readonly [of: 'months' | 'days' | 'nanos', count: bigint]> = new Map([
  ['years', ['months', 12n]],
  ['quarters', ['months', 3n]],
  ['months', ['months', 1n]],
  ['weeks', ['days', 7n]],
  ['days', ['days', 1n]],
  ['hours', ['nanos', BigInt(HOUR)]],
  ['minutes', ['nanos', BigInt(MINUTE)]],
  ['seconds', ['nanos', BigInt(SECOND)]],
  ['milliseconds', ['nanos', 1_000_000n]],
  ['microseconds', ['nanos', 1000n]],
  ['nanoseconds', ['nanos', 1n]],
]);

/** Beyond this many of a part nothing that it could be added to would be left on any calendar. */
const MOST = 2n ** 40n;
const MOST_NANOS = MOST * BigInt(SECOND);

/** A duration of these parts, if they are not out of all bounds. */
export function durationOf(
  parts: { readonly months: bigint; readonly days: bigint; readonly nanos: bigint },
  fail: Fail,
): CypherDuration {
  const { months, days, nanos } = parts;
  const large = (count: bigint, most: bigint) => count > most || count < -most;
  if (large(months, MOST) || large(days, MOST) || large(nanos, MOST_NANOS))
    throw fail('this duration is too long');
  return { kind: 'duration', months: Number(months), days: Number(days), nanos };
}

/** `duration({days: 1, hours: 2})`. */
export function durationFromMap(map: CypherMap, fail: Fail): CypherDuration {
  const parts = { months: 0n, days: 0n, nanos: 0n };
  for (const [name, value] of map) {
    const field = FIELDS.get(name);
    if (field === undefined)
      throw fail(`a duration is made of ${[...FIELDS.keys()].join(', ')}, not of ${name}`);
    if (typeof value !== 'bigint') throw fail(`${name} is an INTEGER`);
    parts[field[0]] += value * field[1];
  }
  return durationOf(parts, fail);
}

/** The sum of two durations, part by part. @param sign -1: the difference. */
export function durationSum(a: CypherDuration, b: CypherDuration, sign: 1 | -1, fail: Fail): CypherDuration {
  const [times, months, days] = [BigInt(sign), BigInt(a.months), BigInt(a.days)];
  return durationOf(
    {
      months: months + times * BigInt(b.months),
      days: days + times * BigInt(b.days),
      nanos: a.nanos + times * b.nanos,
    },
    fail,
  );
}

/** An instant and a duration. @param sign -1: that long before it. */
export function later(instant: CypherInstant, by: CypherDuration, sign: 1 | -1): CypherInstant {
  const parts = { months: sign * by.months, days: sign * by.days, nanos: BigInt(sign) * by.nanos };
  return moved(instant, parts, monthsLater);
}

function monthsLater(days: number, months: number): number {
  if (months === 0) return days;
  const { year, month, day } = calendarDay(days);
  const count = year * 12 + month - 1 + months;
  const moved = { year: Math.floor(count / 12), month: (((count % 12) + 12) % 12) + 1 };
  return daysOf({ ...moved, day: Math.min(day, daysInMonth(moved.year, moved.month)) });
}

/** As ISO 8601 writes it: `P1Y2M3DT4H5M6.5S`; `PT0S` for none. */
export function durationText({ months, days, nanos }: CypherDuration): string {
  const [hours, minutes] = [nanos / BigInt(HOUR), (nanos % BigInt(HOUR)) / BigInt(MINUTE)];
  const date = [
    part(BigInt(Math.trunc(months / 12)), 'Y'),
    part(BigInt(months % 12), 'M'),
    part(BigInt(days), 'D'),
  ].join('');
  const time = [part(hours, 'H'), part(minutes, 'M'), secondsText(nanos % BigInt(MINUTE))].join('');
  if (date === '' && time === '') return 'PT0S';
  return `P${date}${time === '' ? '' : `T${time}`}`;
}

function part(count: bigint, letter: string): string {
  return count === 0n ? '' : `${count}${letter}`;
}

function secondsText(nanos: bigint): string {
  if (nanos === 0n) return '';
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = (size % BigInt(SECOND))
    .toString()
    .padStart(9, '0')
    .replace(/(?<!0)0+$/, '');
  return `${nanos < 0n ? '-' : ''}${size / BigInt(SECOND)}${fraction === '' ? '' : `.${fraction}`}S`;
}

/** Nanoseconds in a mean month: a twelfth of the Gregorian year. */
const MONTH = 2_629_746n * BigInt(SECOND);

/** About how long it is, to sort by, in nanoseconds. */
export function durationLength({ months, days, nanos }: CypherDuration): bigint {
  return BigInt(months) * MONTH + BigInt(days) * BigInt(DAY) + nanos;
}
