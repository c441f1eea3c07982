export { CONFIDENCES, type Question, type Ranked, rankAttempts } from './rank.js';
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
} from './store.js';
