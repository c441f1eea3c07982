/** Modules that test frameworks give their functions under. */
export const FRAMEWORK =
  /^(?:vitest|@jest\/globals|(?:node:)?test|mocha|bun:test|ava|uvu|tape?|@playwright\/test|@japa\/runner|(?:(?!@std\/testing).)*@std\/testing.*\/bdd|https:\/\/deno\.land\/std.*\/testing\/bdd\.ts)$/;

/** Whether the test runners of these languages look for tests in a root-relative path, by its name. */
export function isTestFile(path: string): boolean {
  return /(?:^|\/)__tests__\//.test(path) || /\.(?:test|spec)\.[cm]?[jt]sx?$/.test(path);
}
