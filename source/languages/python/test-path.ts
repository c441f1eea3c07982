/** Where pytest looks for tests or fixtures. */
export const TEST_FILES = /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.pyi?$/;

/** Whether pytest looks for tests or fixtures in a root-relative path, by its name. */
export function isTestPath(path: string): boolean {
  return TEST_FILES.test(path);
}
