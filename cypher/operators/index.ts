export { build } from './build.js';
export { CountingGraph, Profile } from './profile.js';
export { emptyRow } from './project.js';
export { collect, type Element, type Open, type Row } from './rows.js';
export { Run } from './run.js';
