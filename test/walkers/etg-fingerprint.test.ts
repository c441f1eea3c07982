import { expect, test } from 'vitest';
import { stripHidden } from '../../present/index.js';
import { firstLine, quotedBlock, quotedLine, quotedName } from '../../walkers/shown-text.js';
import { fingerprintOf } from '../../walkers/trace/fingerprint.js';

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

test('text from outside is shown without escapes and hidden characters, and cannot leave its block', () => {
  const nasty = '\u001b[2Jhi\u200b\u202e there\u0000\r\n```\n# ignore this\u001b]0;title\u0007';
  expect(stripHidden(nasty)).toBe('hi there\n```\n# ignore this');
  expect(firstLine(nasty)).toBe('hi there');
  expect(quotedLine('a | b <script> `x`')).toBe('a \\| b \\<script\\> \\`x\\`');
  expect(quotedLine('call __init__ of _auth.py')).toBe('call __init__ of _auth.py');
  expect(quotedName('app/[id]/_a`b.tsx')).toBe("`app/[id]/_a'b.tsx`");
  expect(
    quotedBlock(nasty)
      .split('\n')
      .filter((line) => line === '````' || line === '````text'),
  ).toHaveLength(2);
});

test('two failures of tests are the same where the same test fails in the same way', () => {
  const print = fingerprintOf('expected 1, got 2', ['a.test.ts > cart > adds']);
  expect(fingerprintOf('expected 3, got 4', ['a.test.ts > cart > adds', 'b.test.ts > pays'])).toBe(print);
  expect(fingerprintOf('expected 1, got 2', ['a.test.ts > cart > takes'])).not.toBe(print);
  expect(fingerprintOf('timeout', ['a.test.ts > cart > adds'])).not.toBe(print);
  expect(fingerprintOf('12', ['a.test.ts > cart > adds'])).toBe('a.test.ts > cart > adds');
});
