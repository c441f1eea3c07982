import type { FileFacts } from '../../facts.js';
import type { Language, ParsedFile } from '../language.js';

const version = 1;

function extractAs(language: string): (file: ParsedFile) => FileFacts {
  return (file) => ({
    language,
    docstring: null,
    lines: file.text.split('\n').length,
    definitions: [],
    references: [],
    imports: [],
    exports: [],
    types: [],
    comments: [],
    tests: [],
    syntax_errors: [],
  });
}

/** TypeScript, declaration files included. */
export const typescript: Language = {
  name: 'typescript',
  extensions: ['.d.ts', '.d.mts', '.d.cts', '.ts', '.mts', '.cts'],
  grammar: 'tree-sitter-typescript.wasm',
  version,
  extract: extractAs('typescript'),
};

/** TypeScript with JSX. */
export const tsx: Language = {
  name: 'tsx',
  extensions: ['.tsx'],
  grammar: 'tree-sitter-tsx.wasm',
  version,
  extract: extractAs('tsx'),
};

/** JavaScript: modules and CommonJS. */
export const javascript: Language = {
  name: 'javascript',
  extensions: ['.mjs', '.cjs', '.js'],
  grammar: 'tree-sitter-javascript.wasm',
  version,
  extract: extractAs('javascript'),
};

/** JavaScript with JSX. */
export const jsx: Language = {
  name: 'jsx',
  extensions: ['.jsx'],
  grammar: 'tree-sitter-javascript.wasm',
  version,
  extract: extractAs('jsx'),
};
