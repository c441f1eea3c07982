export type { Language, ParsedFile, ParsedLanguage, TestRunner, TextFormat } from './language.js';
export { languageAmong } from './language.js';
export { documentNames, languageOf, languages, linkRulesOf } from './registry.js';
export { isTestPath } from './test-path.js';
export { TIERS, type Tier, tierOf } from './tiers.js';
