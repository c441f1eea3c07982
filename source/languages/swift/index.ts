import { withFirstBranches } from '../csharp/conditions.js';
import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** Tests that are named to the runner; of more all of their types are run. */
const MOST_TESTS = 8;

/**
 * What the grammar takes for an error, and what it may read instead of it: conditions of the compiler, and what is newer than it. What
 * is looked back for has an end, so that no line is too long for it.
 */
const UNREADABLE: readonly (readonly [RegExp, string])[] = [
  [/^[ \t]*#(?:if|elseif|else|endif|warning|error|sourceLocation)\b[^\n]*/gm, ''],
  [/\(unsafe\)(?<=\bnonisolated\(unsafe\))|(?<=\bthrows)\([^()\n]*\)/g, ''],
  [/\bsending(?=\s+[@A-Z([])(?<=(?::|->)\s{0,8}sending)/g, ''],
  [/\bwhere\b(?<=\bassociatedtype [^\n{}]{0,200})[^\n{}]{0,300}/g, ''],
  [/\b(?:any|some)(?=\s+[A-Z(])/g, ''],
  [/<(?<=\b[A-Z]\w{0,64}<)[\w ,.:[\]?]{0,200}>(?=\.[a-z])/g, ''],
  [/\(\)(?<=@[A-Z]\w{0,64}\(\))|\bconsume(?=\s+\w)(?<=[=(,]\s{0,8}consume)|(?<=\bin\s)try(?=\s)/g, ''],
  [/#(?:un)?available\s*\([^()]*\)/g, 'true'],
  [/#selector\s*\([^()]{0,200}(?:\([^()]{0,200}\))?[^()]{0,200}\)|#_\w+/g, '0'],
  [/#(?:file|fileID|filePath|function|line|column|dsohandle)\b/g, '0'],
  [/\(\)(?=\s*[,)])(?<=[(:,]\s{0,8}\(\))/g, '0'],
  // A macro is called as a function is.
  [/#(?=[A-Za-z_]\w*\s*[({<])/g, ''],
];

/**
 * A text of the same length and lines that the grammar understands better. No `#` is left in it: what the grammar makes of one
 * depends on the texts that it read before.
 */
function readable(text: string): string {
  const known = UNREADABLE.reduce((all, [part, instead]) => {
    return all.replace(part, (one) => instead + blank(one.slice(instead.length)));
  }, withoutRaw(text));
  return known.replaceAll('#', '_');
}

function blank(part: string): string {
  return part.replace(/[^\r\n]/g, ' ');
}

/** A text whose strings in `#` are ordinary ones. */
function withoutRaw(text: string): string {
  const parts: string[] = [];
  const unclosed = new Set<string>();
  let at = 0;
  for (const { 0: open, index } of text.matchAll(/(?<!#)#+(?:"""|")/g)) {
    if (index < at) continue;
    const marks = open.replaceAll('"', '');
    const quotes = open.slice(marks.length);
    const close = unclosed.has(open) ? -1 : text.indexOf(quotes + marks, index + open.length);
    if (close < 0) {
      unclosed.add(open);
      continue;
    }
    const inside = text.slice(index + open.length, close).replace(/[\\"]/g, '.');
    parts.push(text.slice(at, index), blank(marks), quotes, inside, quotes, blank(marks));
    at = close + open.length;
  }
  parts.push(text.slice(at));
  return parts.join('');
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
  repair: (text) => {
    const first = withFirstBranches(text);
    return first === null ? null : readable(first);
  },
  isTestPath: (path) => /(?:^|\/)Tests?\/|Tests?\.swift$/.test(path),
  testRunners: [
    {
      manifest: 'Package.swift',
      command(_, tests) {
        // `Suite.test` is called `Suite/test`.
        const names = tests.map((test) => test.replace(/\.(?=[^.]*$)/, '/'));
        const suites = [...new Set(names.map((name) => name.split('/', 1)[0] ?? name))];
        const named = names.length > MOST_TESTS ? suites : names;
        return ['swift', 'test', ...named.flatMap((name) => ['--filter', name])];
      },
    },
  ],
});
