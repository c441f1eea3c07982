export { CONFIDENCES, type Question, type Ranked, rankAttempts, type Shared } from './rank.js';
export type { FailureMatch } from './similar-failures.js';
export { latestAtFile, PARTS } from './similar-prompts.js';
export {
  ATTEMPT_INDEXES,
  ATTEMPT_RECORDS,
  type AttemptContext,
  AttemptStore,
  AttemptWriter,
  type KnownAttempt,
  type StoreContext,
  storeAttempts,
  type Touches,
} from './store.js';
