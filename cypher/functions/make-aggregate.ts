import type { Span } from '../ast.js';
import { type Aggregator, Count, Distinct } from './aggregates/index.js';
import { FUNCTIONS } from './registry.js';

export type { Aggregator };

/**
 * A fresh aggregator for one group.
 * @param name In any case; null: `count(*)`.
 * @throws {TypeError} where no aggregate is called so.
 */
export function makeAggregate(name: string | null, distinct: boolean, span: Span): Aggregator {
  if (name === null) return new Count();
  const found = FUNCTIONS.get(name.toLowerCase());
  if (found?.kind !== 'aggregate') throw new TypeError(`${name} is no aggregate`);
  const aggregator = found.make({ name: found.name, span });
  return distinct ? new Distinct(aggregator) : aggregator;
}
