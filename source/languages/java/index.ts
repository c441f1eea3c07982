import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

const classOf = (file: string) => file.slice(file.lastIndexOf('/') + 1, file.lastIndexOf('.'));

/** `:app:test` for a file of the project `app`. */
function gradleTask(file: string): string {
  const project = file.startsWith('src/') ? '' : file.split('/src/', 1)[0];
  return project ? `:${project.replaceAll('/', ':')}:test` : 'test';
}

/** What Maven runs of a file, in a module below the folder of `mvnw` as well. */
function mavenTest(file: string): string[] {
  const module = file.startsWith('src/') ? '' : (file.split('/src/', 1)[0] ?? '');
  // What the module needs is built too, and has no such test.
  const only = module === '' ? [] : ['-pl', module, '-am', '-Dsurefire.failIfNoSpecifiedTests=false'];
  return ['-q', 'test', ...only, `-Dtest=${classOf(file)}`];
}

/** What the grammar takes for an error: an annotation in front of `...`, the outer object of `outer.super(…)`. */
const UNREAD = /@[\w.]+(?=\s*\.\.\.)|\b\w+\.(?=super\s*\()/g;

/** Java. */
export const java = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.java'],
  grammar: 'tree-sitter-java.wasm',
  ecosystem: 'maven',
  repair: (text) =>
    text.search(UNREAD) < 0 ? null : text.replace(UNREAD, (part) => ' '.repeat(part.length)),
  isTestPath: (path) => /(?:^|\/)src\/(?:test|\w+Test)\/|(?:Tests?|TestCase|[a-z\d]IT)\.java$/.test(path),
  testRunners: [
    { manifest: 'mvnw', command: (file) => ['./mvnw', ...mavenTest(file)] },
    { manifest: 'pom.xml', command: (file) => ['mvn', '-q', 'test', `-Dtest=${classOf(file)}`] },
    {
      manifest: 'gradlew',
      command: (file) => ['./gradlew', gradleTask(file), '--tests', `*${classOf(file)}`],
    },
    ...['build.gradle', 'build.gradle.kts'].map((manifest) => ({
      manifest,
      command: (file: string) => ['gradle', 'test', '--tests', `*${classOf(file)}`],
    })),
  ],
});
