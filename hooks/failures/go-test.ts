import { type Found, found, type Sighting } from './found.js';
import { indentOf, nextSaid } from './lines.js';

/** What a test said, behind its place. */
const PLACE = /^\s+[\w.-]+\.go:\d+: ?(.*)$/u;
const FAILED = /^\s*--- FAIL: (\S+) \(\d/u;

/** `go test`: `--- FAIL: TestA/sub (0.00s)`, indented below it why, and behind all of a package's `FAIL\tpackage`. */
export function readGoTest(lines: readonly string[]): Found | null {
  const sightings: Sighting[] = [];
  for (const [index, line] of lines.entries()) {
    const test = FAILED.exec(line)?.[1];
    if (test === undefined) continue;
    const reason = reasonBelow(lines, index);
    // A test fails with the tests in it.
    const isOuter = reason === '' && lines.some((other) => FAILED.exec(other)?.[1]?.startsWith(`${test}/`));
    if (isOuter) continue;
    const inPackage = lines.slice(index).flatMap((other) => /^FAIL\t(\S+)\t/u.exec(other)?.[1] ?? [])[0];
    sightings.push({ name: inPackage === undefined ? test : `${inPackage}.${test}`, reason, line: index });
  }
  return found('test_failure', sightings);
}

function reasonBelow(lines: readonly string[], index: number): string {
  const indent = indentOf(lines[index] ?? '');
  for (let at = index + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (/^panic: /u.test(line)) return line.replace(/ \[recovered\].*$/u, '');
    if (FAILED.test(line) || (line.trim() !== '' && indentOf(line) <= indent)) break;
    const said = PLACE.exec(line)?.[1];
    if (said === undefined) continue;
    return said.trim() !== '' ? said.trim() : (testified(lines, at + 1) ?? nextSaid(lines, at + 1));
  }
  // With -v it is told above, behind the line that the test began with.
  const test = FAILED.exec(lines[index] ?? '')?.[1];
  const begun = lines
    .slice(0, index)
    .findLastIndex((line) => /^=== (?:RUN|NAME|CONT) +(\S+)$/u.exec(line)?.[1] === test);
  const above = begun < 0 ? [] : lines.slice(begun, index);
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
