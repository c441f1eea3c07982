import type { CypherDuration, CypherInstant } from '../value.js';
import { calendarDay } from './calendar.js';
import { durationText } from './duration.js';
import { HOUR, MADE_OF, MINUTE, SECOND } from './units.js';

/** As ISO 8601 writes it: seconds only where there are any, fractions by three digits. */
export function temporalText(value: CypherInstant | CypherDuration): string {
  if (value.kind === 'duration') return durationText(value);
  const made = MADE_OF[value.kind];
  const date = made.date ? dateText(value.day) : '';
  const zone = made.zone ? offsetText(value.offset) : '';
  return `${date}${made.date && made.time ? 'T' : ''}${made.time ? clockText(value.nanos) : ''}${zone}`;
}

function dateText(days: number): string {
  const { year, month, day } = calendarDay(days);
  const size = digits(Math.abs(year), 4);
  return `${year < 0 ? '-' : year > 9999 ? '+' : ''}${size}-${digits(month, 2)}-${digits(day, 2)}`;
}

function clockText(nanos: number): string {
  const minutes = `${digits(Math.floor(nanos / HOUR), 2)}:${digits(Math.floor((nanos % HOUR) / MINUTE), 2)}`;
  const rest = nanos % MINUTE;
  if (rest === 0) return minutes;
  const fraction = digits(rest % SECOND, 9).replace(/(?:000){1,3}$/, '');
  return `${minutes}:${digits(Math.floor(rest / SECOND), 2)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `Z`, `+01:00`, or with seconds where there are any. */
export function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const size = Math.abs(offset);
  const parts = [Math.floor(size / 3600), Math.floor((size % 3600) / 60), size % 60];
  const shown = parts.slice(0, size % 60 === 0 ? 2 : 3).map((part) => digits(part, 2));
  return `${offset < 0 ? '-' : '+'}${shown.join(':')}`;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}
