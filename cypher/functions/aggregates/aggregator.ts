import type { CypherValue } from '../../value.js';

/** One aggregate over the rows of one group. */
export interface Aggregator {
  /**
   * One row. @param value The first argument; true for `count(*)`.
   * @param parameter The second argument, which only the percentiles have; null else.
   */
  add(value: CypherValue, parameter: CypherValue): void;
  /** May be asked once, at the end. */
  result(): CypherValue;
  /** What it keeps, about, in bytes; grows with what is added. */
  readonly bytes: number;
}
