export { agents } from './agents.js';
export { runHook } from './hook-program.js';
