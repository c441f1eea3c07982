import type { TestRunner } from '../language.js';

const stemOf = (file: string) => file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');

/** What runs the tests of C and C++. */
export const testRunners: readonly TestRunner[] = [
  { manifest: 'CMakeLists.txt', command: (file) => ['ctest', '--test-dir', 'build', '-R', stemOf(file)] },
  { manifest: 'meson.build', command: (file) => ['meson', 'test', '-C', 'build', stemOf(file)] },
  { manifest: 'Makefile', command: () => ['make', 'test'] },
];
