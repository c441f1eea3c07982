export {
  type Called,
  calledThroughValues,
  type KnownCall,
  membersThroughValues,
  type NamedMember,
} from './called.js';
export type { StepBudget } from './evaluation.js';
export { isNarrowed, isOfDerived } from './narrowed.js';
export { fixtureNamed } from './parameters.js';
