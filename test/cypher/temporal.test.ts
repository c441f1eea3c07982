import { describe, expect, it } from 'vitest';
import { CypherError } from '../../cypher/index.js';
import { calendarDay, daysInMonth, daysOf } from '../../cypher/temporal/calendar.js';
import { keyOf, literalText, order } from '../../cypher/values/index.js';
import { evaluated } from './evaluate.js';

const said = (expression: string) => literalText(evaluated(expression));

describe('the calendar', () => {
  it('agrees with that of JavaScript, forth and back', () => {
    for (let days = -800_000; days < 800_000; days += 97) {
      const date = new Date(days * 86_400_000);
      const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
      expect(calendarDay(days)).toEqual(day);
      expect(daysOf(day)).toBe(days);
    }
  });

  it('knows leap years', () => {
    expect([1900, 2000, 2023, 2024].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 28, 29]);
  });
});

describe('dates, times and durations', () => {
  it.each([
    ['date({year: 1984, month: 10, day: 11})', "date('1984-10-11')"],
    ["date('19841011')", "date('1984-10-11')"],
    ["date('2015-07')", "date('2015-07-01')"],
    ['date({year: -1})', "date('-0001-01-01')"],
    ['localtime({hour: 10, minute: 35})', "localtime('10:35')"],
    ['localtime({hour: 1, millisecond: 645, nanosecond: 12})', "localtime('01:00:00.645000012')"],
    ["time({hour: 12, minute: 0, second: 1, timezone: '-08:00'})", "time('12:00:01-08:00')"],
    ["time('12:31:14.645+0100')", "time('12:31:14.645+01:00')"],
    ["datetime('2015-07-21T21:40:32.142Z')", "datetime('2015-07-21T21:40:32.142Z')"],
    ['datetime({epochSeconds: 1700000000, nanosecond: 5})', "datetime('2023-11-14T22:13:20.000000005Z')"],
    ["datetime({epochMillis: 0, timezone: '+02:00'})", "datetime('1970-01-01T02:00+02:00')"],
    ["localdatetime('2015-07-21')", "localdatetime('2015-07-21T00:00')"],
    ["date(datetime('2015-07-21T21:40Z'))", "date('2015-07-21')"],
    ['duration({years: 1, months: 14, days: 3, hours: 26, seconds: 61})', "duration('P2Y2M3DT26H1M1S')"],
    ["duration('P1W')", "duration('P7D')"],
    ["duration('-PT1.5S')", "duration('PT-1.5S')"],
    ['duration({})', "duration('PT0S')"],
    ["date('2024-03-31') - duration('P1M')", "date('2024-02-29')"],
    ["date('2024-01-01') + duration('PT50H')", "date('2024-01-03')"],
    ["localtime('23:30') + duration('PT45M')", "localtime('00:15')"],
    ["localdatetime('2024-01-01T00:10') - duration('PT20M')", "localdatetime('2023-12-31T23:50')"],
    ["duration('P1D') + duration('P1M')", "duration('P1M1D')"],
    ["datetime('2024-05-06T07:08:09+02:00').epochMillis", '1714972089000'],
    ["date('2024-12-31').ordinalDay", '366'],
    ["date('1969-12-31').dayOfWeek", '3'],
    ["time('07:08Z').minute", '8'],
    ["duration('P14M').monthsOfYear", '2'],
    ["date('2024-01-01') < date('2024-01-02')", 'true'],
    ["time('10:00+01:00') < time('09:30Z')", 'true'],
    ["time('10:00+01:00') = time('09:00Z')", 'false'],
    ["date('2024-01-01') < time('10:00')", 'null'],
    ["date('2024-01-01') = '2024-01-01'", 'false'],
    ["duration('P1D') = duration('PT24H')", 'false'],
    ["toString(localtime('10:35'))", "'10:35'"],
    ['date(null)', 'null'],
    ['datetime().epochMillis', '1700000000000'],
  ])('%s is %s', (expression, expected) => {
    expect(said(expression)).toBe(expected);
  });

  it.each([
    'date({year: 2023, month: 2, day: 29})',
    'date({month: 2})',
    'date({year: 2024, day: 1})',
    'date({year: 2024, hour: 1})',
    "date('yesterday')",
    "time('25:00')",
    "datetime('2024-01-01T00:00[Europe/Berlin]')",
    "datetime({year: 2024, timezone: 'Europe/Berlin'})",
    "date(time('10:00'))",
    'duration({days: 1.5})',
    "duration('P')",
    "date('2024-01-01').hour",
    "date('2024-01-01').constructor",
    "date('2024-01-01') + 1",
    'duration({days: 9223372036854775807})',
  ])('%s is refused', (expression) => {
    expect(() => evaluated(expression)).toThrow(CypherError);
  });

  it('stand in one order, and DISTINCT sees those as one that are the same', () => {
    const texts = [
      "datetime('2024-01-01T00:00+01:00')",
      "datetime('2024-01-01T00:00Z')",
      "date('1999-01-01')",
      "time('10:00+01:00')",
      "localtime('01:00')",
      "duration('P1D')",
      "duration('P1M')",
      "'text'",
    ];
    const values = texts.map((text) => evaluated(text));
    expect([...values].reverse().sort(order).map(literalText)).toEqual(texts);
    expect(keyOf(evaluated("date('2024-01-01')"))).toBe(keyOf(evaluated('date({year: 2024})')));
    expect(new Set(values.map(keyOf)).size).toBe(texts.length);
  });
});
