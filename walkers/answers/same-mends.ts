import type { Attempt } from '../../graphs/trace/index.js';
import type { PlaceOf } from '../trace/touched-files.js';
import { mendLines } from './attempt-lines.js';
import { failureLine } from './failure-line.js';
import type { Asked } from './question.js';

/** What is compared of a mend: more than is shown of any. */
const SHAPE = { changes: 2, lines: 4, wanted: [] };

/** Attempts that met the same failure and mended it in the same way; others stand alone. */
export interface SameMends {
  /** The one that is told: the first. */
  readonly attempt: Attempt;
  /** The failing invocation or error that it is told by. */
  readonly source: string | null;
  /** What failed, and what mended it, as they are shown; empty where nothing did. */
  readonly failed: string;
  readonly mended: string;
  /** All tasks, by id. */
  readonly tasks: readonly string[];
}

/** One attempt with what it is compared by. */
export function withMend(attempt: Attempt, source: string | null, placeOf: PlaceOf): SameMends {
  return {
    attempt,
    source,
    // Durations and the like differ from run to run.
    failed: failureLine(attempt, source).replace(/\d+/gu, '0'),
    mended: mendLines(attempt, { ...SHAPE, source }, placeOf).join('\n'),
    tasks: [attempt.task.id],
  };
}

/** Puts attempts together that say the same, in their order. */
export function sameMends(all: Iterable<SameMends>): SameMends[] {
  const found = new Map<string, SameMends>();
  for (const one of all) {
    const key = one.mended === '' ? one.tasks.join() : JSON.stringify([one.failed, one.mended]);
    const known = found.get(key);
    found.set(key, known ? { ...known, tasks: [...known.tasks, ...one.tasks] } : one);
  }
  return [...found.values()];
}

/** What stands for having told of an attempt at all. */
export function attemptKey(task: string): string {
  return `attempt ${task}`;
}

/** What stands for having told a mend in a session, and in the task at work. */
export function mendKeys({ mended }: SameMends, own: Asked['own']): { session: string; task: string } {
  return { session: `mend ${mended}`, task: `mend ${mended} ${[...own][0]}` };
}

/** What stands for having told all that is said of such attempts, at whichever moment. */
export function keysOf(same: SameMends, own: Asked['own']): string[] {
  const { session, task } = mendKeys(same, own);
  return [...same.tasks.map(attemptKey), ...(same.mended === '' ? [] : [session, task])];
}
