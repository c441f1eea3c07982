export {
  defineEdge,
  defineNode,
  type EdgeArchetype,
  type EdgeDraft,
  type EdgeOptions,
  type EdgeOrder,
  type EdgeType,
  isA,
  type Layer,
  type NodeArchetype,
  type NodeDraft,
  type NodeOptions,
  type NodeType,
  type PropsInput,
  type PropsOf,
  type Shape,
} from '../schema/index.js';
export {
  type AdjacencyEntry,
  type Awaitable,
  compareIds as compareText,
  type LayerCounts,
} from '../storage/index.js';
export { GenericEdge, ROOT_ID, Root } from './builtin.js';
export { Catalog } from './catalog.js';
export * from './context.js';
export { checkDeclared } from './declared.js';
export { propOf, propsOf } from './element.js';
export type { HopStep } from './evaluate.js';
export { Graph } from './graph.js';
export type { GraphTransaction } from './graph-transaction.js';
export { JoinedCatalog } from './joined-catalog.js';
export type { Slot } from './memory.js';
export type { GraphParts } from './parts.js';
export {
  type Comparison,
  type EdgeExpression,
  type HopDirection,
  type PathExpression,
  predicates,
  type Where,
} from './path.js';
export { type Hop, Reached } from './reached.js';
export * from './refs.js';
export { type Resource, Resources } from './resource.js';
export {
  type Caller,
  type Limits,
  limitText,
  type RunFigures,
  type RunOptions,
  type RunResult,
  type Truncation,
  type WalkResult,
} from './run.js';
export { type Sharing, Stretches, TooLongHere } from './stretches.js';
export type {
  ConnectOptions,
  DisconnectOptions,
  EdgeLike,
  IdSource,
  NodeLike,
  Transaction,
} from './transaction.js';
export { TransactionManager } from './transaction-manager.js';
export * from './walker.js';
