import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** Lua. */
export const lua = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.lua'],
  grammar: 'tree-sitter-lua.wasm',
  ecosystem: 'luarocks',
  isTestPath: (path) => /(?:^|\/)(?:spec|tests?)\/|_(?:spec|test)\.lua$|(?:^|\/)test_[^/]*\.lua$/.test(path),
  testRunners: [
    {
      manifest: '.busted',
      command: (file, tests) => {
        const [only, ...others] = tests;
        const title = only?.slice(only.lastIndexOf('.') + 1).replace(/[^\w ]/g, '.');
        return ['busted', file, ...(title === undefined || others.length > 0 ? [] : [`--filter=${title}`])];
      },
    },
  ],
});
