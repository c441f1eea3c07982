import { expect, it } from 'vitest';
import { parseFailure } from '../../failures/index.js';

/** Lines that begin something, or nearly do: `#` counts. */
const LINES = [
  '--- FAIL: T#/a (0.00s)',
  '✖ t# (1ms)\n  Error: x',
  'not ok # - x',
  '  3:#  error  x is  no',
  ' FAIL  a#.ts > x',
  '  ● a# › b',
  'FAILED a.py::t# - x',
  'FAIL: t# (a.b)',
  '---- t# stdout ----',
  'a.c:#:1: error: x',
  'SyntaxError: x#',
  '____ t# ____\nE   x: y',
  "ImportError while loading conftest 'a'",
  '  1 failing\n  #) a',
  'Error: x#',
  "thread 'x' panicked at ",
  '> '.repeat(900),
  'a'.repeat(1999),
  ' '.repeat(1999),
  'a/'.repeat(900),
  'a.b'.repeat(600),
  '"File "'.repeat(280),
  '(1,1): error '.repeat(150),
  'x:1:1 - error'.repeat(150),
  '   --> a'.repeat(200),
];

function printedOf(line: string, characters: number): string {
  const many = Math.ceil(characters / (line.length + 1));
  return Array.from({ length: many }, (_, index) => line.replaceAll('#', String(index))).join('\n');
}

it.each(LINES.map((line) => [line.slice(0, 30), line]))(
  'an output of nothing but %j costs no more than its length',
  (_, line) => {
    const cpu = process.cpuUsage();
    parseFailure(printedOf(line, 120_000), { cwd: '/project', isShell: true });
    const { user, system } = process.cpuUsage(cpu);
    // Milliseconds; reading all of it again for every line would take minutes.
    expect((user + system) / 1000).toBeLessThan(5000);
  },
);
