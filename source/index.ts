export * from './discovery/index.js';
export * from './extraction/index.js';
export * from './facts.js';
export * from './languages/index.js';
export * from './parser.js';
export * from './paths.js';
export * from './resolution/index.js';
export * from './roots.js';
