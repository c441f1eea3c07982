import { type Found, found, type Sighting } from './found.js';
import { indentOf, MOST_LINES, nextSaid } from './lines.js';

/** What a test said, behind its place. */
const PLACE = /^\s+[\w.-]+\.go:\d+: ?(.*)$/u;
const FAILED = /^\s*--- FAIL: (\S+) \(\d/u;

/** `go test`: `--- FAIL: TestA/sub (0.00s)`, indented below it why, and behind all of a package's `FAIL\tpackage`. */
export function readGoTest(lines: readonly string[]): Found | null {
  const sightings: Sighting[] = [];
  const outer = new Set<string>();
  let inPackage = '';
  // From the end: the package is told behind its tests, and what is in a test behind that test.
  for (let index = lines.length - 1; index >= 0; index--) {
    inPackage = /^FAIL\t(\S+)\t/u.exec(lines[index] ?? '')?.[1] ?? inPackage;
    const test = FAILED.exec(lines[index] ?? '')?.[1];
    if (test === undefined) continue;
    const name = inPackage === '' ? test : `${inPackage}.${test}`;
    const reason = reasonBelow(lines, index);
    // A test fails with the tests in it.
    if (reason !== '' || !outer.has(name)) sightings.push({ name, reason, line: index });
    outer.add(name.slice(0, Math.max(0, name.lastIndexOf('/'))));
  }
  return found('test_failure', sightings.reverse());
}

function reasonBelow(lines: readonly string[], index: number): string {
  const indent = indentOf(lines[index] ?? '');
  for (let at = index + 1; at < Math.min(lines.length, index + MOST_LINES); at++) {
    const line = lines[at] ?? '';
    if (/^panic: /u.test(line)) return line.replace(/ \[recovered\].*$/u, '');
    if (FAILED.test(line) || (line.trim() !== '' && indentOf(line) <= indent)) break;
    const said = PLACE.exec(line)?.[1];
    if (said === undefined) continue;
    return said.trim() !== '' ? said.trim() : (testified(lines, at + 1) ?? nextSaid(lines, at + 1));
  }
  // With -v it is told above, behind the line that the test began with.
  const test = FAILED.exec(lines[index] ?? '')?.[1];
  const before = lines.slice(Math.max(0, index - MOST_LINES), index);
  const begun = before.findLastIndex((line) => /^=== (?:RUN|NAME|CONT) +(\S+)$/u.exec(line)?.[1] === test);
  const above = begun < 0 ? [] : before.slice(begun);
  return above.flatMap((line) => PLACE.exec(line)?.[1]?.trim() ?? [])[0] ?? '';
}

/** What testify says below its place: `Error: Not equal:`, `expected: 1`, `actual  : 2`. */
function testified(lines: readonly string[], from: number): string | null {
  const block = lines.slice(from, from + 20).map((line) => line.trim());
  const at = block.findIndex((line) => /^Error:\s/u.test(line));
  if (at < 0) return null;
  const values = block.slice(at + 1, at + 4).filter((line) => /^(?:expected|actual)\s*: /u.test(line));
  return [(block[at] ?? '').replace(/^Error:\s+/u, ''), ...values].join(' ');
}
