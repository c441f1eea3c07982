import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** The tests of a file, as PHPUnit filters by. */
function filter(tests: readonly string[]): readonly string[] {
  if (tests.length === 0) return [];
  const names = tests.map((test) => test.replace(/^.*\./, ''));
  return ['--filter', `/::(${names.join('|')})\\b/`];
}

/** PHP. */
export const php = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.php', '.phtml'],
  grammar: 'tree-sitter-php.wasm',
  ecosystem: 'composer',
  isTestPath: (path) => /(?:^|\/)tests?\/|Test\.php$/i.test(path),
  testRunners: ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml', 'composer.json'].map((manifest) => ({
    manifest,
    command: (file: string, tests: readonly string[]) => ['vendor/bin/phpunit', ...filter(tests), file],
  })),
});
