export { type Attempt, type AttemptEvent, attemptOf, idOf, isOpen, type StepParts } from './attempt.js';
export * from './attempts/index.js';
export {
  compareKeys,
  EVENT_FIELDS,
  type EventKey,
  type NewEvent,
  type ReportedEvent,
  readEvent,
  withinEventTime,
} from './event.js';
export { Fact } from './fact.js';
export {
  deliveredCursorId,
  isTraceId,
  namedId,
  sessionCursorId,
  storedName,
  storedSession,
  type TraceForm,
  traceId,
} from './ids.js';
export { type Arrival, type Ingested, ingest } from './ingest.js';
export { NamedConcepts } from './named-concepts.js';
export { type PlaceOf, placesIn } from './places.js';
export { readAttempts } from './read-attempts.js';
export { type RecordContext, type Recorded, recordEvents, refold } from './record.js';
export { cursorState, promptlessTask, SessionState } from './sessions.js';
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
} from './story.js';
export { isName, type ToolUse, textsOf, toolUse, usageOf } from './tool-use.js';
