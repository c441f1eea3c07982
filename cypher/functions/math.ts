import type { CypherValue } from '../value.js';
import { checked } from '../values/index.js';
import { floatArgument, misfit } from './arguments.js';
import { type CallSite, type RunFunction, readSignature, type ScalarFunction, scalars } from './signature.js';

/** What a mode makes of a number without its sign, and with it. */
const MODES: Readonly<Record<string, (value: number) => number>> = {
  UP: (value) => Math.sign(value) * Math.ceil(Math.abs(value)),
  DOWN: Math.trunc,
  CEILING: Math.ceil,
  FLOOR: Math.floor,
  HALF_UP: (value) => Math.sign(value) * Math.floor(Math.abs(value) + 0.5),
  HALF_DOWN: (value) => Math.sign(value) * Math.ceil(Math.abs(value) - 0.5),
  HALF_EVEN: halfEven,
};

/** From here on a FLOAT has no places behind the point. */
const WHOLE_FROM = 2 ** 52;

const mathematics = scalars('mathematics');

/** A function from a number to a FLOAT. */
function float(
  name: string,
  doc: string,
  example: readonly [string, string],
  calculate: (value: number) => number,
): ScalarFunction {
  return mathematics(`${name}(number)`, doc, example, (at, value) => calculate(floatArgument(at, value)));
}

/** Functions of numbers. */
export const MATH_FUNCTIONS = [
  mathematics('abs(number)', 'Without its sign.', ['abs(-3)', '3'], (at, value) => {
    if (typeof value === 'bigint') return value < 0n ? checked(-value, at.span) : value;
    return Math.abs(floatArgument(at, value));
  }),
  mathematics('sign(number)', '-1, 0 or 1.', ['sign(-2.5)', '-1'], sign),
  float('ceil', 'The next whole number up, as a FLOAT.', ['ceil(1.2)', '2.0'], Math.ceil),
  float('floor', 'The next whole number down, as a FLOAT.', ['floor(1.8)', '1.0'], Math.floor),
  mathematics(
    'round(number, precision?, mode?)',
    "To so many places; halves go up, with a precision away from zero, or as mode says: 'HALF_EVEN', 'HALF_DOWN', 'UP', 'DOWN', 'CEILING', 'FLOOR'.",
    ['round(3.14159, 2)', '3.14'],
    round,
  ),
  float('sqrt', 'Square root.', ['sqrt(16)', '4.0'], Math.sqrt),
  float('exp', 'e to this power.', ['exp(0)', '1.0'], Math.exp),
  float('log', 'Natural logarithm.', ['log(1)', '0.0'], Math.log),
  float('log10', 'Logarithm to base 10.', ['log10(100)', '2.0'], Math.log10),
  float('sin', 'Sine.', ['sin(0)', '0.0'], Math.sin),
  float('cos', 'Cosine.', ['cos(0)', '1.0'], Math.cos),
  float('tan', 'Tangent.', ['tan(0)', '0.0'], Math.tan),
  float('cot', 'Cotangent.', ['round(cot(pi() / 4))', '1.0'], (value) => 1 / Math.tan(value)),
  float('asin', 'Arc sine.', ['asin(0)', '0.0'], Math.asin),
  float('acos', 'Arc cosine.', ['acos(1)', '0.0'], Math.acos),
  float('atan', 'Arc tangent.', ['atan(0)', '0.0'], Math.atan),
  mathematics('atan2(y, x)', 'The angle of a point.', ['atan2(0, 1)', '0.0'], (at, y, x) =>
    Math.atan2(floatArgument(at, y), floatArgument(at, x)),
  ),
  float('sinh', 'Hyperbolic sine.', ['sinh(0)', '0.0'], Math.sinh),
  float('cosh', 'Hyperbolic cosine.', ['cosh(0)', '1.0'], Math.cosh),
  float('tanh', 'Hyperbolic tangent.', ['tanh(0)', '0.0'], Math.tanh),
  float('degrees', 'From radians.', ['degrees(pi())', '180.0'], (value) => (value * 180) / Math.PI),
  float('radians', 'From degrees.', ['radians(180) = pi()', 'true'], (value) => (value * Math.PI) / 180),
  float('haversin', 'Half the versed sine.', ['haversin(0)', '0.0'], (value) => (1 - Math.cos(value)) / 2),
  mathematics('pi()', 'Half the way around.', ['floor(pi())', '3.0'], () => Math.PI),
  mathematics('e()', 'The base of natural logarithms.', ['floor(e())', '2.0'], () => Math.E),
  ofRun('rand()', 'A number from 0.0 up to, not including, 1.0.', 'rand()', (run) => run.random()),
  ofRun('timestamp()', 'Milliseconds since 1970, the same in all of a query.', 'timestamp()', (run) =>
    BigInt(Math.trunc(run.now())),
  ),
];

function ofRun(signature: string, doc: string, example: string, call: RunFunction['call']): RunFunction {
  return {
    ...readSignature(signature),
    kind: 'run',
    group: 'mathematics',
    aggregate: false,
    doc,
    example,
    gives: null,
    call,
  };
}

function sign(at: CallSite, value: CypherValue): bigint {
  if (typeof value === 'bigint') return value > 0n ? 1n : value < 0n ? -1n : 0n;
  const float = floatArgument(at, value);
  return float > 0 ? 1n : float < 0 ? -1n : 0n;
}

function round(at: CallSite, value: CypherValue, precision?: CypherValue, mode?: CypherValue): number {
  const float = floatArgument(at, value);
  if (precision === undefined) return roundToWhole(float);
  const places = floatArgument(at, precision);
  if (!Number.isInteger(places) || places < 0) throw misfit(at, 'a precision from 0 on', precision);
  const rounded = roundTo(float, places, mode === undefined ? 'HALF_UP' : mode);
  if (rounded === null) throw misfit(at, 'a mode of rounding', mode ?? null);
  return rounded;
}

/** To a whole number; halves go up. */
function roundToWhole(value: number): number {
  return Math.abs(value) >= WHOLE_FROM ? value : Math.floor(value + 0.5);
}

/** To so many places; null where there is no such mode. Works on the digits as they are written, so that 1.005 is a half. */
function roundTo(value: number, places: number, mode: CypherValue): number | null {
  const rounding = typeof mode === 'string' ? MODES[mode.toUpperCase()] : undefined;
  if (rounding === undefined) return null;
  const moved = shifted(value, places);
  if (!Number.isFinite(moved) || Math.abs(moved) >= WHOLE_FROM) return value;
  return shifted(rounding(moved), -places);
}

/** Times ten to the power of places, exact in the digits. */
function shifted(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

function halfEven(value: number): number {
  const below = Math.floor(value);
  const over = value - below;
  if (over === 0.5) return below % 2 === 0 ? below : below + 1;
  return over < 0.5 ? below : below + 1;
}
