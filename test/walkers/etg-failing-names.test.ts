import { expect, test } from 'vitest';
import { failingNames } from '../../walkers/trace/attempts/failing-names.js';
import { failureText, passagesOf } from '../../walkers/trace/attempts/failure-text.js';

const names = (text: string) => [...failingNames(text)];

const TS2304 = ["src/date.ts TS2304 > Cannot find name 'x'.", 'src/date.ts TS2304'];

test.each([
  ['pytest, heading', '_____ TestDate.test_leap[2024-feb 29] _____', ['test_leap[2024-feb 29]', 'test_leap']],
  [
    'pytest, summary',
    'FAILED tests/a.py::TestDate::test_leap[a::b] - assert 1',
    ['test_leap[a::b]', 'test_leap'],
  ],
  ['unittest', 'FAIL: test_leap (tests.date.TestDate)', ['test_leap']],
  ['vitest', ' FAIL  src/date.test.ts > dates > leap years', ['dates > leap years', 'dates']],
  ['vitest, single test', '   × dates > leap years 3ms', ['dates > leap years', 'dates']],
  ['jest', '  ● dates › leap years', ['dates > leap years', 'dates']],
  ['jest, single test', '    ✕ leap years (12 ms)', ['leap years']],
  ['node:test', '✖ leap years (1.234ms)', ['leap years']],
  ['TAP', 'not ok 3 - leap years # time=2ms', ['leap years']],
  ['go', '    --- FAIL: TestDate/leap (0.00s)', ['TestDate/leap']],
  ['cargo', 'test date::leap ... FAILED', ['leap']],
  ['gtest', '[  FAILED  ] DateTest.Leap (0 ms)', ['Leap']],
  ['tsc', "src/date.ts(12,5): error TS2304: Cannot find name 'x'.", TS2304],
  ['tsc, pretty', "src/date.ts:12:5 - error TS2304: Cannot find name 'x'.", TS2304],
])('%s', (_, line, expected) => {
  expect(names(`some text\n${line}\nmore text`)).toEqual(expected);
});

test('what passed, and prose, names nothing that failed', () => {
  for (const line of [
    'PASSED tests/a.py::test_x',
    ' ✓ leap years 3ms',
    'ok 1 - leap years',
    'Please fix the failing login',
    'Error: ENOENT: no such file',
    ' ❯ src/date.test.ts (3 tests | 1 failed) 5ms',
    '____ ERROR collecting tests/test_date.py ____',
  ])
    expect(names(line), line).toEqual([]);
});

test('lines that tell what went wrong are told from those around them', () => {
  const { telling, rest } = failureText(
    'def leap(year):\n    return 28\nE   assert 28 == 29\ntests/a.py:3: AssertionError\n===== 4 passed =====',
  );
  expect(telling).toBe('E   assert 28 == 29\ntests/a.py:3: AssertionError');
  expect(rest).toContain('return 28');
});

test('a long output is looked at in passages, from both ends where it is very long', () => {
  const text = `start ${'x'.repeat(100_000)} end`;
  const passages = passagesOf(text);
  expect(passages.length).toBe(16);
  expect(passages[0]).toMatch(/^start /u);
  expect(passages.at(-1)).toMatch(/ end$/u);
  expect(passagesOf('short')).toEqual(['short']);
});
