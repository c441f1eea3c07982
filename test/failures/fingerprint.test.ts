import { expect, test } from 'vitest';
import { fingerprintOf, reasonKey, testKeys } from '../../failures/index.js';

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
