import type { CypherValue } from '../value.js';

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

/** To a whole number; halves go up. */
export function roundToWhole(value: number): number {
  return Math.abs(value) >= WHOLE_FROM ? value : Math.floor(value + 0.5);
}

/** To so many places; null where there is no such mode. Works on the digits as they are written, so that 1.005 is a half. */
export function roundTo(value: number, places: number, mode: CypherValue): number | null {
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
