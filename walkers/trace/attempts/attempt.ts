export {
  type Attempt,
  type AttemptEvent,
  attemptOf,
  idOf,
  isOpen,
  type StepParts,
} from '../../../graphs/trace/index.js';
