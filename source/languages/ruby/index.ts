import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** Ruby. */
export const ruby = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.rb', '.rake', '.gemspec', '.ru'],
  grammar: 'tree-sitter-ruby.wasm',
  ecosystem: 'gem',
  nameSeparator: '::',
  isTestPath: (path) =>
    /(?:^|\/)(?:test|spec|features)\/|(?:_test|_spec)\.rb$|(?:^|\/)test_[^/]*\.rb$/.test(path),
  testRunners: ['Gemfile', 'Rakefile'].flatMap((manifest) => [{ manifest, command }]),
});

/** How tests of a file are run: of specs by their full titles, of others by the names of their methods. */
function command(file: string, tests: readonly string[]): readonly string[] {
  if (/_spec\.rb$/.test(file))
    return ['bundle', 'exec', 'rspec', file, ...tests.flatMap((test) => ['-e', test.replaceAll('.', ' ')])];
  const names = tests.map((test) => test.replace(/^.*\./, '').replace(/\W+/g, '_'));
  return [
    'bundle',
    'exec',
    'ruby',
    '-Itest',
    file,
    ...(names.length > 0 ? ['-n', `/${names.join('|')}/`] : []),
  ];
}
