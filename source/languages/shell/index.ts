import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';

/** Shell scripts, read as Bash reads them. */
export const shell = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.bash', '.sh', '.ksh'],
  grammar: 'tree-sitter-bash.wasm',
  isTestPath: (path) => /(?:^|\/)(?:tests?[_-][^/]*|[^/]*[_-]tests?)\.(?:sh|bash|ksh)$/.test(path),
});
