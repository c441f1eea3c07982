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
export { Fact, type PlaceOf, payloadFields, placesIn, withoutNulls } from './event.js';
export { deliveredCursorId, namedId, sessionCursorId, storedName, storedSession, traceId } from './ids.js';
export { NamedConcepts } from './named-concepts.js';
export { ingest, type RecordContext, recordEvents, refold } from './record.js';
export { cursorState, promptlessTask, SessionState, settleSessions } from './sessions.js';
export { type SimilarSteps, similarSteps } from './similar-steps.js';
export { isName, isProse, type ToolUse, textsOf, toolUse, usageOf } from './tool-use.js';
