export {
  answersWithExitCode,
  covers,
  hidesExitCode,
  namesTest,
  purposeOf,
  readsOnly,
  Verification,
  verificationOf,
  verificationsOf,
} from './commands.js';
export { FailingTest, Failure, Frame, isAgentSlip } from './failure.js';
export { fingerprintOf, reasonKey, type TestKeys, testKeys } from './fingerprint.js';
export { bothEnds, printedEnds } from './output.js';
export {
  failureOfError,
  type LoggedError,
  type ParseOptions,
  parseFailure,
  parseOutput,
  showsFailure,
} from './parse.js';
export { commandsIn, type SimpleCommand } from './shell.js';
export {
  type FailureTerms,
  failureTerms,
  isTelling,
  type Rarities,
  type SimilarFailure,
  scopeOf,
  similarity,
  type TestTerm,
} from './similarity.js';
