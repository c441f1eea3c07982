import { expect, test } from 'vitest';
import { Words } from '../../search/index.js';
import { failedRun } from '../../walkers/trace/attempts/failed-run.js';
import { reasonsOf } from '../../walkers/trace/attempts/failure-text.js';
import { runLikeness } from '../../walkers/trace/attempts/run-likeness.js';

/** As `confidenceOf` takes it: from here on a failure is alike. */
const ALIKE = 0.4;
const SAME_WORTH = { test: () => 1, reason: () => 1, word: () => 1 };
const words = new Words();

const read = (text: string, command: string | null = null) => failedRun(text, command, words);
const alike = (asked: string, known: string, ran: string | null = null) =>
  runLikeness(read(asked), read(known, ran), SAME_WORTH).score;

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `test_${i}`);
const pytest = (tests: readonly string[], error: string, last = `${tests.length} failed in 0.12s`) =>
  [
    ...tests.map((name) => `____ ${name} ____\nE   ${error}`),
    ...tests.map((name) => `FAILED tests/test_a.py::${name} - ${error}`),
    last,
  ].join('\n');

test('tests that a much larger breakage broke, too, are another failure; most of the same are alike', () => {
  const large = pytest(numbered(20), 'TypeError: x');
  expect(alike(pytest(numbered(3), 'assert 1 == 2'), large)).toBeLessThan(ALIKE);
  expect(alike(large, pytest(numbered(3), 'assert 1 == 2'))).toBeLessThan(ALIKE);
  expect(alike(pytest(numbered(14), 'assert 1 == 2'), large)).toBeGreaterThan(ALIKE);
});

test('the same reason makes the same tests more alike', () => {
  const known = pytest(['test_a'], "KeyError: 'theme'");
  expect(alike(pytest(['test_a'], "KeyError: 'theme'"), known)).toBeGreaterThan(
    alike(pytest(['test_a'], 'RecursionError: deep'), known),
  );
});

test('a run that stopped is compared with what failed first', () => {
  const known = pytest(numbered(20), 'TypeError: x');
  const stopped = (name: string) =>
    pytest([name], 'TypeError: x', 'stopping after 1 failures\n1 failed in 0.12s');
  expect(alike(stopped('test_0'), known)).toBeGreaterThan(ALIKE);
  expect(alike(stopped('test_19'), known)).toBeLessThan(ALIKE);
  expect(alike(known, stopped('test_0'))).toBeGreaterThan(ALIKE);
});

test('of an output that is cut, what is left stands for the rest', () => {
  const known = pytest(numbered(20), 'TypeError: x');
  const head = known.split('\n').slice(0, 6).join('\n');
  const tail = known.split('\n').slice(-5).join('\n');
  expect(alike(head, known)).toBeGreaterThan(ALIKE);
  expect(alike(tail, known)).toBeGreaterThan(ALIKE);
  expect(alike(pytest(['test_19'], 'TypeError: x'), known)).toBeLessThan(ALIKE);
});

test('tests of files that the other command did not run are left out', () => {
  const known = pytest(['test_a'], 'TypeError: x');
  const more = numbered(8).map((name) => `FAILED tests/test_other.py::${name} - TypeError: x`);
  const both = `${pytest(['test_a'], 'TypeError: x', '')}\n${more.join('\n')}\n9 failed in 0.12s`;
  expect(alike(both, known, 'pytest tests/test_a.py -q')).toBeGreaterThan(ALIKE);
  expect(alike(both, known, 'pytest')).toBeLessThan(ALIKE);
});

test('where nothing is named, the same message is alike, whatever else is printed; one about something else is not', () => {
  const missing = (name: string) => `/usr/bin/python: No module named ${name}`;
  expect(alike(missing('mypy'), missing('mypy'))).toBeGreaterThan(ALIKE);
  expect(alike(missing('mypy'), missing('tox'))).toBeLessThan(ALIKE);
  expect(alike('bash: uv: command not found', 'bash: ruff: command not found')).toBeLessThan(ALIKE);
  const report = 'Traceback (most recent call last):\n  File "/a/b.py", line 3, in main\n';
  expect(
    alike(
      `${report}OSError: [Errno 98] Address already in use`,
      'OSError: [Errno 98] Address already in use',
    ),
  ).toBeGreaterThan(ALIKE);
});

test('a message is told apart by what it names, not by numbers, places and times; that something failed is none', () => {
  const one = reasonsOf('  File "/a/b.py", line 3\nE       KeyError: \'theme\' at 0x7f3a');
  expect([...one]).toEqual([...reasonsOf("Output: x\nKeyError: 'theme' at 0x11aa")]);
  expect([...one]).not.toEqual([...reasonsOf("KeyError: 'colour' at 0x11aa")]);
  for (const line of [
    'Error: (none)',
    'npm error code ELIFECYCLE',
    'make: *** [test] Error 2',
    'Exit Code: 1',
  ])
    expect([...reasonsOf(line)], line).toEqual([]);
});

test.each([
  ['an error by its type', '  TypeError: x is no function', 'typeerror: x is no function'],
  ['pytest, an assertion', 'E       assert 3 == 4', 'assert {n} == {n}'],
  ['pytest, its summary', 'FAILED tests/a.py::test_x - KeyError: 1', 'keyerror: {n}'],
  ['vitest, below a test', '     → expected 404 to be 200', 'expected {n} to be {n}'],
  ['TAP', "  error: 'no such user'", "error: 'no such user'"],
  ['go vet', './a.go:3:5: undefined: y', '{path}: undefined: y'],
  ['go test', '    a_test.go:12: got 3', '{path}: got {n}'],
  ['rustc', 'error[E0308]: mismatched types', 'error[e{n}]: mismatched types'],
  ['eslint', "  3:5  error  'x' is not defined  no-undef", "{n}:{n} error 'x' is not defined no-undef"],
  ['bash', 'bash: line 1: uv: command not found', 'bash: line {n}: uv: command not found'],
  ['zsh', 'zsh: command not found: uv', 'zsh: command not found: uv'],
  ['git', 'fatal: not a git repository', 'fatal: not a git repository'],
  ['npm', 'npm error Missing script: "tets"', 'npm error missing script: "tets"'],
  [
    'Node',
    'Error: listen EADDRINUSE: address already in use :::3000',
    'listen eaddrinuse: address already in use :::{n}',
  ],
])('why it failed, as %s says it', (_, line, reason) => {
  expect([...reasonsOf(`some text\n${line}\nmore text`)]).toEqual([reason]);
});

test.each([
  ['pytest', '==== 3 failed, 96 passed, 2 errors in 0.26s ====', 5],
  ['vitest', '      Tests  3 failed | 67 passed (70)', 3],
  ['vitest, cut', '⎯⎯⎯⎯[1/3]⎯', 3],
  ['jest', 'Tests:       3 failed, 20 passed, 23 total', 3],
  ['mocha', '  3 failing', 3],
  ['node:test', 'ℹ fail 3', 3],
  ['TAP', '# fail 3', 3],
  ['cargo', 'test result: FAILED. 10 passed; 3 failed; 0 ignored', 3],
  ['unittest', 'FAILED (failures=1, errors=2)', 3],
  ['maven', 'Tests run: 9, Failures: 1, Errors: 2, Skipped: 0', 3],
  ['nothing', 'it failed', null],
])('how much failed, as %s says it', (_, line, count) => {
  expect(read(line).count).toBe(count);
});
