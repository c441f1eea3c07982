import { expect, test } from 'vitest';
import { failureTerms, isDistinctive, parseFailure, scopeOf, similarity } from '../../failures/index.js';

const terms = (output: string, command: string | null = null) =>
  failureTerms(parseFailure(output, { command, isShell: true }), scopeOf(command));
const compare = (asked: string, known: string, command: string | null = null) =>
  similarity(terms(asked), terms(known, command), 0);

const pytest = (
  tests: Readonly<Record<string, string>>,
  end = `${Object.keys(tests).length} failed in 0.12s`,
) => {
  const lines = Object.entries(tests).map(([name, said]) => `FAILED tests/test_a.py::${name} - ${said}`);
  return ['=== short test summary info ===', ...lines, `=== ${end} ===`].join('\n');
};
const vitest = (tests: Readonly<Record<string, string>>) => {
  const blocks = Object.entries(tests).map(([name, said], at) =>
    [` FAIL  src/a.test.ts > ${name}`, `AssertionError: ${said}`, '', ` ❯ src/a.test.ts:${at + 7}:3`].join(
      '\n',
    ),
  );
  const count = Object.keys(tests).length;
  return [...blocks, ` Test Files  1 failed (1)\n      Tests  ${count} failed (${count})`].join('\n\n');
};

test.each([
  ['pytest', pytest],
  ['vitest', vitest],
])('%s: the larger the share of failing tests that is the same, the more similar', (_, run) => {
  const all = run({ one: 'x is not y', two: 'x is not y', three: 'x is not y', four: 'x is not y' });
  const score = (some: string) => compare(some, all)?.score ?? 0;
  expect(score(all)).toBeGreaterThan(0.8);
  expect(score(run({ one: 'x is not y', two: 'x is not y' }))).toBeLessThan(score(all));
  expect(score(run({ one: 'x is not y' }))).toBeLessThan(0.4);
});

test('a test is named with its recorded name, and apart where it failed for the same reason', () => {
  const known = pytest({ test_a: "KeyError: 'user'", test_b: 'ValueError: too long' });
  const found = compare(pytest({ test_b: 'ValueError: too long', test_a: "KeyError: 'group'" }), known);
  expect(found?.tests.map(({ said }) => said)).toEqual([
    'tests/test_a.py::test_a',
    'tests/test_a.py::test_b',
  ]);
  expect(found?.sameTests.map(({ said }) => said)).toEqual(['tests/test_a.py::test_b']);
});

test('a list that leaves out the suites names the same tests', () => {
  const brief = ' ❯ src/a.test.ts (3 tests | 1 failed) 5ms\n   × adds taxes 3ms\n';
  expect(compare(brief, vitest({ 'the cart > adds taxes': 'expected 1 to be 2' }))?.tests).toHaveLength(1);
});

test('a message is the same through another test, without its class, numbers and paths', () => {
  const known = pytest({ test_a: 'LookupError: no rate for currency EUR in /srv/7/rates.csv' });
  const reasons = (asked: string) => compare(asked, known)?.reasons;
  expect(
    reasons(pytest({ test_z: 'LookupError: no rate for currency EUR in /tmp/9/rates.csv' })),
  ).toHaveLength(1);
  expect(reasons(vitest({ other: 'no rate for currency EUR in /a/rates.csv' }))).toHaveLength(1);
});

test('of tests that the recorded command did not run nothing is known', () => {
  const known = pytest({ test_a: 'x is not y' });
  const asked = `${pytest({ test_a: 'x is not y' }, '2 failed in 1s')}\nFAILED tests/test_b.py::test_b - no`;
  const narrow = compare(asked, known, 'pytest tests/test_a.py')?.score ?? 0;
  expect(narrow).toBeGreaterThan(compare(asked, known, 'pytest')?.score ?? 0);
});

test('nothing in common is null', () => {
  expect(compare(pytest({ test_a: 'KeyError: 1' }), vitest({ other: 'expected 1 to be 2' }))).toBeNull();
});

test.each([
  ['no rate for currency eur', true],
  ["'theme'", true],
  ["'nonetype' object has no attribute 'renew'", true],
  ["assert none == 'good'", true],
  ['assert false', false],
  ['assert {n} == {n}', false],
  ['expected true to be false // object.is equality', false],
  ["cannot read properties of undefined (reading '{n}')", false],
  ["'nonetype' object is not iterable", false],
])('%s tells one cause from another: %s', (reason, tells) => {
  expect(isDistinctive(reason)).toBe(tells);
});
