import { lowered } from '../lowered.js';
import { link } from './link.js';
import { rules } from './rules.js';
import { readableC, withoutOtherBranches } from './text.js';

/** C. */
export const c = lowered({
  rules,
  link,
  version: 1,
  extensions: ['.c', '.h'],
  grammar: 'tree-sitter-c.wasm',
  readable: readableC,
  repair: withoutOtherBranches,
  isTestPath: (path) => /(?:^|\/)(?:test_[^/]*|[^/]*_(?:unit)?tests?)\.c$/.test(path),
  testRunners: [
    { manifest: 'CMakeLists.txt', command: (file) => ['ctest', '--test-dir', 'build', '-R', stemOf(file)] },
    { manifest: 'meson.build', command: (file) => ['meson', 'test', '-C', 'build', stemOf(file)] },
    { manifest: 'Makefile', command: () => ['make', 'test'] },
  ],
});

function stemOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}
