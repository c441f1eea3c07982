import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** Go. */
export const go = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.go'],
  grammar: 'tree-sitter-go.wasm',
  ecosystem: 'go',
  isTestPath: (path) => path.endsWith('_test.go'),
});
