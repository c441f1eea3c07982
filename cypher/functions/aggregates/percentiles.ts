import type { CypherValue } from '../../value.js';
import { isNumber, order, outOfRange, shown, wrongKind } from '../../values/index.js';
import type { CallSite } from '../signature.js';
import type { Aggregator } from './aggregator.js';

const BYTES_PER_NUMBER = 24;

/** A percentile over numbers: the nearest one there is, or one that lies between two. */
export class Percentile implements Aggregator {
  bytes = BYTES_PER_NUMBER;
  readonly #values: (bigint | number)[] = [];
  #share = 0;

  constructor(
    private readonly at: CallSite,
    private readonly between: boolean,
  ) {}

  add(value: CypherValue, parameter: CypherValue): void {
    this.#share = this.#shareOf(parameter);
    if (value === null) return;
    if (!isNumber(value)) throw wrongKind(`${this.at.name}()`, 'numbers', value, this.at.span);
    this.#values.push(value);
    this.bytes += BYTES_PER_NUMBER;
  }

  result(): CypherValue {
    const sorted = this.#values.sort(order);
    const last = sorted.length - 1;
    if (last < 0) return null;
    if (!this.between) return sorted[Math.max(0, Math.ceil(this.#share * sorted.length) - 1)] ?? null;
    const place = this.#share * last;
    const below = Number(sorted[Math.floor(place)]);
    const above = Number(sorted[Math.ceil(place)]);
    return below === above ? below : below + (above - below) * (place - Math.floor(place));
  }

  #shareOf(parameter: CypherValue): number {
    const share = isNumber(parameter) ? Number(parameter) : Number.NaN;
    if (share >= 0 && share <= 1) return share;
    const message = `${this.at.name}() takes a percentile from 0.0 to 1.0, and was given ${shown(parameter)}.`;
    throw outOfRange('ArgumentError', message, this.at.span);
  }
}
