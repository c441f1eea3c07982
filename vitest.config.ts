import { configDefaults, defineConfig } from 'vitest/config';

/** They look at what a process has loaded, or measure what a busy one makes slower: each gets one of its own. */
const ALONE = [
  'test/host/local-host.test.ts',
  'test/hostile/hostile.test.ts',
  'test/house/linear-expressions.test.ts',
];

export default defineConfig({
  test: {
    // LevelDB is a native module, and some tests kill what they start: processes, not threads.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE],
          // What a file imports is there for the next.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
    ],
  },
});
