export type { TableRows } from './columns.js';
export * from './unit.js';
