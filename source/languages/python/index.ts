import type { ParsedLanguage } from '../language.js';
import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';
import { isTestPath } from './test-path.js';
import { withJoinedComments } from './text.js';

/** Python 3 and stub files; Python 2 as far as the grammar reads it. */
export const python: ParsedLanguage = lowered({
  rules,
  link,
  extensions: ['.pyi', '.py'],
  grammar: 'tree-sitter-python.wasm',
  version: 21,
  ecosystem: 'pypi',
  starsAssign: true,
  isTestPath,
  isPackageFile: (path) => /(?:^|\/)__init__\.pyi?$/.test(path),
  readable: withJoinedComments,
});
