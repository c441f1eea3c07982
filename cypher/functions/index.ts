export { type Aggregator, makeAggregate } from './make-aggregate.js';
export { FUNCTIONS } from './registry.js';
export type {
  AggregateFunction,
  CallSite,
  CypherFunction,
  FunctionGroup,
  RunFunction,
  ScalarFunction,
  Signature,
} from './signature.js';
export { unsupportedFunction } from './unsupported.js';
