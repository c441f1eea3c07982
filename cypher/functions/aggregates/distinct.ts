import type { CypherValue } from '../../value.js';
import { keyOf, type ValueKey } from '../../values/index.js';
import type { Aggregator } from './aggregator.js';

const ENTRY = 40;

/** Lets every value through once. */
export class Distinct implements Aggregator {
  readonly #seen = new Set<ValueKey>();
  #seenBytes = 0;

  constructor(private readonly inner: Aggregator) {}

  get bytes(): number {
    return this.inner.bytes + this.#seenBytes;
  }

  add(value: CypherValue, parameter: CypherValue): void {
    const key = keyOf(value);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#seenBytes += ENTRY + (typeof key === 'string' ? 2 * key.length : 0);
    this.inner.add(value, parameter);
  }

  result(): CypherValue {
    return this.inner.result();
  }
}
