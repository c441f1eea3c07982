export { type Aggregator, makeAggregate } from './make-aggregate.js';
export { FUNCTIONS } from './registry.js';
export type { CallSite, CypherFunction, RunFunction, ScalarFunction } from './signature.js';
export { unsupportedFunction } from './unsupported.js';
