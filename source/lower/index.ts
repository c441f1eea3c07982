export { AssignedNames, type Branch } from './assigned.js';
export { Comments } from './comments.js';
export { bindInHead, decorate, lowerDeclaration } from './declarations.js';
export {
  argumentNamed,
  argumentsOf,
  callOf,
  constructionAbove,
  delegation,
  eitherOf,
  lowerExpression,
  memberAt,
  nameAt,
} from './expressions.js';
export { lower } from './lower.js';
export type { RouteCall, RouteDecorator, RouteRules } from './routes.js';
export type * from './rules.js';
export { kinds } from './rules.js';

export type { FoundName, NewBinding, Scope } from './scopes.js';
export { type LineRules, SourceText } from './source-text.js';
export { NONE, type NodeId, type NodeRules, SyntaxTree } from './syntax-tree.js';

export { lastName, typeOfName } from './types.js';
