import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** Tests that are named to the runner; of more the whole package is run. */
const MOST_TESTS = 8;

/** What the names of tests match; null where there are none or too many. */
function oneOf(names: ReadonlySet<string>): string | null {
  return names.size > 0 && names.size <= MOST_TESTS ? `^(${[...names].join('|')})$` : null;
}

/** Go. */
export const go = lowered({
  rules,
  link,
  version: 3,
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
        const benchmarks = new Set(tests.flatMap((name) => /^Benchmark\w*/.exec(name) ?? []));
        const folder = file.includes('/') ? `./${file.slice(0, file.lastIndexOf('/'))}` : '.';
        // Benchmarks run only where they are asked for.
        if (functions.size === 0 && benchmarks.size > 0)
          return ['go', 'test', '-run', '^$', '-bench', oneOf(benchmarks) ?? '.', folder];
        const named = oneOf(functions);
        return ['go', 'test', ...(named === null ? [] : ['-run', named]), folder];
      },
    },
  ],
});
