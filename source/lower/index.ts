export { argumentsOf, callOf, lowerExpression, memberAt, nameAt } from './expressions.js';
export { lower } from './lower.js';
export type { RouteCall, RouteDecorator, RouteRules } from './routes.js';
export type * from './rules.js';
export { kinds } from './rules.js';
export type { FoundName, NewBinding, Scope } from './scopes.js';
export type { LineRules } from './source-text.js';
export { NONE, type NodeId } from './syntax-tree.js';
export { lastName } from './types.js';
