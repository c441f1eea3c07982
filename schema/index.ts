export * from './archetype.js';
export * from './errors.js';
