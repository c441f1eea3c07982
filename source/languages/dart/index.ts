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

/**
 * What the grammar takes for an error: a library without a name, fields that are only declared, imports that wait or hang on
 * conditions, of which the first uri counts, and labels of loops.
 */
const UNREADABLE =
  /^library;|\babstract(?=\s+(?:covariant\s+)?final\s+(?!class\b|mixin\b|base\b|interface\b))|(?<=['"]\s{0,40})deferred(?=\s+as\b)|(?<=['"]\s{0,40})if\s*\(\s*dart\.[\w.]{1,80}\s*(?:==\s*['"]\w{0,40}['"]\s*)?\)\s*['"][^'"\n]{1,200}['"]|^[ \t]{0,80}(?!default\b)\w{1,80}:(?=\s{0,200}(?:await\s+)?(?:for|while|do|switch)\b)/gm;

/** Dart. */
export const dart = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.dart'],
  grammar: 'tree-sitter-dart.wasm',
  ecosystem: 'pub',
  readable: (text) => text.replace(UNREADABLE, (part) => part.replace(/[^\r\n]/g, ' ')),
  isTestPath: (path) => /_test\.dart$/.test(path),
  testRunners: [runner],
});
