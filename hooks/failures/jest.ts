import { type Found, found, type Sighting } from './found.js';
import { indexFrom, nextSaid } from './lines.js';

/** Jest: `FAIL ./a.test.js`, and in it `  ● suite › name`, below that why. */
export function readJest(lines: readonly string[]): Found | null {
  let file = '';
  const sightings = new Map<string, Sighting>();
  let loads = 0;
  for (const [index, line] of lines.entries()) {
    file = /^\s?FAIL (?:\.\/)?(\S+\.\w+)/u.exec(line)?.[1] ?? file;
    const title = /^ {2}● (.+)$/u.exec(line)?.[1];
    if (title === undefined || title.startsWith('Console')) continue;
    const isFile = title === 'Test suite failed to run';
    const name = isFile ? file : [file, title].filter((part) => part !== '').join(' › ');
    if (sightings.has(name)) continue;
    sightings.set(name, { name, reason: reasonBelow(lines, index + 1), line: index });
    if (isFile) loads++;
  }
  if (file === '' && !lines.some((line) => /^Tests?(?: Suites)?: .*\bfailed\b/u.test(line))) return null;
  const all = [...sightings.values()];
  return found(loads === all.length ? 'compile_error' : 'test_failure', all);
}

/** What an `expect` says is told by what it expected and received. */
function reasonBelow(lines: readonly string[], from: number): string {
  const said = nextSaid(lines, from);
  const end = indexFrom(lines, from, /^ {2}● |^\s?FAIL |^Test Suites:/u);
  const block = lines.slice(from, end).map((line) => line.trim());
  if (said === 'Jest encountered an unexpected token')
    return block.find((line) => /^SyntaxError: /u.test(line)) ?? said;
  if (!said.startsWith('expect(')) return said;
  const values = block.filter((line) => /^(?:Expected|Received)[^:]*: /u.test(line)).slice(0, 2);
  return [said.replace(/ \/\/ .*/su, ''), ...values].join(' ');
}
