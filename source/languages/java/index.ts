import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** Java. */
export const java = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.java'],
  grammar: 'tree-sitter-java.wasm',
  ecosystem: 'maven',
  isTestPath: (path) => /(?:^|\/)src\/(?:test|\w+Test)\/|(?:Tests?|TestCase|IT)\.java$/.test(path),
});
