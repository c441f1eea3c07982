/** A path behind which a line is named: `a.ts:1`, `a.ts(1,7)`, `File "a.py", line 1`. */
const PLACE =
  /(?<![\w@~+.%\-/\\])(?:[A-Za-z]:(?=[\\/]))?([\w@~+.%\-/\\]*\w\.[A-Za-z]\w{0,7})(?::\d+|\(\d+,\d+\)|", line \d+)/gu;
/** What is installed, built in or made: not the project's own. */
const FOREIGN =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\.cargo|\.rustup|rustc|target|\.venv|venv)[\\/]|^(?:node|internal):/u;
const ABSOLUTE = /^(?:[\\/]|[A-Za-z]:[\\/])/u;
/** Files that are told. */
const MOST = 20;

/**
 * The project's own files that a text names as places, each once, in its order. Absolute ones elsewhere are left out.
 *
 * @param text Its paths inside the project are relative.
 */
export function placesIn(text: string): string[] {
  const files = [...text.matchAll(PLACE)].flatMap(([, file]) => file ?? []);
  const own = files.filter((file) => !FOREIGN.test(file) && !ABSOLUTE.test(file));
  return [...new Set(own.map((file) => file.replace(/^\.[\\/]/u, '')))].slice(0, MOST);
}
