export { compile } from './compile.js';
export { type Labelled, labelTest } from './properties.js';
export type { Evaluate, Row, Scope } from './scope.js';
