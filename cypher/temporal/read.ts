import type { CypherDuration, CypherInstant } from '../value.js';
import { daysInMonth, daysOf } from './calendar.js';
import { durationOf } from './duration.js';
import { type Fail, HOUR, MADE_OF, MINUTE, SECOND } from './units.js';

const DATE = /^(\d{4}|[+-]\d{4,9})(?:-(\d\d)(?:-(\d\d))?|(\d\d)(\d\d)?)?$/;
const TIME = /^(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?$/;
const OFFSET = /^([+-])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?$/;
/** A time and what says its zone, if anything does. */
const ZONED = /^(.*?)(Z|z|[+-]\d\d(?::?\d\d(?::?\d\d)?)?)?(\[[^[]*\])?$/;
const DURATION =
  /^(-)?P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)W)?(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?\d+)(?:\.(\d{1,9}))?S)?)?$/;

/** An instant from a text as ISO 8601 has it: `2024-05-06T07:08:09.5+02:00` or parts of it. */
export function readInstant(kind: CypherInstant['kind'], text: string, fail: Fail): CypherInstant {
  const made = MADE_OF[kind];
  const cut = made.date && made.time ? text.indexOf('T') : made.date ? text.length : -1;
  const date = cut < 0 ? (made.date ? text : '') : text.slice(0, cut);
  const clock = made.time ? (made.date && cut < 0 ? '' : text.slice(cut + 1)) : '';
  const [, time = '', zone = '', name] = ZONED.exec(clock) ?? [];
  if (name !== undefined) throw fail(NO_ZONE_NAMES);
  if (zone !== '' && !made.zone) throw fail(`a ${kind} has no offset`);
  if (made.time && !made.date && time === '') throw fail(`'${text}' is no ${kind}`);
  return {
    kind,
    day: made.date ? readDay(date, fail) : 0,
    nanos: time === '' ? 0 : readClock(time, fail),
    offset: zone === '' ? 0 : readOffset(zone, fail),
  };
}

const NO_ZONE_NAMES = "zones are offsets here, like '+01:00', not names";

function readDay(text: string, fail: Fail): number {
  const found = DATE.exec(text);
  if (found === null) throw fail(`'${text}' is no date like '2024-05-06'`);
  const year = Number(found[1]);
  const month = Number(found[2] ?? found[4] ?? 1);
  const day = Number(found[3] ?? found[5] ?? 1);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month))
    throw fail(`there is no day '${text}'`);
  return daysOf({ year, month, day });
}

function readClock(text: string, fail: Fail): number {
  const found = TIME.exec(text);
  if (found === null) throw fail(`'${text}' is no time like '07:08:09.5'`);
  const [hour, minute, second] = [Number(found[1]), Number(found[2] ?? 0), Number(found[3] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) throw fail(`there is no time '${text}'`);
  return hour * HOUR + minute * MINUTE + second * SECOND + Number((found[4] ?? '').padEnd(9, '0'));
}

/** Seconds east of UTC from `+01:00`, `-0130` or `Z`. */
export function readOffset(text: string, fail: Fail): number {
  if (text === 'Z' || text === 'z') return 0;
  const found = OFFSET.exec(text);
  if (found === null) throw fail(`${NO_ZONE_NAMES}: '${text}'`);
  const seconds = Number(found[2]) * 3600 + Number(found[3] ?? 0) * 60 + Number(found[4] ?? 0);
  if (seconds > 18 * 3600) throw fail(`'${text}' is more than 18 hours from UTC`);
  return found[1] === '-' ? -seconds : seconds;
}

/** A duration from a text as ISO 8601 has it: `P1Y2M3DT4H5M6.5S`. */
export function readDuration(text: string, fail: Fail): CypherDuration {
  const found = DURATION.exec(text);
  if (found === null || text.endsWith('P') || text.endsWith('T'))
    throw fail(`'${text}' is no duration like 'P1DT2H'`);
  const sign = found[1] === '-' ? -1n : 1n;
  const part = (at: number) => BigInt(found[at] ?? 0) * sign;
  const fraction = BigInt((found[9] ?? '').padEnd(9, '0')) * (found[8]?.startsWith('-') ? -sign : sign);
  return durationOf(
    {
      months: part(2) * 12n + part(3),
      days: part(4) * 7n + part(5),
      nanos: part(6) * BigInt(HOUR) + part(7) * BigInt(MINUTE) + part(8) * BigInt(SECOND) + fraction,
    },
    fail,
  );
}
