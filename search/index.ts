export { rarity } from './rarity.js';
export { type Hit, TextIndex, type WordQuery } from './text-index.js';
export { Words } from './words.js';
