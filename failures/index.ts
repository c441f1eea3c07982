export * from './commands.js';
export { FailingTest, Failure, Frame } from './failure.js';
export { fingerprintOf, reasonKey, testKeys } from './fingerprint.js';
export { bothEnds, printedEnds } from './output.js';
export {
  failureOfError,
  isAgentSlip,
  type ParseOptions,
  parseFailure,
  parseOutput,
  showsFailure,
} from './parse.js';
export { commandsIn } from './shell.js';
export {
  type FailureTerms,
  failureTerms,
  isTelling,
  type Rarities,
  type SimilarFailure,
  scopeOf,
  similarity,
} from './similarity.js';
