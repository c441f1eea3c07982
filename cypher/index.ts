export { CypherError } from './cypher-error.js';
export type { Awaitable, CypherGraph, ExpandDirection, HopPattern, NodeHop, SeekValues } from './graph.js';
export type { DescribedPlan, Survey } from './plan/index.js';
export { PreparedQueries, PreparedQuery } from './prepared.js';
export { type CypherResult, type RunOptions, run } from './run.js';
export { temporalText } from './temporal/index.js';
export type { CypherMap, CypherNode, CypherPath, CypherRelationship, CypherValue } from './value.js';
export { Watch } from './watch.js';
