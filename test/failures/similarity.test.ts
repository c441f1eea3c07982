import { expect, test } from 'vitest';
import {
  failureTerms,
  fingerprintOf,
  isDistinctive,
  parseFailure,
  reasonKey,
  scopeOf,
  similarity,
  testKeys,
} from '../../failures/index.js';

const terms = (output: string, command: string | null = null) =>
  failureTerms(parseFailure(output, { command, isShell: true }), scopeOf(command));
const compare = (asked: string, known: string, command: string | null = null) =>
  similarity(terms(asked), terms(known, command), () => 1, 0);

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

test.each([
  [
    "/home/a/x.ts:12:3 - error TS2304: Cannot find name 'foo'.",
    "C:\\w\\y.ts:7:1 - error TS2304: Cannot find name 'foo'.",
  ],
  ['segfault at 0x7ffe12 in worker 3', 'segfault at 0xdeadbeef in worker 12'],
  ['2026-11-21T10:00:00.123Z timeout after 5000ms', '2025-01-02 03:04:05 timeout after 30ms'],
  ['commit 3f2a9bc not found', 'commit 8600340 not found'],
  ['job 123e4567-e89b-12d3-a456-426614174000 failed', 'job 00000000-e89b-12d3-a456-426614174999 failed'],
  ['GET https://a.example/x?y=1 answered 500', 'GET http://localhost:80/z answered 502'],
  ['\u001b[31mFAIL\u001b[0m  src/a.test.ts (12 ms)', 'FAIL src/deep/b.test.ts (3 ms)'],
])('the same failure has one fingerprint: %s', (one, other) => {
  expect(fingerprintOf(one)).not.toBeNull();
  expect(fingerprintOf(one)).toBe(fingerprintOf(other));
});

test('what is quoted tells failures apart', () => {
  const of = (name: string) =>
    fingerprintOf(`TypeError: cannot read properties of undefined (reading '${name}')`);
  expect(of('id')).not.toBe(of('name'));
});

test('a message that says nothing has no fingerprint, and a huge one is looked at quickly', () => {
  expect(fingerprintOf('')).toBeNull();
  expect(fingerprintOf('12:34 0xff /tmp/x')).toBeNull();
  expect(fingerprintOf(`boom ${'a/'.repeat(1_000_000)}`)?.length).toBeLessThanOrEqual(200);
});

test('two failures of tests are the same where the same test fails in the same way', () => {
  const print = fingerprintOf('expected 1, got 2', ['a.test.ts > cart > adds']);
  expect(fingerprintOf('expected 3, got 4', ['a.test.ts > cart > adds', 'b.test.ts > pays'])).toBe(print);
  expect(fingerprintOf('expected 1, got 2', ['a.test.ts > cart > takes'])).not.toBe(print);
  expect(fingerprintOf('timeout', ['a.test.ts > cart > adds'])).not.toBe(print);
  expect(fingerprintOf('12', ['a.test.ts > cart > adds'])).toBe('a.test.ts > cart > adds');
});

test.each([
  ['AssertionError: expected 3 to be 4', 'E   expected 5 to be 6'],
  [
    "TypeError [ERR_X]: Cannot read properties of null (reading 'x')",
    "Cannot read properties of null (reading 'x')",
  ],
  ["src/a.ts(1,7): error TS2322: Type 'string' is wrong", "b.ts:9:1 - error TS2322: Type 'string' is wrong"],
  ['FAILED tests/a.py::test_x - click.exceptions.UsageError: no such option', 'no such option'],
  [
    'Error: ENOENT: no such file or directory, open /a/b.txt',
    'ENOENT: no such file or directory, open /c/d/e.txt',
  ],
  ["tests/conftest.py: ImportError: cannot import name 'a'", "ImportError: cannot import name 'a'"],
  ["src/a.ts:1:7: TS2322: Type 'string' is wrong", "error TS2322: Type 'string' is wrong"],
  ['Uncaught Error: boom in job 7', 'boom in job 12'],
])('messages of one cause have one key: %s', (one, other) => {
  expect(reasonKey(one)).not.toBeNull();
  expect(reasonKey(one)).toBe(reasonKey(other));
});

test('messages of two causes have two keys, and one that only says that something failed has none', () => {
  expect(reasonKey("KeyError: 'user'")).not.toBe(reasonKey("KeyError: 'amount'"));
  for (const text of [
    '',
    'Error: Command failed with exit code 1',
    'Process completed with exit code 2.',
    'exit code 1',
  ])
    expect(reasonKey(text), text).toBeNull();
});

test.each([
  ['TestDate.test_leap[2024-feb 29]', 'tests/a.py::TestDate::test_leap[2024-feb 29]', 'test_leap'],
  ['src/date.test.ts > dates > leap years 3ms', 'dates › leap years', 'dates > leap years'],
  ['src/date.test.ts › dates › leap years', 'dates > leap years (12 ms)', 'dates > leap years'],
  ['example.com/cart.TestDate/leap', 'TestDate/leap (0.00s)', 'TestDate/leap'],
  ['date::tests::leap', 'leap', 'leap'],
  ['com.acme.CartTest.adds', 'CartTest.adds', 'adds'],
  ['Shop.Tests.CartTests.Adds(a: 1.5)', 'CartTests.Adds(a: 1.5)', 'Adds'],
  ['App\\Tests\\CartTest::testAdds', 'CartTest::testAdds', 'testAdds'],
])('a test has one name however it is spelled: %s, %s', (one, other, whole) => {
  expect(testKeys(one, null)?.name).toBe(testKeys(other, null)?.name);
  expect(testKeys(one, null)?.whole).toBe(whole);
});

test('a list without suites names the leaf, and prose and nothing are no names', () => {
  expect(testKeys('a.test.ts > cart > adds', 'a.test.ts')?.leaf).toBe(
    testKeys('a.test.ts > adds', 'a.test.ts')?.name,
  );
  expect(testKeys('test_x[1]', null)).toEqual({ name: 'test_x[1]', whole: 'test_x', leaf: 'test_x[1]' });
  expect([testKeys('', null), testKeys(' 3ms', null), testKeys('x'.repeat(301), null)]).toEqual([
    null,
    null,
    null,
  ]);
});
