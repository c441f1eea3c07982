import { defineConfig } from 'vitest/config';

/** Tests in a real browser, of what `npm run build` made; `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/*.test.ts'],
    pool: 'forks',
    // A browser and a daemon each.
    maxWorkers: 1,
    // They only end what hangs: a busy machine is no fault.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
