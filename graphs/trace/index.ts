export * from './attempt.js';
export {
  CONFIDENCES,
  latestAtFile,
  PARTS,
  type Question,
  type Ranked,
  rankAttempts,
} from './attempts/rank.js';
export {
  ATTEMPT_INDEXES,
  ATTEMPT_RECORDS,
  AttemptStore,
  storeAttempts,
  writeAttempts,
} from './attempts/store.js';
export * from './event.js';
export { NamedConcepts } from './named-concepts.js';
export * from './record.js';
export { type SimilarSteps, similarSteps } from './similar-steps.js';
export { isName, isProse, type ToolUse, textsOf, toolUse, usageOf } from './tool-use.js';
