import {
  type Aggregator,
  Average,
  Collect,
  Count,
  Deviation,
  Extreme,
  Percentile,
  Sum,
} from './aggregates/index.js';
import { type AggregateFunction, type CallSite, readSignature } from './signature.js';

/** Functions over the rows of a group; nulls count for none of them. */
export const AGGREGATE_FUNCTIONS = [
  aggregate('count(value)', 'How many values; count(*) counts rows.', 'count(x)', '3', () => new Count()),
  aggregate('collect(value)', 'All values as a list.', 'collect(x)', '[1, 2, 2]', () => new Collect()),
  aggregate('sum(number)', 'The sum; 0 of nothing.', 'sum(DISTINCT x)', '3', (at) => new Sum(at)),
  aggregate('avg(number)', 'The mean, a FLOAT.', 'avg(DISTINCT x)', '1.5', (at) => new Average(at)),
  aggregate('min(value)', 'The least, as ORDER BY sorts.', 'min(x)', '1', () => new Extreme(-1)),
  aggregate('max(value)', 'The greatest, as ORDER BY sorts.', 'max(x)', '2', () => new Extreme(1)),
  aggregate(
    'stDev(number)',
    'The standard deviation of a sample.',
    'round(stDev(x), 3)',
    '0.577',
    (at) => new Deviation(at, 1),
  ),
  aggregate(
    'stDevP(number)',
    'The standard deviation of all.',
    'round(stDevP(x), 3)',
    '0.471',
    (at) => new Deviation(at, 0),
  ),
  aggregate(
    'percentileDisc(number, percentile)',
    'The value nearest to a percentile, from 0.0 to 1.0.',
    'percentileDisc(x, 0.5)',
    '2',
    (at) => new Percentile(at, false),
  ),
  aggregate(
    'percentileCont(number, percentile)',
    'The percentile, between two values where it lies there.',
    'percentileCont(x, 0.25)',
    '1.5',
    (at) => new Percentile(at, true),
  ),
];

function aggregate(
  signature: string,
  doc: string,
  example: string,
  gives: string,
  make: (at: CallSite) => Aggregator,
): AggregateFunction {
  return {
    ...readSignature(signature),
    kind: 'aggregate',
    group: 'aggregates',
    aggregate: true,
    doc,
    example,
    gives,
    make,
  };
}
