import type { CypherValue } from '../../value.js';
import { checked, wrongKind } from '../../values/index.js';
import type { CallSite } from '../signature.js';
import type { Aggregator } from './aggregator.js';

const BYTES = 32;

/** INTEGERs stay INTEGERs; one FLOAT makes the sum a FLOAT. */
export class Sum implements Aggregator {
  readonly bytes = BYTES;
  #whole = 0n;
  #float: number | null = null;

  constructor(private readonly at: CallSite) {}

  add(value: CypherValue): void {
    if (typeof value === 'bigint') this.#whole += value;
    else if (typeof value === 'number') this.#float = (this.#float ?? 0) + value;
    else if (value !== null) throw wrongKind(`${this.at.name}()`, 'numbers', value, this.at.span);
  }

  result(): CypherValue {
    return this.#float === null ? checked(this.#whole, this.at.span) : Number(this.#whole) + this.#float;
  }
}

/** The mean, a FLOAT; null of nothing. */
export class Average implements Aggregator {
  readonly bytes = BYTES;
  #whole = 0n;
  #float = 0;
  #count = 0;

  constructor(private readonly at: CallSite) {}

  add(value: CypherValue): void {
    if (value === null) return;
    if (typeof value === 'bigint') this.#whole += value;
    else if (typeof value === 'number') this.#float += value;
    else throw wrongKind(`${this.at.name}()`, 'numbers', value, this.at.span);
    this.#count += 1;
  }

  result(): CypherValue {
    return this.#count === 0 ? null : (Number(this.#whole) + this.#float) / this.#count;
  }
}

/** The standard deviation, by Welford's method: one pass, and no large squares to subtract; 0.0 where too few. */
export class Deviation implements Aggregator {
  readonly bytes = BYTES;
  #count = 0;
  #mean = 0;
  #squares = 0;

  constructor(
    private readonly at: CallSite,
    /** 1: of a sample, 0: of all there is. */
    private readonly missing: 0 | 1,
  ) {}

  add(value: CypherValue): void {
    if (value === null) return;
    if (typeof value !== 'bigint' && typeof value !== 'number') {
      throw wrongKind(`${this.at.name}()`, 'numbers', value, this.at.span);
    }
    const number = Number(value);
    const off = number - this.#mean;
    this.#count += 1;
    this.#mean += off / this.#count;
    this.#squares += off * (number - this.#mean);
  }

  result(): CypherValue {
    const among = this.#count - this.missing;
    return among <= 0 ? 0 : Math.sqrt(this.#squares / among);
  }
}
