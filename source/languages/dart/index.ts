import type { TestRunner } from '../language.js';
import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** Runs a file's tests, those alone whose titles are given: `group title`. */
const runner: TestRunner = {
  manifest: 'pubspec.yaml',
  command: (file, tests) => {
    const [only, ...others] = tests;
    const named = only === undefined || others.length > 0 ? [] : ['--plain-name', only.replaceAll('.', ' ')];
    return ['dart', 'test', file, ...named];
  },
};

/** Dart. */
export const dart = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.dart'],
  grammar: 'tree-sitter-dart.wasm',
  ecosystem: 'pub',
  isTestPath: (path) => /_test\.dart$/.test(path),
  testRunners: [runner],
});
