export * from './about.js';
export * from './change.js';
export * from './content.js';
export * from './exchange.js';
export * from './relations.js';
export * from './rows.js';
export * from './search.js';
