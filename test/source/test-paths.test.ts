import { describe, expect, it } from 'vitest';
import { isTestPath } from '../../source/index.js';

describe('a path is of a test', () => {
  it.each(['test/a.rs', 'a/tests/b.py', 'spec/b.rb', 'src/__tests__/a.ts'])('by its folder: %s', (path) => {
    expect(isTestPath(path)).toBe(true);
  });

  it.each(['a.test.ts', 'src/a.spec.jsx', 'a.test.mts', 'a/test_b.py', 'b_test.py', 'a/conftest.py'])(
    'by the name that its test runner looks for: %s',
    (path) => {
      expect(isTestPath(path)).toBe(true);
    },
  );

  it.each(['src/latest/a.ts', 'test.ts', 'src/contest.py', 'a_test.ts', 'a.test.py', 'testing/a.ts'])(
    'and not by what only looks alike: %s',
    (path) => {
      expect(isTestPath(path)).toBe(false);
    },
  );
});
