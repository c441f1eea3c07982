export * from './commands.js';
export { fingerprintOf, reasonKey, testKeys } from './fingerprint.js';
export { bothEnds, type Frame, printedEnds } from './output.js';
export * from './parse.js';
export * from './similarity.js';
