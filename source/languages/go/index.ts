import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** Tests that are named to the runner; of more the whole package is run. */
const MOST_TESTS = 8;

/** Go. */
export const go = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.go'],
  grammar: 'tree-sitter-go.wasm',
  ecosystem: 'go',
  isTestPath: (path) => path.endsWith('_test.go'),
  testRunners: [
    {
      manifest: 'go.mod',
      command(file, tests) {
        // Subtests run with the function that they stand in.
        const functions = new Set(tests.flatMap((name) => /^(?:Test|Example|Fuzz)\w*/.exec(name) ?? []));
        const named = functions.size > 0 && functions.size <= MOST_TESTS;
        const folder = file.includes('/') ? `./${file.slice(0, file.lastIndexOf('/'))}` : '.';
        return ['go', 'test', ...(named ? ['-run', `^(${[...functions].join('|')})$`] : []), folder];
      },
    },
  ],
});
