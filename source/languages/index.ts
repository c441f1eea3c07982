export type { Language, ParsedFile } from './language.js';
export { languageAmong } from './language.js';
export { languageOf, languages } from './registry.js';
export { isTestPath } from './test-path.js';
