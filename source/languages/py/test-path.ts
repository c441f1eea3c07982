/** Whether pytest looks for tests or fixtures in a root-relative path, by its name. */
export function isTestPath(path: string): boolean {
  return /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.pyi?$/.test(path);
}
