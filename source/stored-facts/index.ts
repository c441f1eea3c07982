export { factsFromBytes } from './read-facts.js';
export { factsToBytes, visibleBytes } from './write-facts.js';
