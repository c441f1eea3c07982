export { compile } from './compile.js';
export type { Labelled } from './properties.js';
export type { Evaluate, Row, Scope } from './scope.js';
