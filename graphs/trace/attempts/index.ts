export { CONFIDENCES, type Confidence } from './confidence.js';
export {
  type KnownAttempt,
  latestAtFile,
  PARTS,
  type Parts,
  type Question,
  type Ranked,
  rankAttempts,
  type Shared,
} from './rank.js';
export type { FailureMatch } from './similar-failures.js';
export { ATTEMPT_INDEXES, ATTEMPT_RECORDS, type AttemptContext, AttemptStore } from './store.js';
export { AttemptWriter, type StoreContext, storeAttempts, type Touches } from './write.js';
