export { type Attempt, type AttemptEvent, attemptOf, idOf, isOpen, type StepParts } from './attempt.js';
export * from './attempts/index.js';
export { readAttempts } from './read-attempts.js';
export { fileUse, isName, type ToolUse, textsOf, toolUse } from './tool-use.js';
