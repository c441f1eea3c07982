/** Whether the test runners of these languages look for tests in a root-relative path, by its name. */
export function isTestFile(path: string): boolean {
  return /(?:^|\/)__tests__\//.test(path) || /\.(?:test|spec)\.[cm]?[jt]sx?$/.test(path);
}
