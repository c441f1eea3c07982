import { withFirstBranches } from '../csharp/conditions.js';
import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** Tests that are named to the runner; of more all of their types are run. */
const MOST_TESTS = 8;

/** What the grammar takes for an error, and what it may read instead of it: conditions of the compiler, and what is newer than it. */
const UNREADABLE: readonly (readonly [RegExp, string])[] = [
  [/^[ \t]*#(?:if|elseif|else|endif|warning|error|sourceLocation)\b[^\n]*/gm, ''],
  [/(?<=\bnonisolated)\(unsafe\)|(?<=\bthrows)\([^()\n]*\)|(?<=(?::|->)\s{0,8})sending(?=\s+[@A-Z([])/g, ''],
  [/(?<=\bassociatedtype \w+[^\n{}]*)\bwhere\b[^\n{}]*/g, ''],
  [/\b(?:any|some)(?=\s+[A-Z(])/g, ''],
  [/(?<=\b[A-Z]\w*)<[\w ,.:[\]?]*>(?=\.[a-z]\w*)/g, ''],
  [/(?<=@[A-Z]\w*)\(\)|(?<=[=(,]\s{0,8})consume(?=\s+\w)|(?<=\bin\s)try(?=\s)/g, ''],
  [/#(?:un)?available\s*\([^()]*\)/g, 'true'],
  [/#selector\s*\([^()]*(?:\([^()]*\))?[^()]*\)|#_\w+/g, '0'],
  [/#(?:file|fileID|filePath|function|line|column|dsohandle)\b|(?<=[(:,]\s{0,8})\(\)(?=\s*[,)])/g, '0'],
  // A macro is called as a function is.
  [/#(?=[A-Za-z_]\w*\s*[({<])/g, ''],
];
const RAW = /(#+)("""|")([\s\S]*?)\2\1/g;

/**
 * A text of the same length and lines that the grammar understands better. No `#` is left in it: what the grammar makes of one
 * depends on the texts that it read before.
 */
function readable(text: string): string {
  const blank = (part: string) => part.replace(/[^\r\n]/g, ' ');
  const plain = text.replace(RAW, (_, marks: string, quotes: string, inside: string) => {
    return blank(marks) + quotes + inside.replace(/[\\"]/g, '.') + quotes + blank(marks);
  });
  const known = UNREADABLE.reduce((all, [part, instead]) => {
    return all.replace(part, (one) => instead + blank(one.slice(instead.length)));
  }, plain);
  return known.replaceAll('#', '_');
}

/** Swift. */
export const swift = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.swift'],
  grammar: 'tree-sitter-swift.wasm',
  ecosystem: 'swift',
  readable,
  repair: withFirstBranches,
  isTestPath: (path) => /(?:^|\/)Tests?\/|Tests?\.swift$/.test(path),
  testRunners: [
    {
      manifest: 'Package.swift',
      command(_, tests) {
        // `Suite.test` is called `Suite/test`.
        const names = tests.map((test) => test.replace(/\.(?=[^.]*$)/, '/'));
        const suites = [...new Set(names.map((name) => name.replace(/\/.*$/, '')))];
        const named = names.length > MOST_TESTS ? suites : names;
        return ['swift', 'test', ...named.flatMap((name) => ['--filter', name])];
      },
    },
  ],
});
