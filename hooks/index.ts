export { agents } from './agents.js';
