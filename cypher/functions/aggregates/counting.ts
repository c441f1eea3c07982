import type { CypherValue } from '../../value.js';
import { order, sizeOf } from '../../values/index.js';
import type { Aggregator } from './aggregator.js';

const REFERENCE = 8;

/** How many values are not null. */
export class Count implements Aggregator {
  readonly bytes = REFERENCE;
  #count = 0;

  add(value: CypherValue): void {
    if (value !== null) this.#count += 1;
  }

  result(): CypherValue {
    return BigInt(this.#count);
  }
}

/** All values that are not null, in the order of the rows. */
export class Collect implements Aggregator {
  bytes = REFERENCE;
  readonly #values: CypherValue[] = [];

  add(value: CypherValue): void {
    if (value === null) return;
    this.#values.push(value);
    this.bytes += REFERENCE + sizeOf(value);
  }

  result(): CypherValue {
    return this.#values;
  }
}

/** The least or greatest value as ORDER BY sees it, nulls left out. */
export class Extreme implements Aggregator {
  readonly bytes = REFERENCE;
  #best: CypherValue = null;

  constructor(
    /** 1: the greatest, -1: the least. */
    private readonly way: 1 | -1,
  ) {}

  add(value: CypherValue): void {
    if (value === null) return;
    if (this.#best === null || order(value, this.#best) * this.way > 0) this.#best = value;
  }

  result(): CypherValue {
    return this.#best;
  }
}
