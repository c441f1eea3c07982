export { CONFIDENCES, type Confidence } from './confidence.js';
export { type Question, type Ranked, rankAttempts, type Shared } from './rank.js';
export type { FailureMatch } from './similar-failures.js';
export { latestAtFile, PARTS, type Parts } from './similar-prompts.js';
export {
  ATTEMPT_INDEXES,
  ATTEMPT_RECORDS,
  type AttemptContext,
  AttemptStore,
  type KnownAttempt,
} from './store.js';
export { AttemptWriter, type StoreContext, storeAttempts, type Touches } from './write.js';
