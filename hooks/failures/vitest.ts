import { type Found, found, type Sighting } from './found.js';
import { indexFrom, nextSaid } from './lines.js';

/** Vitest: ` FAIL  a.test.ts > suite > name`, and below it why. */
export function readVitest(lines: readonly string[]): Found | null {
  const sightings: Sighting[] = [];
  let suites = 0;
  let below = 0;
  for (const [index, line] of lines.entries()) {
    const shown = /^ ?FAIL {2}(?:\|[^|]*\| )?(\S.*)/su.exec(line)?.[1];
    if (shown !== undefined) {
      // Behind a suite that could not be loaded its file stands once more, in brackets.
      const bracket = shown.indexOf(' [ ', 1);
      const isSuite = bracket > 0 && shown.endsWith(' ]') && bracket + 3 <= shown.length - 2;
      if (!(below > index)) below = namesEnd(lines, index + 1);
      const name = isSuite ? shown.slice(0, bracket) : shown;
      sightings.push({ name, reason: reasonBelow(lines, below), line: index });
      if (isSuite) suites++;
      continue;
    }
    if (/^⎯+ Unhandled (?:Rejection|Exception|Error) ⎯+$/u.test(line.trim()))
      sightings.push({ name: null, reason: nextSaid(lines, index + 1), line: index });
  }
  if (sightings.length === 0) return brief(lines);
  return found(suites === sightings.length ? 'compile_error' : 'test_failure', sightings);
}

/** Several tests may share one cause: below the names of all of them it is told once. */
function namesEnd(lines: readonly string[], from: number): number {
  return indexFrom(lines, from, /^(?! ?FAIL {2})/u, lines.length);
}

function reasonBelow(lines: readonly string[], at: number): string {
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
