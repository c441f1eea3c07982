import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

const classOf = (file: string) => file.slice(file.lastIndexOf('/') + 1, -'.java'.length);

/** `:app:test` for a file of the project `app`. */
function gradleTask(file: string): string {
  const project = file.startsWith('src/') ? '' : file.split('/src/', 1)[0];
  return project ? `:${project.replaceAll('/', ':')}:test` : 'test';
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
