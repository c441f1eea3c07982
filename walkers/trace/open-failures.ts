import { z } from 'zod';
import { LIMITS } from '../../schema/index.js';
import type { Deed } from './deed.js';
import { isWider, namesTest, TestRun } from './test-run.js';

/** Something that failed the last time it was done. */
const OpenFailure = z.object({
  /** What was done: see `Deed`; or the id of an error that nothing was done for. */
  key: z.string(),
  run: TestRun.nullable(),
  /** The use of a tool that failed last. */
  tool: z.string(),
  /** Ids of the errors that told of it, the latest last. */
  errors: z.array(z.string()),
  /** Whether the task has failed while it is open. */
  counts: z.boolean(),
  /** The step that changed something since, and the one that did something else well. */
  changed: z.string().nullable(),
  ran: z.string().nullable(),
});

/** What failed and has not been seen to pass since: bounded, the oldest is given up first. */
export const OpenFailures = z.array(OpenFailure);
export type OpenFailures = z.infer<typeof OpenFailures>;

/** An error that passed, and the step that mended it. */
export interface Resolved {
  readonly error: string;
  readonly step: string;
}

/** Notes that something failed. */
export function noteFailure(open: OpenFailures, deed: Deed, tool: string, errors: readonly string[]): void {
  for (const key of deed.keys) {
    const at = open.findIndex((one) => one.key === key);
    const [known] = at < 0 ? [] : open.splice(at, 1);
    open.push({
      ...{ key, run: deed.run, tool, counts: deed.counts },
      ...{ changed: known?.changed ?? null, ran: known?.ran ?? null },
      errors: bounded([...(known?.errors ?? []), ...errors]),
    });
  }
  open.splice(0, Math.max(0, open.length - LIMITS.openFailures.max));
}

/** Notes an error that told of a use of a tool that failed; whether there was one. */
export function noteError(open: OpenFailures, tool: string, error: string): boolean {
  const its = open.filter((one) => one.tool === tool);
  for (const one of its) one.errors = bounded([...one.errors, error]);
  return its.length > 0;
}

/** Notes an error of tests of which nobody knows what ran them. */
export function noteTests(open: OpenFailures, error: string): void {
  noteFailure(open, { keys: [error], run: null, changes: false, looks: false, counts: false }, '', [error]);
}

/**
 * Notes that something was done well: what it was, and tests that it ran, are open no more; what else is open may have
 * been mended by it.
 *
 * @param testsOf The tests that an error names.
 * @returns the errors that are thereby resolved, with the last step that changed something since they were met, else
 * the last one that did something else; not those since which nothing was done.
 */
export async function notePass(
  open: OpenFailures,
  deed: Deed,
  step: string,
  testsOf: (error: string) => Promise<readonly string[]>,
): Promise<Resolved[]> {
  const resolved: Resolved[] = [];
  for (const one of [...open]) {
    const isSame = deed.keys.includes(one.key);
    const passed = await passedErrors(one, deed, testsOf);
    // An edit that failed is mended by the one that did not.
    const mended = isSame && deed.changes && deed.run === null ? step : (one.changed ?? one.ran);
    if (mended !== null) for (const error of passed) resolved.push({ error, step: mended });
    one.errors = one.errors.filter((error) => !passed.includes(error));
    const isOver = isSame || isCovered(one.run, deed.run) || (passed.length > 0 && one.errors.length === 0);
    if (isOver) open.splice(open.indexOf(one), 1);
    else if (deed.changes) one.changed = step;
    else if (!deed.looks) one.ran = step;
  }
  return resolved;
}

async function passedErrors(
  one: OpenFailures[number],
  { keys, run }: Deed,
  testsOf: (error: string) => Promise<readonly string[]>,
): Promise<string[]> {
  if (keys.includes(one.key) || isCovered(one.run, run)) return one.errors;
  if (run === null) return [];
  const passed: string[] = [];
  for (const error of one.errors) {
    const tests = await testsOf(error);
    if (tests.length > 0 && tests.every((test) => namesTest(run, test, one.run))) passed.push(error);
  }
  return passed;
}

function isCovered(failed: TestRun | null, passed: TestRun | null): boolean {
  return failed !== null && passed !== null && isWider(passed, failed);
}

function bounded(errors: readonly string[]): string[] {
  return [...new Set(errors)].slice(-LIMITS.openFailures.max);
}
