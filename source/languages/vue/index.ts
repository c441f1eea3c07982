import type { ParsedLanguage } from '../language.js';
import { typescript } from '../typescript/index.js';
import { blocksOf } from './blocks.js';
import { extract } from './extract.js';
import { scriptText } from './script-text.js';

const { ecosystem, isTestPath, repair, version } = typescript;

/** Single-file components of Vue: each file is one component and a module. */
export const vue: ParsedLanguage = {
  name: 'vue',
  extensions: ['.vue'],
  grammar: 'tree-sitter-typescript.wasm',
  otherGrammar: {
    grammar: 'tree-sitter-tsx.wasm',
    reads: (text) =>
      blocksOf(text).some(({ kind, lang }) => kind === 'script' && /^[jt]sx$/.test(lang ?? '')),
  },
  // Raised with what extracts its scripts, and on its own.
  version: version * 100 + 2,
  ...(ecosystem !== undefined && { ecosystem }),
  ...(isTestPath && { isTestPath }),
  readable: (text) => typescript.readable?.(scriptText(text)) ?? scriptText(text),
  ...(repair && { repair }),
  extract,
};
