import type { Language } from '../language.js';
import { extract } from './extract.js';
import { repair } from './repair.js';

/** Of all four languages: they are extracted by the same code. */
const version = 2;

/** TypeScript, declaration files included. */
export const typescript: Language = {
  name: 'typescript',
  extensions: ['.d.ts', '.d.mts', '.d.cts', '.ts', '.mts', '.cts'],
  grammar: 'tree-sitter-typescript.wasm',
  version,
  repair,
  extract: (file) => extract('typescript', file),
};

/** TypeScript with JSX. */
export const tsx: Language = {
  name: 'tsx',
  extensions: ['.tsx'],
  grammar: 'tree-sitter-tsx.wasm',
  version,
  repair,
  extract: (file) => extract('tsx', file),
};

/** JavaScript: modules and CommonJS. */
export const javascript: Language = {
  name: 'javascript',
  extensions: ['.mjs', '.cjs', '.js'],
  grammar: 'tree-sitter-javascript.wasm',
  version,
  extract: (file) => extract('javascript', file),
};

/** JavaScript with JSX. */
export const jsx: Language = {
  name: 'jsx',
  extensions: ['.jsx'],
  grammar: 'tree-sitter-javascript.wasm',
  version,
  extract: (file) => extract('jsx', file),
};
