import { createHash } from 'node:crypto';
import type { FailedRun } from '../failed-run.js';

/** Longer names of tests and reasons are told apart by a hash. */
const LONGEST = 60;

/** Something in the attempt was seen to fail; something that failed was seen to pass after a change. */
export const STATES = { failed: 'is:failed', mended: 'is:mended' } as const;

/** A test that failed, by its own name or by what it is a case of, as a word of the index. */
export function testThing(name: string): string {
  return `t:${short(name)}`;
}

/** A reason for which something failed, as a word of the index. */
export function reasonThing(reason: string): string {
  return `r:${short(reason)}`;
}

/** All that failed in some runs as words, each once. */
export function thingsOf(runs: Iterable<FailedRun>): ReadonlySet<string> {
  const things = new Set<string>();
  for (const { tests, reasons } of runs) {
    for (const { name, whole } of tests) things.add(testThing(name)).add(testThing(whole));
    for (const reason of reasons) things.add(reasonThing(reason));
  }
  return things;
}

function short(text: string): string {
  return text.length <= LONGEST && !text.includes('\0')
    ? text
    : `#${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}
