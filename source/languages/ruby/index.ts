import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';
import { TEST_FILES } from './state.js';

/** Ruby. */
export const ruby = lowered({
  rules,
  link,
  version: 1,
  extensions: ['gemfile', 'rakefile', '.gemspec', '.rake', '.ru', '.rb'],
  grammar: 'tree-sitter-ruby.wasm',
  ecosystem: 'gem',
  nameSeparator: '::',
  isTestPath: (path) => TEST_FILES.test(path),
  testRunners: [
    { manifest: 'bin/rails', command: runnerOf(['bin/rails', 'test']) },
    { manifest: 'Gemfile', command: runnerOf(['bundle', 'exec', 'ruby', '-Itest']) },
    { manifest: 'Rakefile', command: runnerOf(['ruby', '-Itest']) },
  ],
});

/** How tests of a file are run: of specs by their full titles, of others by the names of their methods. */
function runnerOf(words: readonly string[]): (file: string, tests: readonly string[]) => readonly string[] {
  return (file, tests) => {
    if (/_spec\.rb$/.test(file))
      return ['bundle', 'exec', 'rspec', file, ...tests.flatMap((test) => ['-e', test.replaceAll('.', ' ')])];
    const names = tests.map((test) => test.replace(/^.*\./, '').replace(/\W+/g, '_'));
    return [...words, file, ...(names.length > 0 ? ['-n', `/${names.join('|')}/`] : [])];
  };
}
