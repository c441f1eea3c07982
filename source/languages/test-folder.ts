const TEST_FOLDER = /(?:^|\/)(?:tests?|specs?)\//;

/** Whether a root-relative path lies in a folder that holds tests, whatever the language. */
export function isInTestFolder(path: string): boolean {
  return TEST_FOLDER.test(path);
}
