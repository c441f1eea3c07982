import type { ParsedLanguage } from '../language.js';
import { extract } from './extract.js';
import { readable, repair } from './repair.js';
import { isTestFile } from './test-files.js';

export type { ComponentFile } from './component-file.js';
export { extractComponentFile } from './extract.js';

/** Of all four languages: one code extracts them, and they share packages and test runners. */
const shared = {
  version: 18,
  ecosystem: 'npm',
  isTestPath: isTestFile,
};

/** TypeScript, declaration files included. */
export const typescript: ParsedLanguage = {
  name: 'typescript',
  extensions: ['.d.ts', '.d.mts', '.d.cts', '.ts', '.mts', '.cts'],
  grammar: 'tree-sitter-typescript.wasm',
  ...shared,
  readable,
  repair,
  extract: (file) => extract('typescript', file),
};

/** TypeScript with JSX. */
export const tsx: ParsedLanguage = {
  name: 'tsx',
  extensions: ['.tsx'],
  grammar: 'tree-sitter-tsx.wasm',
  ...shared,
  readable,
  repair,
  extract: (file) => extract('tsx', file),
};

/** JavaScript: modules and CommonJS. */
export const javascript: ParsedLanguage = {
  name: 'javascript',
  extensions: ['.mjs', '.cjs', '.js'],
  grammar: 'tree-sitter-javascript.wasm',
  ...shared,
  extract: (file) => extract('javascript', file),
};

/** JavaScript with JSX. */
export const jsx: ParsedLanguage = {
  name: 'jsx',
  extensions: ['.jsx'],
  grammar: 'tree-sitter-javascript.wasm',
  ...shared,
  extract: (file) => extract('jsx', file),
};
