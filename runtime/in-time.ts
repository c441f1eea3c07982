import { CodewalkError, LIMITS } from '../schema/index.js';
import { LONGEST_TIMER, limitText, type RunScope } from './run.js';

/** Milliseconds that a walker gets to end after its grace, whenever that is over. */
const MOMENT = 50;

/**
 * The outcome of a run's work, unless it outlives its deadline (or being cancelled) by the grace: an ability that
 * never settles cannot be ended, only given up. The run's contexts are dead from then on. While it waits, its timer
 * keeps the process alive: what waits for `ctx.signal` alone must be told.
 *
 * @param name the walker's, for the message
 * @throws CodewalkError `DEADLINE`, `CANCELLED`, or whatever the work throws
 */
export async function inTime<T>(scope: RunScope, name: string, work: () => Promise<T>): Promise<T> {
  const grace = LIMITS.runGrace.max;
  const { signal } = scope.options;
  const timers: NodeJS.Timeout[] = [];
  let cancelled: () => void = () => undefined;
  const givenUp = new Promise<never>((_, fail) => {
    const after = (ms: number, then: () => void) => {
      if (ms <= LONGEST_TIMER) timers.push(setTimeout(then, ms));
    };
    // Where the process stood still, a walker may hear of its deadline only now.
    const giveUp = (error: CodewalkError) => after(MOMENT, () => fail(error));
    const watch = () =>
      after(Math.max(0, scope.left) + grace, () => {
        if (scope.left > 0) watch();
        else giveUp(overdue(name, scope.limits.deadlineMs));
      });
    watch();
    cancelled = () => after(grace, () => giveUp(new CodewalkError('CANCELLED', 'the run was cancelled')));
    if (signal?.aborted) cancelled();
    else signal?.addEventListener('abort', cancelled, { once: true });
  });
  try {
    return await Promise.race([work(), givenUp]);
  } finally {
    scope.ended = true;
    signal?.removeEventListener('abort', cancelled);
    for (const timer of timers) clearTimeout(timer);
  }
}

function overdue(name: string, deadlineMs: number): CodewalkError {
  const limit = limitText({ by: 'deadline', limit: deadlineMs });
  return new CodewalkError('DEADLINE', `the walker '${name}' did not end at its deadline of ${limit}`, {
    suggestion:
      'Does it await what never comes? context.signal aborts at the deadline. What it had not committed is not written.',
  });
}
