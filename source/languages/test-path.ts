import { languageOf } from './registry.js';

/** Folders that hold tests, whatever the language. */
const TEST_FOLDER = /(?:^|\/)(?:tests?|specs?)\//;

/** Whether a root-relative path is a test's: by its folder, or by the names that its language's test runners look for. */
export function isTestPath(path: string): boolean {
  return TEST_FOLDER.test(path) || (languageOf(path)?.isTestPath?.(path) ?? false);
}
