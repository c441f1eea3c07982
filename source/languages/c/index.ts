import { rules as cpp } from '../cpp/rules.js';
import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';
import { testRunners } from './runners.js';
import { isCpp, readableC, readableCpp, withoutOtherBranches } from './text.js';

/** C, and the headers of C++ that have its ending. */
export const c = lowered({
  rules,
  other: {
    rules: cpp,
    grammar: 'tree-sitter-cpp.wasm',
    reads: (text, path) => /\.h$/i.test(path) && isCpp(text),
  },
  link,
  version: 2,
  extensions: ['.c', '.h'],
  grammar: 'tree-sitter-c.wasm',
  readable: (text) => readableCpp(readableC(text)),
  repair: withoutOtherBranches,
  isTestPath: (path) => /(?:^|\/)(?:test_[^/]*|[^/]*_(?:unit)?tests?)\.c$/.test(path),
  testRunners,
});
