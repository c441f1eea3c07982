import { testRunners } from '../c/runners.js';
import { readableCpp, withoutOtherBranches } from '../c/text.js';
import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** C++. Headers that may be of C are that language's: see there. */
export const cpp = lowered({
  rules,
  link,
  version: 2,
  extensions: ['.cc', '.cpp', '.cxx', '.c++', '.hh', '.hpp', '.hxx', '.h++', '.ipp', '.tpp', '.inl'],
  grammar: 'tree-sitter-cpp.wasm',
  readable: readableCpp,
  repair: withoutOtherBranches,
  isTestPath: (path) => /(?:^|\/)(?:test_[^/]*|[^/]*[_-](?:unit)?tests?)\.(?:cc|cpp|cxx)$/.test(path),
  testRunners,
});
