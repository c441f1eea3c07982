import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseFailure } from '../../failures/index.js';

const OUTPUTS = fileURLToPath(new URL('outputs/', import.meta.url));
const parse = (output: string) => parseFailure(output, { cwd: '/project', isShell: true });
/** `name in file: reason` of each test; `reason` null where it is not shown. */
const pairs = (output: string) => parse(output).tests.map(({ name, reason }) => [name, reason] as const);

/** Places at which one output is cut. */
const MOST_CUTS = 30;

const RUNS = readdirSync(OUTPUTS)
  .map((name) => ({ name, text: readFileSync(`${OUTPUTS}${name}`, 'utf8') }))
  .filter(({ text }) => pairs(text).length > 0);

/** The longest names that end like a cut one: a list without suites, a heading without its file. */
const isPart = (name: string, whole: string) =>
  whole.endsWith(name) || whole.replaceAll('::', '.').endsWith(name);
const plain = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');

describe.each(RUNS)('the damaged output of $name', ({ text }) => {
  const truth = pairs(text);
  const lines = text.split('\n');

  /** Pairs whose reason is another test's: none may ever be. */
  const wrong = (output: string) =>
    pairs(output).filter(([name, reason]) => {
      const own = truth.filter(([whole]) => isPart(name, whole));
      const foreign = truth.filter(([whole]) => !isPart(name, whole)).map(([, other]) => other);
      return reason !== null && foreign.includes(reason) && !own.some(([, other]) => other === reason);
    });

  it('pairs no name with another test’s message, wherever it was cut', () => {
    for (let at = 1; at < lines.length; at += Math.ceil(lines.length / MOST_CUTS)) {
      expect(wrong(lines.slice(at).join('\n')), `from line ${at}`).toEqual([]);
      expect(wrong(lines.slice(0, at).join('\n')), `to line ${at}`).toEqual([]);
      for (const left of [3, 12, 40]) {
        const cut = [...lines.slice(0, at), '[… 812 bytes left out …]', ...lines.slice(at + left)];
        expect(wrong(cut.join('\n')), `without ${left} lines from ${at}`).toEqual([]);
      }
    }
  });

  it('says the same in colours and with carriage returns', () => {
    const coloured = lines.map((line) => (line === '' ? '' : `\u001b[31m${line}\u001b[39m`)).join('\r\n');
    expect(parse(coloured)).toEqual(parse(text));
  });

  it('says the same when it was wrapped at 80 columns', () => {
    // A terminal counts what it shows.
    const shown = stripVTControlCharacters(text).split('\n');
    const wrapped = shown.flatMap((line) => line.match(/.{1,80}/gu) ?? ['']).join('\n');
    expect(pairs(wrapped).map(([name, reason]) => plain(`${name} ${reason}`))).toEqual(
      truth.map(([name, reason]) => plain(`${name} ${reason}`)),
    );
  });
});

it('several runners in one output are all read', () => {
  const text = (name: string) => readFileSync(`${OUTPUTS}${name}.txt`, 'utf8');
  for (const [one, other] of [
    ['vitest', 'pytest'],
    ['pytest-short', 'go-test'],
    ['cargo-test', 'node-test-tap'],
  ] as const) {
    const names = pairs(`${text(one)}\n${text(other)}`)
      .map(String)
      .sort();
    expect(names).toEqual([...pairs(text(one)), ...pairs(text(other))].map(String).sort());
  }
  const { tests, reasons, type } = parse(`${text('vitest')}\n${text('tsc')}`);
  expect([type, tests.length, reasons.filter((reason) => reason.includes('TS2322')).length]).toEqual([
    'test_failure',
    4,
    1,
  ]);
});

it('tests of one class and name in two files keep their own reasons', () => {
  const section = (file: string, why: string) =>
    `_______ TestX.test_a _______\n\n    def test_a(self):\n>       f()\nE       ValueError: ${why}\n\n${file}:3: ValueError\n`;
  const output = `${section('tests/a.py', 'one and more')}${section('tests/b.py', 'two and more')}=== short test summary info ===
FAILED tests/a.py::TestX::test_a - ValueError: one...
FAILED tests/b.py::TestX::test_a - ValueError: two...
2 failed in 0.1s`;
  expect(pairs(output)).toEqual([
    ['tests/a.py::TestX::test_a', 'ValueError: one and more'],
    ['tests/b.py::TestX::test_a', 'ValueError: two and more'],
  ]);
});

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

/** Milliseconds of the processor; reading all of an output again for every line would take minutes. */
function costOf(output: string): number {
  const started = process.cpuUsage();
  expect(parse(output).reason.length).toBeLessThanOrEqual(300);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

it.each(LINES.map((line) => [line.slice(0, 30), line]))(
  'an output of nothing but %j costs no more than its length',
  (_, line) => {
    const many = Array.from({ length: Math.ceil(120_000 / (line.length + 1)) }, (_, at) => String(at));
    expect(costOf(many.map((number) => line.replaceAll('#', number)).join('\n'))).toBeLessThan(5000);
  },
);

it('20 megabytes are read in time', () => {
  expect(costOf('tests/a.py::test_x FAILED\n'.repeat(800_000))).toBeLessThan(3000);
});
