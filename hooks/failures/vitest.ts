import { type Found, found, type Sighting } from './found.js';
import { indexFrom, nextSaid } from './lines.js';

/** Vitest: ` FAIL  a.test.ts > suite > name`, and below it why. */
export function readVitest(lines: readonly string[]): Found | null {
  const sightings: Sighting[] = [];
  let suites = 0;
  for (const [index, line] of lines.entries()) {
    const [, name, suite] = /^ ?FAIL {2}(?:\|[^|]*\| )?(\S.*?)(?: \[ (.*) \])?$/u.exec(line) ?? [];
    if (name !== undefined) {
      sightings.push({ name, reason: reasonBelow(lines, index + 1), line: index });
      if (suite !== undefined) suites++;
      continue;
    }
    if (/^⎯+ Unhandled (?:Rejection|Exception|Error) ⎯+$/u.test(line.trim()))
      sightings.push({ name: null, reason: nextSaid(lines, index + 1), line: index });
  }
  if (sightings.length === 0) return brief(lines);
  return found(suites === sightings.length ? 'compile_error' : 'test_failure', sightings);
}

/** Several tests may share one cause: below the names of all of them it is told once. */
function reasonBelow(lines: readonly string[], from: number): string {
  const at = indexFrom(lines, from, /^(?! ?FAIL {2})/u);
  const said = nextSaid(lines, at);
  const more = lines.slice(at, at + 12).findIndex((line) => line.trim() === said);
  return said.endsWith(':') ? `${said} ${nextSaid(lines, at + more + 1)}` : said;
}

/** Where what follows the list of tests was cut off: ` × name 8ms`, below it `→ why`. */
function brief(lines: readonly string[]): Found | null {
  let file = '';
  const sightings: Sighting[] = [];
  for (const [index, line] of lines.entries()) {
    file = /^ ❯ (\S+) \(\d+ tests?\b/u.exec(line)?.[1] ?? file;
    const name = /^\s+[×✗] (.*?)(?: \d+m?s)?$/u.exec(line)?.[1];
    if (name === undefined) continue;
    const reason = /^\s+→ (.*)$/u.exec(lines[index + 1] ?? '')?.[1] ?? '';
    const whole = file === '' || name.startsWith(file) ? name : `${file} > ${name}`;
    sightings.push({ name: whole, reason, line: index });
  }
  return found('test_failure', sightings);
}
