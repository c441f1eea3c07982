import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

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
});
