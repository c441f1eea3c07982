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
  const begun = beginnings(lines);
  // From the end: the package is told behind its tests, and what is in a test behind that test.
  for (let index = lines.length - 1; index >= 0; index--) {
    inPackage = /^FAIL\t(\S+)\t/u.exec(lines[index] ?? '')?.[1] ?? inPackage;
    const test = FAILED.exec(lines[index] ?? '')?.[1];
    if (test === undefined) continue;
    const name = inPackage === '' ? test : `${inPackage}.${test}`;
    const reason = reasonBelow(lines, index, begun.get(test) ?? []);
    // A test fails with the tests in it.
    if (reason !== '' || !outer.has(name)) sightings.push({ name, reason, line: index });
    outer.add(name.slice(0, Math.max(0, name.lastIndexOf('/'))));
  }
  return found('test_failure', sightings.reverse());
}

/** Where `-v` says that a test began, or went on, by its name. */
function beginnings(lines: readonly string[]): Map<string, number[]> {
  const begun = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const test = /^=== (?:RUN|NAME|CONT) +(\S+)$/u.exec(line)?.[1];
    if (test !== undefined) begun.get(test)?.push(index) ?? begun.set(test, [index]);
  }
  return begun;
}

/** @param begun Where its test began; what lies behind the line is taken off. */
function reasonBelow(lines: readonly string[], index: number, begun: number[]): string {
  const indent = indentOf(lines[index] ?? '');
  for (let at = index + 1; at < Math.min(lines.length, index + MOST_LINES); at++) {
    const line = lines[at] ?? '';
    if (/^panic: /u.test(line)) return line.replace(/ \[recovered\].*/su, '');
    if (FAILED.test(line) || (line.trim() !== '' && indentOf(line) <= indent)) break;
    const said = PLACE.exec(line)?.[1];
    if (said === undefined) continue;
    return said.trim() !== '' ? said.trim() : (testified(lines, at + 1) ?? nextSaid(lines, at + 1));
  }
  // With -v it is told above, behind the line that the test began with.
  while ((begun.at(-1) ?? 0) > index) begun.pop();
  const from = begun.at(-1) ?? -1;
  if (from < 0 || from < index - MOST_LINES) return '';
  for (const line of lines.slice(from, index)) {
    const said = PLACE.exec(line)?.[1];
    if (said !== undefined) return said.trim();
  }
  return '';
}

/** What testify says below its place: `Error: Not equal:`, `expected: 1`, `actual  : 2`. */
function testified(lines: readonly string[], from: number): string | null {
  const block = lines.slice(from, from + 20).map((line) => line.trim());
  const at = block.findIndex((line) => /^Error:\s/u.test(line));
  if (at < 0) return null;
  const values = block.slice(at + 1, at + 4).filter((line) => /^(?:expected|actual)\s*: /u.test(line));
  return [(block[at] ?? '').replace(/^Error:\s+/u, ''), ...values].join(' ');
}
