import type { ParsedLanguage } from '../language.js';
import { withJoinedComments } from './comments.js';
import { extractPython } from './extract.js';
import { link } from './link.js';
import { isTestPath } from './test-path.js';

/** Python 3 and stub files; Python 2 as far as the grammar reads it. */
export const python: ParsedLanguage = {
  name: 'python',
  extensions: ['.pyi', '.py'],
  grammar: 'tree-sitter-python.wasm',
  version: 19,
  ecosystem: 'pypi',
  starsAssign: true,
  isTestPath,
  isPackageFile: (path) => /(?:^|\/)__init__\.pyi?$/.test(path),
  readable: withJoinedComments,
  extract: extractPython,
  link,
};
