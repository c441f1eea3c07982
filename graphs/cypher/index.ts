export { preferredName } from './hops.js';
export { type GraphRows, runCypher } from './view.js';
