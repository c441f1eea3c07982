export * from './commands.js';
export { FailingTest, Failure, Frame } from './failure.js';
export { fingerprintOf, reasonKey, testKeys } from './fingerprint.js';
export { bothEnds, printedEnds } from './output.js';
export * from './parse.js';
export { commandsIn } from './shell.js';
export * from './similarity.js';
