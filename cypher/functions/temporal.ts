import type { RunValues } from '../run-values.js';
import {
  converted,
  durationFromMap,
  instantFromMap,
  instantOf,
  readDuration,
  readInstant,
} from '../temporal/index.js';
import type { CypherInstant, CypherValue } from '../value.js';
import { isDuration, isInstant, isMap, valueFault } from '../values/index.js';
import { misfit } from './arguments.js';
import { type CallSite, type RunFunction, readSignature, type ScalarFunction, scalars } from './signature.js';

const time = scalars('time');

/** Functions that make dates, times and durations. Zones are offsets, not names. */
export const TEMPORAL_FUNCTIONS: readonly (RunFunction | ScalarFunction)[] = [
  instant('date', 'date', 'A day', "date('2024-05-06').dayOfWeek", '1'),
  instant(
    'datetime',
    'datetime',
    'A day and time with an offset from UTC',
    'datetime({epochMillis: 0})',
    "datetime('1970-01-01T00:00Z')",
  ),
  instant('localdatetime', 'localdatetime', 'A day and time', "localdatetime('2024-05-06T07:08').hour", '7'),
  instant('time', 'time', 'A time of day with an offset from UTC', "time('07:08+01:00').offset", "'+01:00'"),
  instant(
    'localtime',
    'localtime',
    'A time of day',
    "localtime({hour: 7}) + duration('PT90M')",
    "localtime('08:30')",
  ),
  time(
    'duration(value)',
    'A length of time from a map or an ISO 8601 text.',
    ["date('2024-01-31') + duration({months: 1})", "date('2024-02-29')"],
    (at, value) => {
      if (isMap(value)) return durationFromMap(value, failure(at));
      if (typeof value === 'string') return readDuration(value, failure(at));
      if (isDuration(value)) return value;
      throw misfit(at, 'a map, a text or a duration', value);
    },
  ),
];

function instant(
  name: string,
  kind: CypherInstant['kind'],
  what: string,
  example: string,
  gives: string,
): RunFunction {
  return {
    ...readSignature(`${name}(value?)`),
    kind: 'run',
    group: 'time',
    aggregate: false,
    doc: `${what}: from a map, an ISO 8601 text or another time; now, where nothing is given.`,
    example,
    gives,
    call: (run, at, ...values) => make(kind, run, at, values),
  };
}

function make(
  kind: CypherInstant['kind'],
  run: RunValues,
  at: CallSite,
  [value]: readonly CypherValue[],
): CypherValue {
  if (value === undefined) return instantOf(kind, run.now());
  if (value === null) return null;
  if (isMap(value)) return instantFromMap(kind, value, failure(at));
  if (typeof value === 'string') return readInstant(kind, value, failure(at));
  if (isInstant(value)) return converted(kind, value, failure(at));
  throw misfit(at, 'a map, a text or another time', value);
}

function failure(at: CallSite) {
  return (message: string) =>
    valueFault('ArgumentError', 'InvalidArgumentValue', `${at.name}(): ${message}.`, at.span);
}
