import { languageOf } from './registry.js';
import { isInTestFolder } from './test-folder.js';

/** Whether a root-relative path is a test's: by its folder, or by the names that its language's test runners look for. */
export function isTestPath(path: string): boolean {
  return isInTestFolder(path) || (languageOf(path)?.isTestPath?.(path) ?? false);
}
