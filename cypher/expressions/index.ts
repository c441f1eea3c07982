export { compile } from './compile.js';
export { labelTest } from './properties.js';
export type { Evaluate, Row, Scope } from './scope.js';
