export type { Aggregator } from './aggregator.js';
export { Collect, Count, Extreme } from './counting.js';
export { Distinct } from './distinct.js';
export { Percentile } from './percentiles.js';
export { Average, Deviation, Sum } from './summing.js';
