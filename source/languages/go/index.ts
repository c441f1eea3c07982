import { lowered } from '../lowered.js';
import { rules } from './rules.js';

/** Go. */
export const go = lowered({
  rules,
  version: 1,
  extensions: ['.go'],
  grammar: 'tree-sitter-go.wasm',
  ecosystem: 'go',
  isTestPath: (path) => path.endsWith('_test.go'),
});
