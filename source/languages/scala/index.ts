import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules, TEST_PATH } from './rules.js';

/** The name of the first class that a file is called after. */
function classOf(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.\w+$/, '');
}

/** Scala. */
export const scala = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.scala', '.sc', '.mill'],
  grammar: 'tree-sitter-scala.wasm',
  piece: 256,
  ecosystem: 'maven',
  isTestPath: (path) => TEST_PATH.test(path),
  testRunners: [
    ...['build.sc', 'build.mill'].map((manifest) => ({
      manifest,
      command: (file: string) => ['mill', '__.testOnly', `*.${classOf(file)}`],
    })),
    { manifest: 'build.sbt', command: (file) => ['sbt', `testOnly *.${classOf(file)}`] },
    { manifest: 'pom.xml', command: (file) => ['mvn', '-q', 'test', `-Dtest=${classOf(file)}`] },
  ],
});
