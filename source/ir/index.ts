export * from './unit.js';
