export { type Attempt, type AttemptEvent, idOf, isOpen, readAttempts } from './attempt.js';
export { CONFIDENCES, type Question, type Ranked, rankAttempts } from './attempts/rank.js';
export { latestAtFile, PARTS } from './attempts/similar-prompts.js';
export {
  ATTEMPT_INDEXES,
  ATTEMPT_RECORDS,
  AttemptStore,
  AttemptWriter,
  storeAttempts,
} from './attempts/store.js';
export {
  compareKeys,
  EVENT_FIELDS,
  type EventKey,
  type NewEvent,
  readEvent,
  withinEventTime,
} from './event.js';
export { Fact, payloadFields, withoutNulls } from './fact.js';
export {
  deliveredCursorId,
  namedId,
  sessionCursorId,
  storedName,
  storedSession,
  traceId,
} from './ids.js';
export { NamedConcepts } from './named-concepts.js';
export { type PlaceOf, placesIn } from './places.js';
export { ingest, type RecordContext, recordEvents, refold } from './record.js';
export { cursorState, promptlessTask, SessionState, settleSessions } from './sessions.js';
export { type SimilarSteps, similarSteps } from './similar-steps.js';
export {
  type Change,
  changedLines,
  changeOf,
  edits,
  failingTests,
  failureOf,
  isFailure,
  mainFailure,
  otherChanges,
  type ReportedFailure,
  type StoryContext,
  sidesOf,
} from './story.js';
export { isName, isProse, type ToolUse, textsOf, toolUse, usageOf } from './tool-use.js';
