import { lowered } from '../lowered.js';
import { link } from './link.js';
import { withCalls } from './macros.js';
import { rules } from './rules.js';

/** Tests that are named to the runner; of more all of the crate are run. */
const MOST_TESTS = 8;

/** Rust. */
export const rust = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.rs'],
  grammar: 'tree-sitter-rust.wasm',
  ecosystem: 'cargo',
  nameSeparator: '::',
  readable: withCalls,
  inlineTests: true,
  isTestPath: (path) => /(?:^|\/)(?:tests|benches)\/|(?:^|_)tests?\.rs$/.test(path),
  testRunners: [
    {
      manifest: 'Cargo.toml',
      command(file, tests) {
        // A test's name is its path in the crate: the last part is enough to find it.
        const names = tests.map((name) => name.slice(name.lastIndexOf('.') + 1));
        const target = /^tests\/([^/]+)\.rs$/.exec(file)?.[1];
        const only = target === undefined ? [] : ['--test', target];
        const [first, ...others] = [...new Set(names)];
        if (first === undefined || others.length >= MOST_TESTS) return ['cargo', 'test', ...only];
        return ['cargo', 'test', ...only, ...(others.length === 0 ? [first] : ['--', first, ...others])];
      },
    },
  ],
});
