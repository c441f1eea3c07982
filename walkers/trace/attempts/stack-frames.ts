/** Files that are taken from one text: the first ones. */
const MOST_FILES = 3;
/** Longer texts are looked through at their beginning. */
const LONGEST = 20_000;

/** Python's frames; all others write `path:line`, pytest too. */
const FRAMES =
  /\bFile "([^"\n]+)", line \d+|(?:(?<![\w@.+~/\\-])|(?<=:\d{1,9})|(?=[A-Za-z]:))((?:[A-Za-z]:)?[\w@.+~/\\-]*[\w-]\.[A-Za-z]\w{0,4}):\d+\b/gu;
/** What others wrote, and what runs it. */
const FOREIGN = /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|internal)(?:[\\/]|$)|^node:/u;
const TEST = /(?:^|[\\/])(?:tests?|specs?|__tests__)[\\/]|(?:^|[\\/])test_|[._](?:test|spec)\.\w+$/u;

/**
 * The files whose frames or places a failing output shows, as it writes them, each once: those of the code first, then
 * those of tests, which say less of where it went wrong; nothing of dependencies.
 */
export function filesOfFrames(text: string): string[] {
  const files = new Set<string>();
  for (const [, python, other] of text.slice(0, LONGEST).matchAll(FRAMES)) {
    const file = python ?? other ?? '';
    if (!FOREIGN.test(file)) files.add(file);
  }
  const code = [...files].filter((file) => !TEST.test(file));
  return [...code, ...[...files].filter((file) => TEST.test(file))].slice(0, MOST_FILES);
}
