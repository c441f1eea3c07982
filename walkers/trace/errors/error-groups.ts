import { z } from 'zod';
import { compareText, type NodeRef } from '../../../runtime/index.js';
import { ERROR_TYPES, TASK_STATUSES, type TraceError } from '../../../schema/index.js';
import { stripHidden } from '../../shown-text.js';
import type { Attempt } from '../attempts/attempt.js';
import { byLatest, failureKey } from '../errors-saying.js';
import { failedTests } from '../failing-tests.js';
import { MendRow, mendRow } from '../mend-row.js';

/** Characters of a message. */
const MESSAGE = 500;
/** Tests that one group names, and mends and tasks. */
const MOST_TESTS = 20;
const MOST_MENDS = 3;
const MOST_TASKS = 20;

const text = z.string();
const count = z.number().int();
const time = text.nullable();

/** Errors of one fingerprint: one failure, however often it was met. */
export const ErrorGroup = z.object({
  /** Null: its message has nothing to tell it by. */
  fingerprint: text.nullable(),
  error_type: z.enum(ERROR_TYPES),
  /** What the latest one said, and its id. */
  message: text,
  error_id: text,
  count,
  first_at: time,
  last_at: time,
  /** In which tasks, the latest first. */
  tasks: z.array(z.object({ task_id: text, status: z.enum(TASK_STATUSES) })),
  /** Names of the tests that failed. */
  tests: z.array(text),
  /** What mended it, those that were seen to pass first, then the latest. */
  mended_by: z.array(MendRow.extend({ task_id: text })),
});
/** See {@link ErrorGroup}. */
export type ErrorGroup = z.infer<typeof ErrorGroup>;

/** Errors that are one failure, the latest first. */
export type Alike = readonly [NodeRef<typeof TraceError>, ...NodeRef<typeof TraceError>[]];

/** Errors by their fingerprint: the most often met first, then the latest. */
export function alike(errors: readonly NodeRef<typeof TraceError>[]): Alike[] {
  const groups = new Map<string, [NodeRef<typeof TraceError>, ...NodeRef<typeof TraceError>[]]>();
  for (const error of [...errors].sort(byLatest)) {
    const key = failureKey(error);
    const known = groups.get(key);
    if (known) known.push(error);
    else groups.set(key, [error]);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length || byLatest(a[0], b[0]));
}

/**
 * A group as a row.
 *
 * @param attempts The tasks that met these errors, by error; those that are not read are left out.
 * @param root Paths below it are shown without it; null: none.
 * @param steps The steps that mended errors, by error.
 */
export function errorGroup(
  errors: Alike,
  attempts: ReadonlyMap<string, Attempt>,
  root: string | null,
  steps: ReadonlyMap<string, string>,
): ErrorGroup {
  const [latest] = errors;
  const tasks = new Map<string, ErrorGroup['tasks'][number]>();
  const mends: ErrorGroup['mended_by'] = [];
  for (const { id } of errors) {
    const attempt = attempts.get(id);
    if (!attempt) continue;
    const { id: task_id, status } = attempt.task;
    tasks.set(task_id, { task_id, status });
    const mend = mendRow(attempt, id, root, steps);
    if (mend && !mends.some((one) => one.task_id === task_id && one.step_id === mend.step_id))
      mends.push({ ...mend, task_id });
  }
  const tests = [...new Set(errors.flatMap(failedTests))].sort(compareText);
  return {
    fingerprint: latest.fingerprint,
    error_type: latest.error_type,
    message: stripHidden(latest.message.slice(0, MESSAGE)),
    error_id: latest.id,
    count: errors.length,
    first_at: errors.at(-1)?.created_at ?? null,
    last_at: latest.created_at,
    tasks: [...tasks.values()].slice(0, MOST_TASKS),
    tests: tests.slice(0, MOST_TESTS),
    mended_by: mends.sort((a, b) => Number(b.passed) - Number(a.passed)).slice(0, MOST_MENDS),
  };
}
