export * from './archetype.js';
export * from './code.js';
export * from './code-edges.js';
export * from './errors.js';
