import type { ParsedLanguage } from '../language.js';
import { extract } from './extract.js';
import { readable, repair } from './repair.js';
import { isTestFile } from './test-files.js';

export type { ComponentFile } from './component-file.js';
export { extractComponentFile } from './extract.js';

/** One of the four languages: one code extracts them, and they share packages and test runners. */
function script(
  name: string,
  extensions: readonly string[],
  grammar: string,
  more: Pick<ParsedLanguage, 'readable' | 'repair'> = {},
): ParsedLanguage {
  return {
    name,
    extensions,
    grammar: `tree-sitter-${grammar}.wasm`,
    version: 19,
    ecosystem: 'npm',
    isTestPath: isTestFile,
    ...more,
    extract: (file) => extract(name, file),
  };
}

const typed = { readable, repair };

/** TypeScript, declaration files included. */
export const typescript = script(
  'typescript',
  ['.d.ts', '.d.mts', '.d.cts', '.ts', '.mts', '.cts'],
  'typescript',
  typed,
);

/** TypeScript with JSX. */
export const tsx = script('tsx', ['.tsx'], 'tsx', typed);

/** JavaScript: modules and CommonJS. */
export const javascript = script('javascript', ['.mjs', '.cjs', '.js'], 'javascript');

/** JavaScript with JSX. */
export const jsx = script('jsx', ['.jsx'], 'javascript');
